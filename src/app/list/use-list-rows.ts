import { useQuery, useQueryClient, type QueryClient, queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ScanFilter, Scan } from '../../contract/bff/scan.ts';
import { needsExtension, needsScan } from '../../contract/service/list-rules.ts';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';
import { isPassing } from '../api/errors.ts';
import { useList, type ListRead } from '../api/read-failure.tsx';
import { subscriberPageQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { filterOf, toListQuery, withFilter, type ListAddress } from '../subscriber/list-address.ts';

/** A page of the list. */
interface ListRows extends ListRead<SubscriberPage> {
  /** The filter for which all subscribers are read; null if the service filters. */
  scanned: ScanFilter | null;
}

/** The rows of an address; where the service cannot filter them, once all subscribers were read. */
export function useListRows(query: ListQuery): ListRows {
  const extensions = useSession()?.extensions;
  const scans = extensions !== undefined && needsScan(query, extensions);
  const filter = filterOf(query);
  const scan = useQuery({ ...scanQuery(filter), enabled: scans });
  const isFound = scan.data !== undefined && scan.data.state !== 'running';
  // The session says which filters the service has. Until then it may refuse them.
  const isAllowed = extensions !== undefined || !needsExtension(query);
  const rows = useList({ ...subscriberPageQuery(query), enabled: scans ? isFound : isAllowed });
  const scanned = scans ? filter : null;
  if (!scans || isFound || scan.errorUpdateCount === 0 || (scan.data && !scan.isError))
    return { ...rows, scanned };
  // How far the scan was is no list.
  return { ...rows, read: { ...scan, data: undefined }, hasFailed: true, data: undefined, scanned };
}

/** Time that rows are on the screen before the page after them is fetched ahead, in ms. */
const pause = 1000;

/**
 * Fetches pages ahead, so that turning to them takes no wait: a page whose button the pointer or the focus reaches, and
 * from then on each next page at once. Before, the next page is fetched only after a pause, and not while anything else is
 * being read or a server fails. Where the browser saves data, only the button fetches.
 *
 * @param shown the page of the address; undefined if no page needs fetching
 * @returns the function for a page whose button is reached
 */
export function usePagesAhead(
  address: ListAddress,
  shown: SubscriberPage | undefined,
): (page: number) => void {
  const cache = useQueryClient();
  const [isTurning, setTurning] = useState(false);
  const next = shown && shown.page < shown.totalPages ? shown.page + 1 : null;
  useEffect(() => {
    if (next === null || savesData()) return;
    let timer = setTimeout(look, isTurning ? 0 : pause);
    function look(): void {
      const failing = cache.getQueryCache().findAll({ predicate: ({ state }) => isPassing(state.error) });
      if (isTurning || cache.isFetching() + failing.length === 0) fetchPage(cache, address, next ?? 1);
      else timer = setTimeout(look, pause);
    }
    return () => clearTimeout(timer);
  }, [cache, address, next, isTurning]);
  return (page) => {
    setTurning(true);
    if (shown) fetchPage(cache, address, page);
  };
}

const fetchPage = (cache: QueryClient, address: ListAddress, page: number) =>
  void cache.prefetchQuery(subscriberPageQuery(toListQuery(withFilter(address, { page }))));

/** True if the user has told the browser to save data: https://wicg.github.io/savedata/ */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** The scan for a list that the service cannot filter. Asking for it keeps it running. */
export const scanQuery = (filter: ScanFilter) =>
  queryOptions({
    queryKey: ['getScan', filter],
    queryFn: async (context): Promise<Scan> => {
      const { readScan } = await import('./trial-scan-bar.tsx');
      return readScan(filter, context);
    },
    // It takes too long to begin again unasked.
    refetchInterval: ({ state }) => state.error === null && state.data?.state === 'running' && 500,
  });
