import { queryOptions, skipToken } from '@tanstack/react-query';
import type { Subscriber } from '../../../contract/service/subscriber.ts';

/** What is known of somebody who was selected, on whatever page they stood. */
export type Chosen = Pick<Subscriber, 'id' | 'username' | 'email'>;

/** Those to be acted on together, in the order in which they were selected. */
export type Selection = readonly Chosen[];

/**
 * The selection, or null while nobody selects. In the cache, so that it outlives pages and filters, and goes with all
 * else that one person leaves behind; in no address and no storage.
 */
export const selectionQuery = queryOptions<Selection | null>({
  queryKey: ['selection'],
  queryFn: skipToken,
  initialData: null,
  gcTime: Infinity,
});
