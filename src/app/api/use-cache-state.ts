import { notifyManager, useQueryClient, type Query, type QueryCache } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Something about all reads at once; `read` answers the same value as long as nothing of it changed. */
export function useCacheState<T>(read: (cache: QueryCache) => T): T {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    // In batches and after rendering, as the library tells its own hooks.
    (listener) => cache.subscribe(notifyManager.batchCalls(listener)),
    () => read(cache),
  );
}

/** The reads that a part of the screen stands for, and that people have a word for. */
export const onScreen = (cache: QueryCache): Query[] =>
  cache.findAll({ type: 'active', predicate: ({ meta }) => meta?.awaited !== undefined });
