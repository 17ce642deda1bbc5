import { queryOptions } from '@tanstack/react-query';
import type { Scan, ScanFilter } from '../../contract/bff/scan.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';

/** The filters of a list, which are the same for each page and order. */
export function scanFilterOf(query: ListQuery): ScanFilter {
  const { Page: _page, PageSize: _size, SortBy: _sort, AccessToken: _token, AfterId: _id, ...filter } = query;
  return filter;
}

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
