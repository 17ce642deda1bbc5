import { queryOptions, skipToken, type QueryClient } from '@tanstack/react-query';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { apiOf } from './api.ts';
import type { ScanProgress, TrialScan } from './trial-scan.ts';

/** The filters of a query that the service itself can answer, the same for each page and sort order. */
export function scanFilterOf(query: ListQuery): ListQuery {
  const { IsTrial: _trial, Page: _page, PageSize: _size, SortBy: _sort, ...filter } = query;
  return filter;
}

// They are not names of operations, so that a change does not start a long scan by itself.
const scanKey = 'scanTrials';
const progressKey = 'trialScanProgress';

export const isScan = ({ queryKey: [name] }: { queryKey: readonly unknown[] }): boolean =>
  name === scanKey || name === progressKey;

/** After a change, the rows that were found stay and are shown as older. */
export function markScansOutdated(client: QueryClient): void {
  client.setQueriesData<ScanProgress | null>({ queryKey: [progressKey] }, (progress) =>
    progress ? { ...progress, outdated: true } : progress,
  );
}

/** The progress of a scan, apart from its rows: showing it alone does not keep a scan running. */
export const scanProgressQuery = (filter: ListQuery) =>
  queryOptions<ScanProgress | null>({
    queryKey: [progressKey, filter],
    queryFn: skipToken,
    staleTime: Infinity,
  });

/**
 * The trial subscribers of a filter if the service has no filter for them: all pages are scanned. Kept until the user
 * scans again; cancelled as soon as nothing on the page waits for it.
 *
 * @param filter null for no scan
 */
export const trialScanQuery = (filter: ListQuery | null) =>
  queryOptions({
    queryKey: [scanKey, filter],
    queryFn: filter === null ? skipToken : ({ client, signal }) => runScan(filter, client, signal),
    staleTime: 'static',
    // It retries each page by itself.
    retry: false,
    // Thousands of new rows: comparing them with the old ones would gain nothing.
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
