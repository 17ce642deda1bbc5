import { queryOptions } from '@tanstack/react-query';
import type { ActivityQuery } from '../../contract/bff/journal.ts';
import { desk } from './client.ts';

/** A page of the journal. */
export const activityQuery = (query: ActivityQuery) =>
  queryOptions({
    queryKey: ['listActivity', query],
    queryFn: async ({ signal }) => (await desk.listActivity({ query }, { signal })).data,
  });
