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
    queryFn: async ({ client, signal }): Promise<Scan> => {
      const { clientOf } = await import('../api/client.ts');
      const before = client.getQueryData<Scan>(['getScan', filter]);
      const { data } = await clientOf(client).getScan({ query: filter }, { signal });
      const isOther = JSON.stringify(before) !== JSON.stringify(data);
      if (isOther && data.state !== 'running')
        void client.invalidateQueries({ queryKey: ['listSubscribers', filter], exact: false });
      return data;
    },
    // It takes too long to begin again unasked.
    refetchInterval: ({ state }) => state.error === null && state.data?.state === 'running' && 500,
  });
