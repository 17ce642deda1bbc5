import { queryOptions } from '@tanstack/react-query';
import type { ActivityQuery } from '../../contract/bff/journal.ts';
import { clientsOf } from './client.ts';

// Apart from `queries.ts`: they need the full client, which the first screen does not load.

/** A page of the journal. */
export const activityQuery = (query: ActivityQuery) =>
  queryOptions({
    queryKey: ['listActivity', query],
    queryFn: async ({ client, signal }) =>
      (await clientsOf(client).bff.listActivity({ query }, { signal })).data,
  });

export const staffQuery = queryOptions({
  queryKey: ['listStaff'],
  queryFn: async ({ client, signal }) => (await clientsOf(client).bff.listStaff({}, { signal })).data,
  meta: { awaited: 'the staff accounts' },
});
