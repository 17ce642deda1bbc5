import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { tokenInText } from '../../../contract/bff/access-token.ts';
import { tokenQuery } from '../../api/token-query.ts';
import { reasonOf } from '../../components/failure.tsx';

/** Finds the subscriber of a token in what was pasted; the token itself goes out in a body, and stays nowhere. */
export function useTokenSearch(onFound: (id: number) => void) {
  const cache = useQueryClient();
  const [wanted, setWanted] = useState<string | null>(null);
  const lookup = useQuery(tokenQuery(wanted));
  return {
    /** Whether a text held a token, which is being looked for then. */
    take(text: string): boolean {
      const accessToken = tokenInText(text);
      setWanted(accessToken);
      if (accessToken === null) return false;
      cache.fetchQuery(tokenQuery(accessToken)).then(onFound, () => undefined);
      return true;
    },
    sentence: lookup.isFetching
      ? 'Looking for this access token…'
      : lookup.isError
        ? reasonOf(lookup.error)
        : '',
  };
}
