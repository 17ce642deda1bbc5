import type { QueryClient } from '@tanstack/react-query';

/** Resolves as soon as nothing is being fetched, or after so many ms. */
export function whenIdle(client: QueryClient, patience: number): Promise<void> {
  const cache = client.getQueryCache();
  return new Promise((resolve) => {
    const timer = setTimeout(done, patience);
    const unsubscribe = cache.subscribe(look);
    look();
    function look(): void {
      if (client.isFetching() === 0) done();
    }
    function done(): void {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    }
  });
}
