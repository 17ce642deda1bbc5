import { queryOptions, skipToken, useQuery, type QueryClient } from '@tanstack/react-query';
import type { Occasion } from '../../contract/bff/message.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';

type About = Pick<Subscriber, 'id' | 'expiresAt'>;

/** The last action on a subscriber, and the expiry that it had then. It is nowhere but in the cache. */
const lastContactQuery = (id: number) =>
  queryOptions<{ occasion: Occasion; expiresAt: string }>({
    queryKey: ['lastContact', id],
    queryFn: skipToken,
    enabled: false,
    gcTime: Infinity,
  });

/** Lets the page of a subscriber offer the message for what was just done. */
export function noteContact(client: QueryClient, { id, expiresAt }: About, occasion: Occasion): void {
  client.setQueryData(lastContactQuery(id).queryKey, { occasion, expiresAt });
}

/** The last contact about a subscriber; null if nothing was, or if it was an extension that has been undone since. */
export function useLastContact({ id, expiresAt }: About): Occasion | null {
  const { data: last } = useQuery(lastContactQuery(id));
  return !last || (last.occasion === 'extended' && last.expiresAt !== expiresAt) ? null : last.occasion;
}
