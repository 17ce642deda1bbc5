import { writeCall } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/endpoint.ts';
import { TokenAnswer } from '../../contract/service/token.ts';
import type { BffDeps } from '../deps.ts';
import { withDeadline } from './deadline.ts';
import { badUpstream, failureOf } from './failures.ts';
import type { UpstreamLimits } from './limits.ts';
import { readJson } from './read-json.ts';
import type { Send } from './send.ts';

export interface Tokens {
  /** A token that is good for a while, where one is at hand. */
  held(scope: string): string | null;
  /** The same, fetched if need be. @throws {Refusal} where none can be had */
  get(scope: string): Promise<string>;
  /** Another token than the one that the service refused. */
  renew(scope: string, refused: string): Promise<string>;
}

interface Held {
  readonly token: string;
  /** From then on a new one is fetched; until `endsAt` this one still serves if that fails. */
  readonly renewAt: number;
  readonly endsAt: number;
}

/** The life of a token that does not say, and how long before its end one is renewed, in ms. */
const unsaidLife = 5 * 60_000;
const marginOf = (life: number) => Math.min(60_000, life / 5);

interface Deps extends Pick<BffDeps, 'upstream' | 'clock'> {
  send: Send;
  limits: UpstreamLimits;
  /** Where the service issues tokens. */
  row: Endpoint;
}

/** Bearer tokens of the service, one for each scope, fetched once however many ask (single flight). */
export function createTokens(deps: Deps): Tokens {
  const { clock } = deps;
  const held = new Map<string, Held>();
  const flights = new Map<string, Promise<Held>>();

  const fetchOnce = (scope: string) => {
    const flight = flights.get(scope) ?? fetchToken(deps, scope).finally(() => flights.delete(scope));
    flights.set(scope, flight);
    return flight;
  };

  const tokenAtHand = (scope: string) => {
    const have = held.get(scope);
    return have && clock() < have.renewAt ? have.token : null;
  };

  const get = async (scope: string) => {
    const atHand = tokenAtHand(scope);
    if (atHand !== null) return atHand;
    const have = held.get(scope);
    try {
      const fresh = await fetchOnce(scope);
      held.set(scope, fresh);
      return fresh.token;
    } catch (error) {
      if (have && held.get(scope) === have && clock() < have.endsAt) return have.token;
      throw error;
    }
  };

  return {
    held: tokenAtHand,
    get,
    async renew(scope, refused) {
      // Many calls may come back refused with one token: the first of them drops it, the others find its heir.
      if (held.get(scope)?.token === refused) held.delete(scope);
      return get(scope);
    },
  };
}

/** RFC 6749 §4.4.2, with the client's credentials in the form. */
async function fetchToken(deps: Deps, scope: string): Promise<Held> {
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
  const life = read.data.expires_in === undefined ? unsaidLife : read.data.expires_in * 1000;
  return { token: read.data.access_token, renewAt: asked + life - marginOf(life), endsAt: asked + life };
}

/** A bearer token that can stand in a header (RFC 6750 §2.1). */
function isUsable(answer: TokenAnswer): boolean {
  return answer.token_type.toLowerCase() === 'bearer' && /^[\x21-\x7e]+$/.test(answer.access_token);
}
