import { queryOptions, useQuery } from '@tanstack/react-query';
import type { View } from '../../contract/bff/view.ts';
import { firstDesk } from './read-client.ts';
import { sessionQuery } from './queries.ts';

export const viewsQuery = queryOptions({
  queryKey: ['listViews'],
  queryFn: async ({ signal }) => (await firstDesk.listViews({}, { signal })).data,
});

/** One's own views in their order; undefined until it is known who is there. The session tells the first of them. */
export function useViews(): readonly View[] | undefined {
  const session = useQuery(sessionQuery);
  return useQuery({
    ...viewsQuery,
    enabled: session.data !== undefined,
    initialData: () => session.data?.views,
    initialDataUpdatedAt: session.dataUpdatedAt,
  }).data;
}
