import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { selectionQuery, type Selection } from './selection-query.ts';

const { queryKey } = selectionQuery;
const none: Selection = [];

/**
 * Something about the selection; `read` answers the same value as long as nothing of it changed. At once, where the
 * library's own hooks wait a moment: a box would fall back to what it was, and flicker.
 */
export function useSelection<T>(read: (selection: Selection) => T): T {
  const cache = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) =>
      cache.getQueryCache().subscribe(({ query }) => {
        if (query.queryKey[0] === queryKey[0]) listener();
      }),
    [cache],
  );
  return useSyncExternalStore(subscribe, () => read(cache.getQueryData(queryKey) ?? none));
}
