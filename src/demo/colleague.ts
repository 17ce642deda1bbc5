import { api } from '../contract/service/api.ts';
import { ApiError, createClient } from '../contract/http/client.ts';
import { apiBase, csrfHeader } from '../contract/bff/paths.ts';
import { limits } from '../contract/service/subscriber.ts';
import type { Fetch } from './faults.ts';

/** Has somebody else save a subscriber by way of the desk: a note, and another number of connections. */
export function createColleague(fetch: Fetch, origin: string) {
  const client = createClient(api, {
    fetch,
    base: `${origin}${apiBase}`,
    headers: { [csrfHeader.name]: csrfHeader.value },
  });
  return async (id: number): Promise<void> => {
    const params = { id };
    try {
      const { data, etag } = await client.getSubscriber({ params, query: {} });
      const note = [data.note, 'Called, and was called back.'].filter(Boolean).join('\n');
      const body = { note, maxConnections: (data.maxConnections % limits.connections) + 1 };
      await client.updateSubscriber({ params, body }, etag === null ? {} : { headers: { 'If-Match': etag } });
    } catch (error) {
      // Who is gone or not to be reached now is edited by nobody.
      if (!(error instanceof ApiError)) throw error;
    }
  };
}
