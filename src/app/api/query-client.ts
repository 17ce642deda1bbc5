import { MutationCache, QueryCache, type Query, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../contract/http/client.ts';
import type { BffApi } from '../../contract/bff/api.ts';
import type { Permission } from '../../contract/bff/permission.ts';
import { ApiQueryClient, type Api } from './api.ts';
import { intervalAfterFailure, isPassing } from './errors.ts';
import { sessionQuery } from './queries.ts';

/** The operations whose answers a mutation makes out of date; all of them if it has no `invalidates`. */
interface Invalidation extends Record<string, unknown> {
  invalidates: readonly (Permission | keyof BffApi)[];
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: Invalidation;
    queryMeta: {
      /** Name of the data for the user, if a part of the page is empty without it. */
      awaited?: string;
    };
  }
}

/**
 * The cache of all reads and changes of the page.
 *
 * @param onSignedOut called when an answer says that the user is no longer signed in
 */
export function createQueryClient(api: Api, onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    if (error.code === 'not-signed-in') onSignedOut();
    // A manager has reset the password, given another role, or asks for a second factor. When the session is read again,
    // the page asks for it, and offers what this role may do.
    if (/(change|factor)-needed|not-allowed/.test(error.code))
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const client: QueryClient = new ApiQueryClient(api, {
    queryCache: new QueryCache({
      // A failed prefetch that no component shows is no reason to leave the page.
      onError: (error, query) => {
        if (query.getObserversCount() > 0) onError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError,
      onSettled: (_data, _error, _variables, _result, mutation) => {
        makeStale(client, mutation.meta?.invalidates);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // An outage once; a refusal is final.
        retry: (failures, error) => isPassing(error) && failures < 1,
        refetchInterval: intervalAfterFailure,
        networkMode: 'always',
        refetchOnReconnect: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** Reads again what a change made out of date; everything if `stale` is missing. */
export function makeStale(client: QueryClient, stale?: Invalidation['invalidates']): void {
  const isStale = (operation: unknown) => !stale || stale.some((name) => name === operation);
  // A scan says whether subscribers have changed since.
  const filters = {
    predicate: ({ queryKey: [name] }: Query) =>
      isStale(name) || (name === 'getScan' && isStale('listSubscribers')),
  };
  // The answer to an earlier request may still arrive and would overwrite the new state with the old one.
  for (const query of client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' }))
    void query.cancel({ silent: true });
  void client.invalidateQueries(filters);
}

/** Those of some queries that have a name for users. */
export const awaitedOf = (queries: readonly Query[]): Query[] =>
  queries.filter(({ meta }) => meta?.awaited !== undefined);
