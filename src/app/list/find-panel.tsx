import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { SubscriberPage } from '../../contract/service/list-query.ts';
import { subscriberCountQuery } from '../api/queries.ts';
import { useRecentSubscribers } from '../api/recent.ts';
import { useSession } from '../api/session.ts';
import { fragmentAdvice, useTokenSearch } from '../api/token-search.ts';
import { needsScan } from '../api/trial-scan-query.ts';
import { counted } from '../components/count.ts';
import { Key } from '../components/key.tsx';
import { filterOf, rowLink, toListQuery, withFilter } from '../subscriber/list-address.ts';
import type { Finding, PressedKey } from './find-text.ts';
import { focusFirstRecent, RecentList, recentTitle } from './recent-list.tsx';
import { useListAddress } from './use-list-address.ts';
import styles from '../components/search-box.module.css';

export { readFindText } from './find-text.ts';

/**
 * What the find box says and offers below itself. It searches for tokens, and does what the keys in the box ask for as soon as
 * the rows are those of the text.
 */
export function FindPanel(props: {
  finding: Finding;
  /** Whether only Enter makes the text a filter. */
  waits: boolean;
  /** Whether the box has the focus, and Escape has not closed this. */
  isOpen: boolean;
  /** The rows that the text finds; undefined until they are loaded. */
  page: SubscriberPage | undefined;
  pressed: PressedKey | null;
  /** The key is done. @param text for the box, if it changes */
  onDone: (text?: string) => void;
}) {
  const { finding, waits, isOpen, page, pressed, onDone } = props;
  const navigate = useNavigate();
  const show = (id: number) => void navigate({ to: '/subscribers/$id', params: { id }, search: true });
  const closePane = () =>
    void navigate({ to: '/subscribers', search: true, state: true, resetScroll: false });
  const open = (id: number) => {
    onDone('');
    show(id);
  };
  const token = useTokenSearch(open);
  const accessToken = finding.kind === 'token' ? finding.accessToken : null;
  const search = useEffectEvent((wanted: string | null) => {
    token.search(wanted);
    if (wanted !== null) closePane();
  });
  useEffect(() => search(accessToken), [accessToken]);

  const id = finding.kind === 'filter' ? finding.id : null;
  const isEmpty = finding.kind === 'filter' && id === null && !finding.username && !finding.email;
  const recent = useRecentSubscribers(isOpen && isEmpty);
  const hasRecent = recent.subscribers.length > 0;
  const isSearch = finding.kind === 'filter' && (finding.username ?? finding.email) !== undefined && !waits;
  const { own, other, swap } = useBothCounts(isSearch && isOpen ? page : undefined);
  const act = useEffectEvent(() => {
    if (isOpen && own?.count === 0 && other?.count) return swap();
    if (pressed === null) return;
    if (pressed === 'Escape') {
      closePane();
      return onDone();
    }
    if (pressed === 'Enter' && token.former) return open(token.former.id);
    if (pressed === 'Enter' && id !== null) return open(id);
    if (pressed !== 'ArrowDown' && !isSearch) return onDone();
    if (recent.isLoading) return;
    if (hasRecent) {
      onDone();
      return focusFirstRecent();
    }
    // Never a row of the search before: its caller is another one.
    if (!page || (isSearch && own?.count === 0 && other?.count === undefined)) return;
    if (pressed === 'Shift+Enter' && other?.count === undefined) return;
    onDone();
    const first = page.items[0];
    if (pressed === 'Shift+Enter') swap();
    else if (first && pressed === 'Enter') show(first.id);
    else if (first) rowLink(first.id)?.focus();
  });
  // After each render, because any of what it waits for may have come.
  useEffect(() => act());

  const said = token.sentence || sentenceOf(finding, waits) || (hasRecent ? recentTitle : '');
  const offers = isOpen && (id !== null || own !== undefined);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only keeps the focus in the box, see below
    <div
      className={said === '' && !offers ? 'visually-hidden' : styles.outcome}
      // A press must not take the focus from the box, or this would close before the click.
      onMouseDown={(event) => event.preventDefault()}
    >
      <p role="status">{said}</p>
      {hasRecent && <Key>↓</Key>}
      {hasRecent && <RecentList subscribers={recent.subscribers} onOpen={open} />}
      {token.former && (
        <button type="button" className={styles.offer} onClick={() => token.former && open(token.former.id)}>
          Open {token.former.username} <Key>↵</Key>
        </button>
      )}
      {isOpen && id !== null && (
        <button type="button" className={styles.offer} onClick={() => open(id)}>
          Open #{id} <Key>↵</Key>
        </button>
      )}
      {own && <span>{counted(own.count, own.field)}</span>}
      {other?.count !== undefined && (
        <button type="button" className={styles.offer} onClick={swap}>
          {counted(other.count, other.field)} <Key>⇧↵</Key>
        </button>
      )}
    </div>
  );
}

/**
 * How many usernames and emails have the text: the list shows one of the two.
 *
 * @param page the rows that the text finds
 */
function useBothCounts(page: SubscriberPage | undefined) {
  const { address, filter } = useListAddress();
  const extensions = useSession()?.extensions ?? [];
  const { username, email } = address;
  const swapped = { username: email, email: username };
  const query = filterOf(toListQuery(withFilter(address, swapped)));
  const counts = useQuery({
    ...subscriberCountQuery(query),
    // Counting in the browser would scan all pages once more.
    enabled: page !== undefined && !needsScan(query, extensions),
  });
  const [present, others] =
    email === undefined ? (['username', 'email'] as const) : (['email', 'username'] as const);
  return {
    own: page && { field: present, count: page.totalCount },
    other: page && { field: others, count: counts.data },
    swap: () => filter(swapped, true),
  };
}

/** Why the list cannot be searched for the text, or not yet; empty if it can. */
function sentenceOf(finding: Finding, waits: boolean): string {
  if (finding.kind === 'fragment') return fragmentAdvice;
  if (waits) return 'Press Enter to search for this.';
  return finding.kind === 'refused' ? `Can’t search for this. ${finding.reason}` : '';
}
