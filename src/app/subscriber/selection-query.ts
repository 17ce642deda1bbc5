import { queryOptions, skipToken } from '@tanstack/react-query';
import type { Subscriber } from '../../contract/service/subscriber.ts';

/** What the selection stores about a subscriber. */
export type SelectedSubscriber = Pick<Subscriber, 'id' | 'username' | 'email'>;

/** In the order of selecting. */
export type Selection = readonly SelectedSubscriber[];

/**
 * The selection, or null while selecting is off. It is in the query cache, so that it survives other pages, and ends when
 * someone else signs in.
 */
export const selectionQuery = queryOptions<Selection | null>({
  queryKey: ['selection'],
  queryFn: skipToken,
  initialData: null,
  gcTime: Infinity,
});
