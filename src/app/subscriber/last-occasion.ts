import { queryOptions, skipToken, useQuery, type QueryClient } from '@tanstack/react-query';
import type { Occasion } from '../../contract/bff/message.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';

/** What was just done to a subscriber in this window, and the expiry that it had then. */
const lastOccasionQuery = (id: number) =>
  queryOptions<{ occasion: Occasion; expiresAt: string }>({
    queryKey: ['lastOccasion', id],
    queryFn: skipToken,
    staleTime: Infinity,
  });

/** Lets the page of a subscriber offer the message for what was just done. */
export function noteOccasion(
  client: QueryClient,
  { id, expiresAt }: Pick<Subscriber, 'id' | 'expiresAt'>,
  occasion: Occasion,
): void {
  client.setQueryData(lastOccasionQuery(id).queryKey, { occasion, expiresAt });
}

/** What was just done to a subscriber; null if nothing was, or if it was an extension that has been undone since. */
export function useLastOccasion({ id, expiresAt }: Pick<Subscriber, 'id' | 'expiresAt'>): Occasion | null {
  const { data } = useQuery(lastOccasionQuery(id));
  if (!data || (data.occasion === 'extended' && data.expiresAt !== expiresAt)) return null;
  return data.occasion;
}
