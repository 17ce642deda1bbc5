import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../contract/http/client.ts';
import { listNames } from '../../contract/service/subscriber.ts';
import { isNoSuchSubscriber } from './error-kinds.ts';
import { subscriberQuery } from './queries.ts';
import { clientsOf } from './client.ts';

/**
 * The id of the subscriber who has an access token; what else came is kept for when it is shown.
 *
 * @throws {ApiError} with a sentence about the token
 */
export async function lookUpToken(
  cache: QueryClient,
  accessToken: string,
  signal: AbortSignal,
): Promise<number> {
  try {
    const reply = await clientsOf(cache).bff.getSubscriberByToken(
      { body: { accessToken, include: [...listNames] } },
      { signal },
    );
    cache.setQueryData(subscriberQuery(reply.data.id).queryKey, reply);
    return reply.data.id;
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    const sentence = isNoSuchSubscriber(cause)
      ? 'Nobody has this access token.'
      : `The access token could not be looked up. ${cause.message}`;
    throw new ApiError(cause.code, sentence, { cause });
  }
}
