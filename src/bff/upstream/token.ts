import { writeCall } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/endpoint.ts';
import { TokenAnswer } from '../../contract/service/token.ts';
import type { BffDeps } from '../deps.ts';
import { badUpstream, failureOf } from './failures.ts';
import { readJson } from './answer.ts';
import type { UpstreamLimits } from './exchange.ts';
import { withDeadline, type Send } from './send.ts';

interface Tokens {
  /** The cached token, while it need not be renewed. */
  cached(scope: string): string | null;
  /** The same, fetched where there is none. @throws {Refusal} where the service gives none */
  get(scope: string): Promise<string>;
  /** Another token than the one that the service refused. */
  renew(scope: string, refused: string): Promise<string>;
}

interface CachedToken {
  readonly token: string;
  /** When a new one is fetched; until `endsAt` this one still serves if that fails. */
  readonly renewAt: number;
  readonly endsAt: number;
}

/** The life of a token whose answer does not say, and how long before its end it is renewed, in ms. */
const defaultLife = 5 * 60_000;
const marginOf = (life: number) => Math.min(60_000, life / 5);

interface Deps extends Pick<BffDeps, 'upstream' | 'clock'> {
  send: Send;
  limits: UpstreamLimits;
  /** Where the service issues tokens. */
  row: Endpoint;
}

/** Bearer tokens of the service, one for each scope; callers that need one at the same time share one fetch. */
export function createTokens(deps: Deps): Tokens {
  const { clock } = deps;
  const cache = new Map<string, CachedToken>();
  const flights = new Map<string, Promise<CachedToken>>();

  const fetchOnce = (scope: string) => {
    const flight = flights.get(scope) ?? fetchToken(deps, scope).finally(() => flights.delete(scope));
    flights.set(scope, flight);
    return flight;
  };

  const cached = (scope: string) => {
    const have = cache.get(scope);
    return have && clock() < have.renewAt ? have.token : null;
  };

  const get = async (scope: string) => {
    const token = cached(scope);
    if (token !== null) return token;
    const have = cache.get(scope);
    try {
      const fresh = await fetchOnce(scope);
      cache.set(scope, fresh);
      return fresh.token;
    } catch (error) {
      if (have && cache.get(scope) === have && clock() < have.endsAt) return have.token;
      throw error;
    }
  };

  return {
    cached,
    get,
    async renew(scope, refused) {
      // Many calls may be refused with the same token: the first drops it, the others find the new one.
      if (cache.get(scope)?.token === refused) cache.delete(scope);
      return get(scope);
    },
  };
}

/** RFC 6749 §4.4.2, with the client's credentials in the form. */
async function fetchToken(deps: Deps, scope: string): Promise<CachedToken> {
  const { upstream, clock, send, limits, row } = deps;
  const body = {
    grant_type: 'client_credentials',
    client_id: upstream.clientId,
    client_secret: upstream.clientSecret,
    scope,
  };
  const asked = clock();
  const call = writeCall(row, { body }, upstream.baseUrl, {});
  const answer = await withDeadline(limits.token, (signal) => send('issueToken', call, signal));
  if (answer.status !== 200) throw failureOf(answer.status);
  const json = readJson(answer);
  const read = TokenAnswer.safeParse(json.ok ? json.value : null);
  if (!read.success || !isUsable(read.data)) throw badUpstream();
  const life = read.data.expires_in === undefined ? defaultLife : read.data.expires_in * 1000;
  return { token: read.data.access_token, renewAt: asked + life - marginOf(life), endsAt: asked + life };
}

/** A bearer token that can stand in a header (RFC 6750 §2.1). */
function isUsable(answer: TokenAnswer): boolean {
  return answer.token_type.toLowerCase() === 'bearer' && /^[\x21-\x7e]+$/.test(answer.access_token);
}
