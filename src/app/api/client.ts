import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { bffApi, proxiedApi } from '../../contract/bff/api.ts';
import type { PreviousToken } from '../../contract/bff/access-token.ts';
import type { ActivityQuery, EntryFilter } from '../../contract/bff/journal.ts';
import { ApiError, createClient } from '../../contract/http/client.ts';
import { listNames } from '../../contract/service/subscriber.ts';
import { apiOf, type Api } from './api.ts';
import { describeError, isNotFound } from './errors.ts';
import { subscriberQuery } from './queries.ts';

// The first view does not load this file, because it contains the validation rules of every form.

export type FullClient = ReturnType<typeof createFullClient>;

/** All operations of the subscriber service, through the BFF, and of the BFF itself. */
export function clientOf(cache: QueryClient): FullClient {
  const api = apiOf(cache);
  const made = clients.get(api) ?? createFullClient(api);
  clients.set(api, made);
  return made;
}

/** Made once for each dashboard. */
const clients = new WeakMap<Api, FullClient>();

const createFullClient = ({ serviceOptions, bffOptions }: Api) => ({
  ...createClient(proxiedApi, serviceOptions),
  ...createClient(bffApi, bffOptions),
});

export const clientsOf = (cache: QueryClient) => ({ service: clientOf(cache), bff: clientOf(cache) });

/**
 * The id of the subscriber with a token. Its record is put into the cache, because it is shown next. Or whose the token was
 * before it was replaced or its subscriber deleted.
 *
 * @throws {ApiError} with a sentence about the token
 */
export async function findByToken(
  client: QueryClient,
  accessToken: string,
  signal: AbortSignal,
): Promise<number | PreviousToken> {
  try {
    const body = { accessToken, include: [...listNames] };
    const reply = await clientOf(client).getSubscriberByToken({ body }, { signal });
    client.setQueryData(subscriberQuery(reply.data.id).queryKey, reply);
    return reply.data.id;
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    const former = isNotFound(cause) ? await findFormer(client, accessToken, signal) : null;
    if (former) return former;
    const sentence = isNotFound(cause)
      ? 'No subscriber has this access token. It may be an old one.'
      : `Couldn’t search for this access token. ${describeError(cause, 'read')}`;
    throw new ApiError(cause.code, sentence, { cause });
  }
}

/** The former subscriber of a token; null if nobody knows, or it cannot be asked. */
async function findFormer(
  client: QueryClient,
  accessToken: string,
  signal: AbortSignal,
): Promise<PreviousToken | null> {
  const bff = clientOf(client);
  return bff.getPreviousToken({ body: { accessToken } }, { signal }).then(
    ({ data }) => data,
    () => null,
  );
}

/** A page of the journal. */
export const activityQuery = (query: ActivityQuery) =>
  queryOptions({
    queryKey: ['listActivity', query],
    queryFn: async ({ client, signal }) => (await clientOf(client).listActivity({ query }, { signal })).data,
  });

/** What each person did; read again whenever the journal is. */
export const activityTotalsQuery = (query: EntryFilter) =>
  queryOptions({
    queryKey: ['listActivity', 'totals', query],
    queryFn: async ({ client, signal }) => (await clientOf(client).totalActivity({ query }, { signal })).data,
  });

export const staffQuery = queryOptions({
  queryKey: ['listStaff'],
  queryFn: async ({ client, signal }) => (await clientOf(client).listStaff({}, { signal })).data,
  meta: { awaited: 'the staff accounts' },
});

/** Where the user is signed in; always read again, because that changes elsewhere. */
export const accountSessionsQuery = queryOptions({
  queryKey: ['listSessions'],
  queryFn: async ({ client, signal }) => (await clientOf(client).listSessions({}, { signal })).data,
  refetchOnMount: 'always',
  meta: { awaited: 'your sessions' },
});

/** The second factor of the user's own account. */
export const secondFactorQuery = queryOptions({
  queryKey: ['getSecondFactor'],
  queryFn: async ({ client, signal }) => (await clientOf(client).getSecondFactor({}, { signal })).data,
  meta: { awaited: 'your second factor' },
});
