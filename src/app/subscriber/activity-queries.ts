import { queryOptions } from '@tanstack/react-query';
import type { ActivityQuery, EntryFilter } from '../../contract/bff/journal.ts';
import { clientOf } from '../api/client.ts';

/** A page of the journal. */
export const activityQuery = (query: ActivityQuery) =>
  queryOptions({
    queryKey: ['listActivity', query],
    queryFn: async ({ client, signal }) => (await clientOf(client).listActivity({ query }, { signal })).data,
  });

/** Totals of each person's changes; read again whenever the journal is. */
export const activityTotalsQuery = (query: EntryFilter) =>
  queryOptions({
    queryKey: ['listActivity', 'totals', query],
    queryFn: async ({ client, signal }) => (await clientOf(client).totalActivity({ query }, { signal })).data,
  });

/** The staff accounts, who are those that entries name. */
export const staffQuery = queryOptions({
  queryKey: ['listStaff'],
  queryFn: async ({ client, signal }) => (await clientOf(client).listStaff({}, { signal })).data,
  meta: { awaited: 'the staff accounts' },
});
