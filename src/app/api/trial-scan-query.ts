import { queryOptions, skipToken, type QueryClient } from '@tanstack/react-query';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { apiOf } from './api.ts';
import type { ScanProgress, TrialScan } from './trial-scan.ts';

/** The filters that the service itself can answer: the same for each page and sort order. */
export function scanFilterOf(query: ListQuery): ListQuery {
  const { IsTrial: _trial, Page: _page, PageSize: _size, SortBy: _sort, ...filter } = query;
  return filter;
}

// No names of operations, so that no change starts a long scan.
const scanKey = 'scanTrials';
const progressKey = 'trialScanProgress';

export const isScan = ({ queryKey: [name] }: { queryKey: readonly unknown[] }): boolean =>
  name === scanKey || name === progressKey;

/** After a change, the rows that were found stay, and the page says that they may be out of date. */
export function markScansOutdated(client: QueryClient): void {
  client.setQueriesData<ScanProgress | null>({ queryKey: [progressKey] }, (progress) =>
    progress ? { ...progress, outdated: true } : progress,
  );
}

/** The progress of a scan. Apart from its rows, so that showing the progress alone does not start or keep a scan. */
export const scanProgressQuery = (filter: ListQuery) =>
  queryOptions<ScanProgress | null>({
    queryKey: [progressKey, filter],
    queryFn: skipToken,
    staleTime: Infinity,
  });

/**
 * The trial subscribers of a filter, for a service that cannot filter them: all pages are scanned. The result is kept
 * until the user scans again; a scan is cancelled as soon as nothing on the page waits for it.
 *
 * @param filter null for no scan
 */
export const trialScanQuery = (filter: ListQuery | null) =>
  queryOptions({
    queryKey: [scanKey, filter],
    queryFn: filter === null ? skipToken : ({ client, signal }) => runScan(filter, client, signal),
    staleTime: 'static',
    // The scan retries each page itself.
    retry: false,
    // Comparing thousands of new rows with the old ones would gain nothing.
    structuralSharing: false,
  });

async function runScan(filter: ListQuery, client: QueryClient, signal: AbortSignal): Promise<TrialScan> {
  const { scanTrials } = await import('./trial-scan.ts');
  const { queryKey } = scanProgressQuery(filter);
  const before = client.getQueryData(queryKey) ?? null;
  const onProgress = (progress: ScanProgress | null) => void client.setQueryData(queryKey, progress);
  try {
    return await scanTrials(apiOf(client).service, filter, signal, onProgress);
  } catch (error) {
    onProgress(before);
    throw error;
  }
}
