import { queryOptions, skipToken, type QueryClient } from '@tanstack/react-query';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';

/** How far a walk has come, and how it ended: `stopped` by a person, `full` where there were too many to keep. */
export interface WalkTally {
  state: 'under way' | 'complete' | 'stopped' | 'full';
  looked: number;
  total: number;
  found: number;
  /** Whether something was changed from this page since. */
  outdated: boolean;
  /** Ends the walk with what it has found so far. */
  stop: () => void;
}

/** What a walk has found, to be had page by page in each order that the service has. */
export interface TrialWalk {
  tally: WalkTally;
  pageOf: (query: ListQuery) => SubscriberPage;
}

/** The filters of a query that the service itself can answer, the same for each page and order. */
export function walkedFilter(query: ListQuery): ListQuery {
  const { IsTrial: _trial, Page: _page, PageSize: _size, SortBy: _sort, ...filter } = query;
  return filter;
}

// The first words of the keys are no operations, so that a change starts no long walk by itself.
export const walkKeys = { walk: 'walkTrials', tally: 'tellWalk' } as const;

export const isWalk = ({ queryKey: [word] }: { queryKey: readonly unknown[] }) =>
  word === walkKeys.walk || word === walkKeys.tally;

/** Something was changed: what was found stays, and is said to be older. */
export function markWalksOutdated(client: QueryClient): void {
  client.setQueriesData<WalkTally | null>({ queryKey: [walkKeys.tally] }, (tally) =>
    tally ? { ...tally, outdated: true } : tally,
  );
}

/** How a walk is getting on, apart from its rows: who looks at this alone keeps no walk going. */
export const walkTallyQuery = (filter: ListQuery) =>
  queryOptions<WalkTally | null>({
    queryKey: [walkKeys.tally, filter],
    queryFn: skipToken,
    staleTime: Infinity,
  });
