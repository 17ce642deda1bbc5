import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListQuery, SubscriberPage } from '../../../contract/service/list-query.ts';
import { subscriberPageQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { scanFilterOf, trialScanQuery } from '../../api/trial-scan-query.ts';

/** A page of the list, and how it is getting on. */
interface ListRows {
  data: SubscriberPage | undefined;
  /** Whether these are still the rows of the address before. */
  isPlaceholderData: boolean;
  isError: boolean;
  errorUpdateCount: number;
  isFetchedAfterMount: boolean;
  error: Error | null;
  failureReason: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
  /** The filter whose pages are all scanned for it; null if the service answers by itself. */
  scanned: ListQuery | null;
}

/** The rows of an address: the service's own page or, where it cannot filter trials, one of those found by a scan. */
export function useListRows(query: ListQuery): ListRows {
  const extensions = useSession()?.extensions;
  const scans = query.IsTrial === true && extensions?.includes('IsTrial') === false;
  const filter = scanFilterOf(query);
  // Until it is known what the service can do, it is not asked for what it may refuse.
  const asked = useQuery({
    ...subscriberPageQuery(query),
    enabled: !scans && (query.IsTrial !== true || extensions !== undefined),
  });
  const scan = useQuery(trialScanQuery(scans ? filter : null));
  if (!scans) return { ...pick(asked), data: asked.data, scanned: null };
  // While a failed scan runs again, its progress is shown instead of the failure.
  return { ...pick(scan), isFetchedAfterMount: false, data: scan.data?.pageOf(query), scanned: filter };
}

/** React Query notices which of its fields are read; a spread would read them all. */
function pick(result: Omit<ListRows, 'data' | 'scanned'>) {
  const { isPlaceholderData, isError, errorUpdateCount, isFetchedAfterMount } = result;
  const { error, failureReason, isFetching, refetch } = result;
  const state = { isPlaceholderData, isError, errorUpdateCount, isFetchedAfterMount };
  return { ...state, error, failureReason, isFetching, refetch };
}

/**
 * Fetches the page after the one that is shown, so that turning to it waits for nothing.
 *
 * @param isLikely whether that is likely: the pager is in sight
 */
export function useNextPageAhead(
  query: ListQuery,
  shown: SubscriberPage | undefined,
  isLikely: boolean,
): void {
  const cache = useQueryClient();
  const next = isLikely && shown && shown.page < shown.totalPages ? shown.page + 1 : null;
  const key = JSON.stringify(query);
  useEffect(() => {
    if (next === null) return;
    const present = JSON.parse(key) as ListQuery;
    void cache.prefetchQuery(subscriberPageQuery({ ...present, Page: next }));
  }, [cache, key, next]);
}
