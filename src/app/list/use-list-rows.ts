import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ScanFilter } from '../../contract/bff/scan.ts';
import {
  needsExtension,
  needsScan,
  type ListQuery,
  type SubscriberPage,
} from '../../contract/service/list-query.ts';
import { subscriberPageQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { scanFilterOf, scanQuery } from './scan.ts';

/** A page of the list, and the state of its request. */
interface ListRows {
  data: SubscriberPage | undefined;
  /** True if these are still the rows of the previous address. */
  isPlaceholderData: boolean;
  isError: boolean;
  errorUpdateCount: number;
  isFetchedAfterMount: boolean;
  error: Error | null;
  failureReason: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
  /** The filter for which all subscribers are read; null if the service filters. */
  scanned: ScanFilter | null;
}

/** The rows of an address; where the service cannot filter them, once all subscribers were read. */
export function useListRows(query: ListQuery): ListRows {
  const extensions = useSession()?.extensions;
  const scans = extensions !== undefined && needsScan(query, extensions);
  const filter = scanFilterOf(query);
  const scan = useQuery({ ...scanQuery(filter), enabled: scans });
  const isFound = scan.data !== undefined && scan.data.state !== 'running';
  // The session says which filters the service has. Until then it may refuse them.
  const isAllowed = extensions !== undefined || !needsExtension(query);
  const rows = useQuery({ ...subscriberPageQuery(query), enabled: scans ? isFound : isAllowed });
  if (!scans) return { ...pick(rows), data: rows.data, scanned: null };
  const { isPlaceholderData, data } = rows;
  return { ...pick(isFound ? rows : scan), isPlaceholderData, data, scanned: filter };
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
