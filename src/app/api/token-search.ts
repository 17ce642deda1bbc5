import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PreviousToken } from '../../contract/bff/access-token.ts';
import { describeError } from './errors.ts';
import { nameOfPerson } from '../components/person-name.tsx';
import { dayOf } from '../components/time.ts';

/** What to say about a part of a token. */
export const fragmentAdvice =
  'This looks like part of an access token. Paste the whole token, and nothing else.';

/**
 * Finds the subscriber of an access token. The token is sent in a request body, and kept only during the search.
 *
 * @param onFound called with the id of the subscriber, unless another search began meanwhile
 */
export function useTokenSearch(onFound: (id: number) => void) {
  const cache = useQueryClient();
  const [wanted, setWanted] = useState<string | null>(null);
  const lookup = useQuery(tokenQuery(wanted));
  async function find(accessToken: string): Promise<void> {
    // A new search cancels this one, and a failure is shown by the sentence below.
    const found = await cache.fetchQuery(tokenQuery(accessToken)).catch(() => null);
    if (typeof found !== 'number') return;
    setWanted(null);
    onFound(found);
  }
  const former = wanted !== null && typeof lookup.data === 'object' ? lookup.data : null;
  return {
    /** Who had the token before it was replaced or its subscriber deleted. */
    former: former && former.subscriber,
    /** @param accessToken null ends the search */
    search(accessToken: string | null): void {
      setWanted(accessToken);
      if (accessToken !== null) void find(accessToken);
    },
    isSearching: lookup.isFetching,
    /** The state of the search; empty while there is none. */
    sentence: lookup.isFetching
      ? 'Searching for this access token…'
      : lookup.isError
        ? describeError(lookup.error)
        : former
          ? describePrevious(former)
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
      accessToken === null
        ? skipToken
        : async ({ client: cache, signal }) => {
            const { findByToken } = await import('./client.ts');
            return findByToken(cache, accessToken, signal);
          },
    gcTime: 0,
    retry: false,
  });
