import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { View } from '../../contract/bff/view.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { listNames } from '../../contract/service/limits.ts';
import { readQuery } from '../../contract/service/list-rules.ts';
import { apiOf, type Api } from './api.ts';

/** A view with the values of its query, whose texts no schema has read. */
const withValues = (view: View): View => ({ ...view, query: readQuery(view.query) });

export const sessionQuery = queryOptions({
  queryKey: ['getSession'],
  queryFn: async ({ client, signal }) => {
    const { data } = await apiOf(client).bff.getSession({}, { signal });
    return { ...data, views: data.views.map(withValues) };
  },
  staleTime: Infinity,
  // With another answer, the page for a required second factor would close, also over recovery codes, which are shown once.
  refetchOnReconnect: false,
});

/** Where the tabs of a browser tell each other who is signed in. */
export const userChannel = 'user';

/** Tells the other tabs who is signed in now. @param staffId null if nobody is */
export function tellTabs(staffId: string | null): void {
  const channel = new BroadcastChannel(userChannel);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage(staffId);
  channel.close();
}

/** The ways to sign in; only by password if the BFF does not say. */
export const readSignInWays = (bff: Pick<Api['bff'], 'getSignInWays'>) =>
  bff.getSignInWays({}).then(
    ({ data }) => data,
    () => byPassword,
  );
export const byPassword = { singleSignOn: false, passkeys: false };

export const statusesQuery = queryOptions({
  queryKey: ['listStatuses'],
  queryFn: async ({ client, signal }) => {
    // The session often includes them.
    const session = await client.ensureQueryData(sessionQuery);
    return session.statuses ?? (await apiOf(client).service.listStatuses({}, { signal })).data;
  },
  staleTime: Infinity,
});

export const viewsQuery = queryOptions({
  queryKey: ['listViews'],
  queryFn: async ({ client, signal }) =>
    (await apiOf(client).bff.listViews({}, { signal })).data.map(withValues),
});

/** The shared views, then the user's own, both in their order. The session includes them; undefined until it is loaded. */
export function useViews(): readonly View[] | undefined {
  const session = useQuery(sessionQuery);
  return useQuery({
    ...viewsQuery,
    enabled: session.data !== undefined,
    initialData: () => session.data?.views,
    initialDataUpdatedAt: session.dataUpdatedAt,
  }).data;
}

/** One page of the list. While another one is loading, the current rows stay. */
export const subscriberPageQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: ['listSubscribers', query],
    queryFn: async ({ client, signal }) =>
      (await apiOf(client).service.listSubscribers({ query }, { signal })).data,
    placeholderData: keepPreviousData,
    meta: { awaited: 'the list of subscribers' },
  });

/** Number of subscribers who match a filter. It reads the smallest page there is. */
export const subscriberCountQuery = (filter: ListQuery) =>
  queryOptions({
    queryKey: ['listSubscribers', 'count', filter],
    queryFn: async ({ client, signal }) => {
      const { data } = await apiOf(client).service.listSubscribers(
        { query: { ...filter, PageSize: 1 } },
        { signal },
      );
      return data.totalCount;
    },
  });

/** One subscriber with all its lists, and the ETag that a change has to send. */
export const subscriberQuery = (id: number) =>
  queryOptions({
    queryKey: ['getSubscriber', id],
    queryFn: ({ client, signal }) =>
      apiOf(client).service.getSubscriber({ params: { id }, query: { include: [...listNames] } }, { signal }),
    meta: { awaited: 'the subscriber' },
  });

/** The number of the page, sorted by expiry, on which the next subscriber expires. */
export const expiringNextQuery = (pageSize: number) =>
  queryOptions({
    queryKey: ['listSubscribers', 'expiring next', pageSize],
    queryFn: async ({ client }) => {
      const expired = await client.fetchQuery(subscriberCountQuery({ Expired: true }));
      const page = Math.floor(expired / pageSize) + 1;
      if (expired === 0 || expired % pageSize > 0) return page;
      // If all subscribers are expired, the last page is the nearest.
      const total = await client.fetchQuery(subscriberCountQuery({}));
      return Math.min(page, Math.max(1, Math.ceil(total / pageSize)));
    },
  });
