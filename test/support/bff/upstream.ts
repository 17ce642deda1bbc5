import type { Upstream } from '../../../src/bff/http/bff.ts';
import { exchangeByFetch } from '../../../src/bff/upstream/exchange.ts';
import { extensionNames } from '../../../src/contract/service/list-rules.ts';
import { credentials, issuer } from '../service/harness.ts';

/** One request as it arrived upstream. */
export interface Seen {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

type Fetch = (request: Request) => Promise<Response>;
export type Next = () => Promise<Response>;

/** Answers a request upstream; `next` sends it on to the service. */
export type Answer = (seen: Seen, next: Next) => Response | Promise<Response>;
type TokenAnswer = (count: number, next: Next) => Response | Promise<Response>;

export const upstreamBase = issuer;
export const clientSecret = credentials.secret;

/** The BFF's connection to the service of the tests, which is a function. */
export const asUpstream = (fetch: Fetch): Upstream => ({
  exchange: exchangeByFetch(fetch),
  baseUrl: upstreamBase,
  clientId: credentials.id,
  clientSecret,
  scopes: { read: 'subscribers:read', write: 'subscribers:write' },
  extensions: extensionNames,
});

/** Sends a request on, as if nothing stood between the BFF and the service. */
export const sendOn: Answer = (_, next) => next();

/**
 * Stands between a BFF and the service: it records what passes, and lets a test answer instead of the service or spoil
 * its answer. `lookup` is the journal's reads of a whole subscriber around each change, `operation` all else but tokens.
 */
export function createUpstream(service: Fetch) {
  const tokenCalls: Seen[] = [];
  const calls: Seen[] = [];
  const lookups: Seen[] = [];
  const sendOnToken: TokenAnswer = (_, next) => next();
  const upstream = {
    tokenCalls,
    calls,
    lookups,
    token: sendOnToken,
    operation: sendOn,
    lookup: sendOn,
    async fetch(request: Request): Promise<Response> {
      const forwarded = request.clone();
      const next = () => service(forwarded);
      const seen = await record(request);
      if (seen.url.endsWith('/oauth/token')) return upstream.token(tokenCalls.push(seen), next);
      const isLookup = seen.method === 'GET' && allLists.test(seen.url);
      (isLookup ? lookups : calls).push(seen);
      return isLookup ? upstream.lookup(seen, next) : upstream.operation(seen, next);
    },
  };
  return upstream;
}

const allLists = /\/subscribers\/\d+\?include=bundles%2CipAddresses%2CuserAgents%2Ccountries$/;

async function record(request: Request): Promise<Seen> {
  return {
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  };
}
