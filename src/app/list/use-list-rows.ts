import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';
import { subscriberPageQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { needsExtension, needsScan, scanFilterOf, trialScanQuery } from '../api/trial-scan-query.ts';

/** A page of the list, and the state of its request. */
interface ListRows {
  data: SubscriberPage | undefined;
  /** Whether these are still the rows of the previous address. */
  isPlaceholderData: boolean;
  isError: boolean;
  errorUpdateCount: number;
  isFetchedAfterMount: boolean;
  error: Error | null;
  failureReason: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
  /** The filter that is scanned for trials in the browser; null if the service filters. */
  scanned: ListQuery | null;
}

/** The rows of an address: the service's own page or, where it cannot filter by trial, a page of the scan's result. */
export function useListRows(query: ListQuery): ListRows {
  const extensions = useSession()?.extensions;
  const scans = extensions !== undefined && needsScan(query, extensions);
  const filter = scanFilterOf(query);
  // The session says which filters the service has. Until then it may refuse them.
  const asked = useQuery({
    ...subscriberPageQuery(query),
    enabled: !scans && (extensions !== undefined || !needsExtension(query)),
  });
  const scan = useQuery(trialScanQuery(scans ? filter : null));
  if (!scans) return { ...pick(asked), data: asked.data, scanned: null };
  // While a failed scan runs again, its progress is shown instead of the failure.
  return { ...pick(scan), isFetchedAfterMount: false, data: scan.data?.pageOf(query), scanned: filter };
}

/** React Query renders again only for the fields that are read; a spread would read them all. */
function pick(result: Omit<ListRows, 'data' | 'scanned'>) {
  const { isPlaceholderData, isError, errorUpdateCount, isFetchedAfterMount } = result;
  const { error, failureReason, isFetching, refetch } = result;
  const state = { isPlaceholderData, isError, errorUpdateCount, isFetchedAfterMount };
  return { ...state, error, failureReason, isFetching, refetch };
}

/**
 * Fetches the next page ahead, so that turning to it takes no wait.
 *
 * @param isLikely whether the user may turn to it: the last rows or the pager are near
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
