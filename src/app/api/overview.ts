import { queryOptions } from '@tanstack/react-query';
import { overviewLimits } from '../../contract/bff/overview.ts';
import { clientsOf } from './client.ts';
import { intervalAfterFailure } from './errors.ts';

/** How often to ask how far counting is, in ms. */
const pollInterval = 5_000;

/** The numbers of the overview. The BFF counts them once a minute. */
export const overviewQuery = queryOptions({
  queryKey: ['getOverview'],
  queryFn: async ({ client, signal }) => (await clientsOf(client).bff.getOverview({}, { signal })).data,
  staleTime: overviewLimits.keptFor,
  refetchInterval: (query) => (query.state.data?.counting ? pollInterval : intervalAfterFailure(query)),
  meta: { awaited: 'the overview' },
});

/** What was changed in the last weeks. @param zone an IANA name, such as `Europe/Oslo` */
export const overviewChangesQuery = (zone: string) =>
  queryOptions({
    queryKey: ['getOverviewChanges', zone],
    queryFn: async ({ client, signal }) =>
      (await clientsOf(client).bff.getOverviewChanges({ query: { zone } }, { signal })).data,
    staleTime: overviewLimits.keptFor,
  });
