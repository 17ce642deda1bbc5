import { useMutation, useQueryClient } from '@tanstack/react-query';
import { tokenInText } from '../../../contract/token-in-text.ts';
import { findByToken } from '../../api/first-mutations.ts';
import { isNoSuchSubscriber } from '../../api/no-such-subscriber.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { reasonOf } from '../../ui/failure.tsx';

/** Finds the subscriber of a token in what was pasted; the token itself goes out in a body, and stays nowhere. */
export function useTokenSearch(onFound: (id: number) => void) {
  const cache = useQueryClient();
  const lookup = useMutation(findByToken);
  return {
    /** Whether a text held a token, which is being looked for then. */
    take(text: string): boolean {
      const accessToken = tokenInText(text);
      if (accessToken === null) {
        lookup.reset();
        return false;
      }
      lookup.mutate(accessToken, {
        onSuccess: (reply) => {
          cache.setQueryData(subscriberQuery(reply.data.id).queryKey, reply);
          onFound(reply.data.id);
        },
      });
      return true;
    },
    sentence: lookup.isPending
      ? 'Looking for this access token…'
      : lookup.isError
        ? isNoSuchSubscriber(lookup.error)
          ? 'Nobody has this access token.'
          : `The access token could not be looked up. ${reasonOf(lookup.error)}`
        : '',
  };
}
