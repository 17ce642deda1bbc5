import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { bffApi, proxiedApi } from '../../contract/bff/api.ts';
import type { ActivityQuery } from '../../contract/bff/journal.ts';
import { createClient } from '../../contract/http/client.ts';
import { apiOf } from './api.ts';

// The first view does not load this file, because it contains the validation rules of every form.

export type FullClients = ReturnType<typeof clientsOf>;

/** All operations of the subscriber service, through the BFF, and of the BFF itself. */
export function clientsOf(client: QueryClient) {
  const { serviceOptions, bffOptions } = apiOf(client);
  return { service: createClient(proxiedApi, serviceOptions), bff: createClient(bffApi, bffOptions) };
}

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
