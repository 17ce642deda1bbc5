import { queryOptions, skipToken, type QueryClient } from '@tanstack/react-query';
import { filterExtensions, type ExtensionName, type ListQuery } from '../../contract/service/list-query.ts';
import { apiOf } from './api.ts';
import { sessionQuery } from './queries.ts';
import type { ScanProgress, TrialScan } from './trial-scan.ts';

/** The filters of a list, which are the same for each page and sort order. */
export function scanFilterOf(query: ListQuery): ListQuery {
  const { Page: _page, PageSize: _size, SortBy: _sort, ...filter } = query;
  return filter;
}

/** Whether a list needs filters that not every service has. */
export const needsExtension = (query: ListQuery): boolean =>
  filterExtensions.some((name) => query[name] !== undefined);

/**
 * Whether a list has to be scanned in the browser. A service without a filter by expiry can still answer a range in the
 * order of the expiry.
 */
export function needsScan(query: ListQuery, extensions: readonly ExtensionName[]): boolean {
  const lacks = (name: (typeof filterExtensions)[number]) =>
    query[name] !== undefined && !extensions.includes(name);
  const lacksRange = lacks('ExpiresFrom') || lacks('ExpiresTo');
  return lacks('IsTrial') || (lacksRange && query.SortBy?.startsWith('username') === true);
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
 * The subscribers of a list whose filters the service does not have: all pages are scanned. The result is kept
 * until the user scans again; a scan is cancelled as soon as nothing on the page waits for it.
 *
 * @param filter null for no scan
 */
export const trialScanQuery = (filter: ListQuery | null) =>
  queryOptions({
    queryKey: [scanKey, filter],
    queryFn: filter === null ? skipToken : ({ client, signal }) => runScan(filter, client, signal),
    staleTime: 'static',
    // The scan retries each page itself, and is too long to begin again unasked.
    retry: false,
    refetchInterval: false,
    // Comparing thousands of new rows with the old ones would gain nothing.
    structuralSharing: false,
  });

async function runScan(filter: ListQuery, client: QueryClient, signal: AbortSignal): Promise<TrialScan> {
  const { scanTrials } = await import('./trial-scan.ts');
  const { extensions } = await client.ensureQueryData(sessionQuery);
  const { queryKey } = scanProgressQuery(filter);
  const before = client.getQueryData(queryKey) ?? null;
  const onProgress = (progress: ScanProgress | null) => void client.setQueryData(queryKey, progress);
  try {
    return await scanTrials(apiOf(client).service, { filter, extensions }, signal, onProgress);
  } catch (error) {
    onProgress(before);
    throw error;
  }
}
