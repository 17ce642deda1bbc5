import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { searchText } from '../../contract/service/search-text.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { apiOf } from '../api/api.ts';
import { counted } from '../components/count.ts';
import type { AfterPress } from '../components/use-after-press.ts';

/** The fields that other subscribers are looked for by. A username belongs to one subscriber, an email may be shared. */
type Name = 'username' | 'email';

/** The other subscribers with the username or the email in the form, looked for when the user leaves the field. */
export function useSameValues(form: UseFormReturn<SubscriberInput>, id: string, afterPress: AfterPress) {
  return {
    username: useSameValue(form, 'username', id, afterPress),
    email: useSameValue(form, 'email', id, afterPress),
  };
}

function useSameValue(form: UseFormReturn<SubscriberInput>, name: Name, id: string, afterPress: AfterPress) {
  /** The text of the field when the user left it; empty if it is not worth a look. */
  const [blurred, setBlurred] = useState('');
  const { data } = useQuery({ ...sameValueQuery(name, blurred, afterPress), enabled: blurred !== '' });
  const isSame = (one: Subscriber) => String(one.id) !== id && searchText(one[name]) === searchText(blurred);
  return {
    look: () =>
      afterPress(() => {
        const value = form.getValues(name);
        const isSaved = value === form.formState.defaultValues?.[name];
        setBlurred(!isSaved && SubscriberInput.shape[name].safeParse(value).success ? value : '');
      }),
    forget: () => setBlurred(''),
    // Services find texts that contain the value.
    of: blurred === '' ? [] : (data?.items.filter(isSame) ?? []),
  };
}

/** The subscribers whose username or email contains a text; the shortest usernames of those that begin with it come first. */
const sameValueQuery = (name: 'username' | 'email', text: string, afterPress: AfterPress) =>
  queryOptions({
    queryKey: ['listSubscribers', 'same', name, text],
    queryFn: async ({ client, signal }) => {
      const filter = name === 'username' ? { Username: text } : { Email: text };
      const query: ListQuery = { ...filter, SortBy: 'username', PageSize: 50 };
      const { data } = await apiOf(client).service.listSubscribers({ query }, { signal });
      // What is said of it takes a line.
      await new Promise<void>(afterPress);
      return data;
    },
  });

/** The number of subscribers that are named; more than a few would not help. */
const most = 3;

/** The others who have the value. The links open in another tab, so that the form stays as it is. */
export function SameValue({ what, of }: { what: Name; of: readonly Subscriber[] }) {
  const rest = of.length - most;
  return (
    <span role="status">
      {what === 'username'
        ? 'This username is taken: '
        : `${counted(of.length, 'subscriber has', 'subscribers have')} this email: `}
      {of.slice(0, most).map(({ id, username }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to="/subscribers/$id" params={{ id }} target="_blank">
            {what === 'username' ? `Open ${username}` : username}
            <span className="visually-hidden"> (in a new tab)</span>
          </Link>
        </span>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </span>
  );
}
