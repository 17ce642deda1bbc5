import { queryOptions, skipToken, type QueryClient } from '@tanstack/react-query';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { walkKeys, walkTallyQuery, type TrialWalk, type WalkTally } from './scan-progress.ts';

/**
 * The trial subscribers of a filter where the service cannot tell: all pages are looked through. Kept until somebody
 * looks again; given up as soon as nobody waits for it.
 *
 * @param filter null for none at all: whoever only might want one must not wait for it
 */
export const trialWalkQuery = (filter: ListQuery | null) =>
  queryOptions({
    queryKey: [walkKeys.walk, filter],
    queryFn: filter === null ? skipToken : ({ client, signal }) => walk(filter, client, signal),
    staleTime: 'static',
    // It tries each page again by itself.
    retry: false,
    // Thousands of rows that are new as a whole: nothing is gained by comparing them.
    structuralSharing: false,
  });

async function walk(filter: ListQuery, client: QueryClient, signal: AbortSignal): Promise<TrialWalk> {
  const { lookThrough } = await import('./trial-scan.ts');
  const { queryKey } = walkTallyQuery(filter);
  const former = client.getQueryData(queryKey) ?? null;
  const tell = (tally: WalkTally | null) => void client.setQueryData(queryKey, tally);
  try {
    return await lookThrough(filter, signal, tell);
  } catch (error) {
    tell(former);
    throw error;
  }
}
