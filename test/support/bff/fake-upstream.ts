import type { Upstream } from '../../../src/bff/bff.ts';
import { exchangeByFetch } from '../../../src/bff/upstream/exchange.ts';

/** One request as it arrived upstream. */
export interface Seen {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

export const upstreamBase = 'http://service.test/v1';
export const clientSecret = 'canary-client-secret';

export const subscriber = {
  id: 7,
  accessToken: 'canary-subscriber-token',
  username: 'canary-username',
  email: 'canary@example.com',
  expiresAt: '2027-01-01T00:00:00.000Z',
  maxConnections: 1,
  isTrial: false,
  note: '',
  status: 1,
  hls: true,
  mpegTs: true,
};

/** The same with its lists, as the journal reads it around each change. */
export const wholeSubscriber = { ...subscriber, bundles: [], ipAddresses: [], userAgents: [], countries: [] };

export const tokenAnswer = (count: number, extra: object = { expires_in: 3600 }) =>
  Response.json({ access_token: `canary-bearer-${count}`, token_type: 'Bearer', ...extra });

/**
 * A service that records what reaches it. `token` and `operation` are what it answers; a test replaces them to make
 * it misbehave. `lookup` answers the journal's reads of a whole subscriber around each change.
 */
export function createFakeUpstream() {
  const tokenCalls: Seen[] = [];
  const calls: Seen[] = [];
  const lookups: Seen[] = [];
  const fake = {
    tokenCalls,
    calls,
    lookups,
    token: (count: number): Response | Promise<Response> => tokenAnswer(count),
    operation: (seen: Seen): Response | Promise<Response> =>
      Response.json({ ...subscriber, via: seen.method }, { headers: { ETag: '"v1"' } }),
    lookup: (_seen: Seen): Response | Promise<Response> =>
      Response.json(wholeSubscriber, { headers: { ETag: '"v1"' } }),
    async fetch(request: Request): Promise<Response> {
      const seen = await record(request);
      if (seen.url === `${upstreamBase}/oauth/token`) return fake.token(tokenCalls.push(seen));
      if (seen.method === 'GET' && allLists.test(seen.url)) {
        lookups.push(seen);
        return fake.lookup(seen);
      }
      calls.push(seen);
      return fake.operation(seen);
    },
  };
  return fake;
}

const allLists = /\/subscribers\/\d+\?include=bundles%2CipAddresses%2CuserAgents%2Ccountries$/;

export const asUpstream = (fetch: (request: Request) => Promise<Response>): Upstream => ({
  exchange: exchangeByFetch(fetch),
  baseUrl: upstreamBase,
  clientId: 'desk',
  clientSecret,
  scopes: { read: 'read', write: 'write' },
  extensions: ['IsTrial'],
});

async function record(request: Request): Promise<Seen> {
  return {
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  };
}
