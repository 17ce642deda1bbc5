import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { needsScan } from '../../contract/service/list-rules.ts';
import { ListQuery } from '../../contract/service/list-query.ts';
import { nearKey } from '../../contract/service/search-text.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { subscriberCountQuery, subscriberPageQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { filterOf, findTextOf, rowLinkId, toListQuery, withFilter } from '../subscriber/list-address.ts';
import { useListAddress } from './use-list-address.ts';

/**
 * Counts the usernames and emails that have the text: the list shows one of the two. If none has, finds the nearest.
 *
 * @param total number of rows that the text finds; undefined until they are loaded
 */
export function useTextMatches(total: number | undefined) {
  const { address, filter } = useListAddress();
  const extensions = useSession()?.extensions ?? [];
  const { username, email } = address;
  const swapped = { username: email, email: username };
  const query = filterOf(toListQuery(withFilter(address, swapped)));
  const { data: count } = useQuery({
    ...subscriberCountQuery(query),
    // It would read all subscribers once more.
    enabled: total !== undefined && !needsScan(query, extensions),
  });
  const [present, others] =
    email === undefined ? (['username', 'email'] as const) : (['email', 'username'] as const);
  const text = findTextOf(address);
  const start = [...nearKey(text)].slice(0, 4).join('');
  // Another service finds who has the first letters of it.
  const near = extensions.includes('Near') ? { Near: text } : { Username: start };
  const isNobody = total === 0 && count === 0;
  const isNote = ListQuery.shape.Note.safeParse(text).success && extensions.includes('Note');
  const inNotes = useQuery({ ...subscriberCountQuery({ Note: text }), enabled: isNobody && isNote });
  const nearest = useQuery({
    ...subscriberPageQuery({ ...near, PageSize: 3 }),
    enabled: isNobody && start.length >= 3,
  });
  return {
    own: total === undefined ? undefined : { field: present, count: total },
    other: total === undefined ? undefined : { field: others, count },
    swap: () => filter(swapped, true),
    isNobody,
    /** Number of notes that have the text, where no name has it. */
    notes:
      isNobody && inNotes.data
        ? { count: inNotes.data, show: () => filter({ ...noName, note: text }) }
        : null,
    nearest: (isNobody && !nearest.isPlaceholderData && nearest.data?.items) || [],
  };
}

const noName = { username: undefined, email: undefined };

/** Links to the nearest. @param props.isRow true where the arrow keys of the find box look for rows */
export function Nearest(props: { of: readonly Subscriber[]; isRow?: boolean; onOpen?: () => void }) {
  return props.of.length === 0 ? null : (
    <span>
      Nearest:{' '}
      {props.of.map(({ id, username, email }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link
            id={props.isRow ? rowLinkId(id) : undefined}
            to="/subscribers/$id"
            params={{ id }}
            search={true}
            resetScroll={false}
            onClick={props.onOpen}
          >
            {username}
          </Link>{' '}
          <small className="muted">{email}</small>
        </span>
      ))}
    </span>
  );
}
