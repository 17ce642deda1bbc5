import { queryOptions, skipToken, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PreviousToken } from '../../contract/bff/access-token.ts';
import { ApiError } from '../../contract/http/client.ts';
import { listNames } from '../../contract/service/limits.ts';
import { describeError, isNotFound } from '../api/errors.ts';
import { subscriberQuery } from '../api/queries.ts';
import { nameOfPerson } from '../components/badge.tsx';
import { dayOf } from '../components/format.ts';

/** Advice for a part of a token. */
export const fragmentAdvice =
  'This looks like part of an access token. Paste the whole token alone. If this is all of it, put “token:” before it.';

/**
 * Finds the subscriber of an access token. The token is sent in a request body, and kept only during the search.
 *
 * @param onFound called with the id of the subscriber, unless another search began meanwhile
 */
export function useTokenSearch(onFound: (id: number) => void) {
  const cache = useQueryClient();
  const [searched, setSearched] = useState<string | null>(null);
  const lookup = useQuery(tokenQuery(searched));
  async function find(accessToken: string): Promise<void> {
    // A new search cancels this one, and a failure is shown by the sentence below.
    const found = await cache.fetchQuery(tokenQuery(accessToken)).catch(() => null);
    if (typeof found !== 'number') return;
    setSearched(null);
    onFound(found);
  }
  const previous = searched !== null && typeof lookup.data === 'object' ? lookup.data : null;
  return {
    /** The last subscriber of the token, before it was replaced or its subscriber deleted. */
    previous: previous && previous.subscriber,
    /** @param accessToken null ends the search */
    search(accessToken: string | null): void {
      setSearched(accessToken);
      if (accessToken !== null) void find(accessToken);
    },
    isSearching: lookup.isFetching,
    /** The state of the search; empty while there is none. */
    sentence: lookup.isFetching
      ? 'Searching for this access token…'
      : lookup.isError
        ? describeError(lookup.error)
        : previous
          ? describePrevious(previous)
          : '',
  };
}

function describePrevious({ operation, by, at, subscriber }: PreviousToken): string {
  const who = `${nameOfPerson(by)} on ${dayOf(Date.parse(at))}`;
  return operation === 'regenerateToken'
    ? `This token was replaced by ${who}.`
    : `This token belonged to ${subscriber.username}, deleted by ${who}.`;
}

/** The id of the subscriber with a token, or who had it. */
const tokenQuery = (accessToken: string | null) =>
  queryOptions({
    queryKey: ['getSubscriberByToken', accessToken],
    queryFn:
      accessToken === null ? skipToken : ({ client, signal }) => findByToken(client, accessToken, signal),
    gcTime: 0,
    retry: false,
  });

/**
 * The id of the subscriber with a token. Its record is put into the cache, because it is shown next. Or whose the token was
 * before it was replaced or its subscriber deleted.
 *
 * @throws {ApiError} with a sentence about the token
 */
async function findByToken(
  cache: QueryClient,
  accessToken: string,
  signal: AbortSignal,
): Promise<number | PreviousToken> {
  // Loaded only now, because the first view has the find box.
  const client = (await import('../api/client.ts')).clientOf(cache);
  try {
    const body = { accessToken, include: [...listNames] };
    const reply = await client.getSubscriberByToken({ body }, { signal });
    cache.setQueryData(subscriberQuery(reply.data.id).queryKey, reply);
    return reply.data.id;
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    // Null if nobody knows, or it cannot be asked.
    const search = isNotFound(cause) && client.getPreviousToken({ body: { accessToken } }, { signal });
    const previous = search && (await search.catch(() => null))?.data;
    if (previous) return previous;
    const sentence = isNotFound(cause)
      ? 'No subscriber has this access token. It may be an old one.'
      : `Couldn’t search for this access token. ${describeError(cause, 'read')}`;
    throw new ApiError(cause.code, sentence, { cause });
  }
}
