import { queryOptions, skipToken } from '@tanstack/react-query';

/** Whose an access token is; null asks nothing. The token goes out in a body and is forgotten with the question. */
export const tokenQuery = (accessToken: string | null) =>
  queryOptions({
    queryKey: ['getSubscriberByToken', accessToken],
    queryFn:
      accessToken === null
        ? skipToken
        : async ({ client, signal }) =>
            (await import('./token-lookup.ts')).lookUpToken(client, accessToken, signal),
    gcTime: 0,
    retry: false,
  });
