import { type AnyCall, type Endpoint, writeCall } from '../../contract/http/endpoint.ts';
import { invalidInput, Problem } from '../../contract/http/problem.ts';
import { api, isChange } from '../../contract/service/api.ts';
import { resolveTimes } from '../../contract/service/times.ts';
import { filterExtensions, type ExtensionName } from '../../contract/service/list-rules.ts';
import type { TokenAnswer } from '../../contract/service/token.ts';
import type { BffDeps } from '../deps.ts';
import { createMac } from '../journal/chain.ts';
import { doneStatuses, readBundles, readProblemCode, readReply } from './answer.ts';
import { withOperations, type CallContext, type Caller } from './call.ts';
import { completeAnswers, translateCalls } from './dialect/requests.ts';
import { rowsOf } from './dialect/shape.ts';
import {
  withDeadline,
  pause,
  upstreamLimits,
  within,
  type RequestName,
  type Send,
  type UpstreamCall,
  type UpstreamLimits,
} from './exchange.ts';
import { findExpiryRanges } from './expiry-range.ts';
import { badUpstream, failureOf, RefusedByService, upstreamUnreachable } from './failures.ts';
import { addVersions, shareReads } from './reads.ts';
import {
  breakerLimits,
  createBreaker,
  createRetryingSend,
  isDown,
  type Breaker,
  createSend,
} from './send.ts';
import { startTrace, writeTraceparent } from '../../lib/trace-context.ts';

/** Creates the client of the service: layers of calls, each around the one before. */
export function createCaller(
  deps: Pick<
    BffDeps,
    'upstream' | 'clock' | 'log' | 'random' | 'wait' | 'limits' | 'journalKey' | 'createHmac'
  > & {
    /** Called after each request to the service. */
    onCall?: (call: UpstreamCall) => void;
  },
): Caller {
  const { upstream, limits = upstreamLimits, wait = pause, onCall = () => undefined } = deps;
  const breaker = createBreaker(deps, () => authorized.isUp());
  const once = createSend({ ...deps, limits, onCall });
  const send = createRetryingSend({ ...deps, send: once, breaker, wait, limits });
  const authorized = createAuthorizedCaller({ ...deps, once, send, breaker, limits });
  const translated = upstream.dialect ? translateCalls(authorized, upstream.dialect) : authorized;
  const shared = addVersions(
    shareReads(resolveOnSend(completeAnswers(translated), deps)),
    createMac(deps.journalKey, null, deps.createHmac),
  );
  const hasRanges = rangeNames.every((name) => upstream.extensions.includes(name));
  const ranged = hasRanges ? shared : findExpiryRanges(shared, deps);
  return refuseUndeclared(limitReads(ranged, limits), upstream.extensions);
}

const rangeNames = ['ExpiresFrom', 'ExpiresTo'] as const satisfies readonly ExtensionName[];

/**
 * Ends a read in time, whatever calls it is made of. Around the sharing of reads, so that it ends the waiting of one caller
 * and leaves the others theirs. A change has that of the journal, which then finds out what it did.
 */
function limitReads(caller: Caller, { total }: UpstreamLimits): Caller {
  return {
    ...caller,
    call(operation, input, context) {
      if (isChange(api[operation])) return caller.call(operation, input, context);
      const read = (signal: AbortSignal) => caller.call(operation, input, { ...context, signal });
      return withDeadline(Math.min(total, context.atMost ?? total), read, context.signal);
    },
  };
}

/** Sends relative moments as instants. Below the sharing of reads, because no two instants are the same. */
function resolveOnSend(caller: Caller, { clock }: Pick<BffDeps, 'clock'>): Caller {
  return withOperations(caller, {
    listSubscribers: ({ query }, context) =>
      caller.call('listSubscribers', { query: resolveTimes(query, clock()) }, context),
  });
}

interface Deps extends Pick<BffDeps, 'upstream' | 'clock' | 'random'> {
  /** Without the breaker, for what it asks itself. */
  once: Send;
  send: Send;
  breaker: Breaker;
  limits: UpstreamLimits;
}

/**
 * Calls the service with a token for the role. The request is built only from parsed values and the headers named here,
 * so no cookie, header or spelling of the browser's request gets through.
 */
function createAuthorizedCaller(deps: Deps): Caller & { isUp: () => Promise<boolean> } {
  const { upstream, once, send, breaker, limits, random } = deps;
  // Each role gets only the scopes that it needs.
  const readScope = uniqueNames(upstream.scopes.read);
  const writeScope = uniqueNames(`${upstream.scopes.read} ${upstream.scopes.write}`);
  const rows = rowsOf(upstream.dialect);
  const tokens = createTokens({ ...deps, row: rows.issueToken });
  const request = (
    operation: Exclude<RequestName, 'issueToken'>,
    input: AnyCall,
    context: CallContext,
    by: Send = send,
  ) => {
    const scope = context.role === 'viewer' ? readScope : writeScope;
    const work = async (signal: AbortSignal) => {
      const sendWith = (token: string) => {
        const headers = headersFor(token, context, random);
        context.onSend?.();
        return by(operation, writeCall(rows[operation], input, upstream.baseUrl, headers), signal);
      };
      const token = await within(signal, tokens.get(scope), () => upstreamUnreachable());
      let answer = await sendWith(token);
      // A 401 says that nothing was changed, so even a change may be sent once more.
      if (answer.status === 401)
        answer = await sendWith(
          await within(signal, tokens.renew(scope, token), () => upstreamUnreachable()),
        );
      return answer;
    };
    return withDeadline(Math.min(limits.total, context.atMost ?? limits.total), work, context.signal);
  };
  const checked: typeof request = async (...call) => {
    // Before the token: otherwise many callers wait for one token call to a service that does not answer.
    await breaker.enter();
    return request(...call);
  };
  const { bundles } = upstream.dialect ?? {};
  /** A gateway that finds no service may say so as a service does of a subscriber. Then the list is not there, either. */
  const expectService = async (context: CallContext) => {
    const input = { query: { Page: 1, PageSize: 1 } };
    const { status } = await checked('listSubscribers', input, { ...context, ifMatch: null });
    if (!doneStatuses.includes(status)) throw new RefusedByService(status, failureOf(status));
  };
  return {
    async call(operation, input, context) {
      const answer = await checked(operation, input, context);
      const isUnsure = operation === 'getSubscriber' && answer.status === 404;
      if (isUnsure && readProblemCode(answer) === null) await expectService(context);
      return readReply(operation, input, answer, upstream.dialect);
    },
    listBundles: bundles
      ? async (context) => readBundles(await checked('listBundles', {}, context), bundles)
      : null,
    async checkToken() {
      await tokens.get(readScope);
    },
    async isUp() {
      const context = { role: 'viewer', requestId: 'breaker', atMost: breakerLimits.answer } as const;
      try {
        return !isDown(await request('listSubscribers', { query: { PageSize: 1 } }, context, once));
      } catch (error) {
        return error instanceof Problem && error.code === 'bad-upstream';
      }
    },
  };
}

const uniqueNames = (names: string) => [...new Set(names.split(' '))].join(' ');

function headersFor(
  token: string,
  { requestId, ifMatch, traceContext }: CallContext,
  random: BffDeps['random'],
): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    'X-Request-Id': requestId,
    traceparent: writeTraceparent(traceContext ?? startTrace(random), random),
    ...(ifMatch != null && { 'If-Match': ifMatch }),
  };
}

/**
 * Refuses a filter that the service does not have. The service would ignore it and list everyone, and a user who
 * filtered for trials might delete all subscribers.
 */
function refuseUndeclared(caller: Caller, declared: readonly ExtensionName[]): Caller {
  const missing = filterExtensions.filter(
    (name) => !declared.includes(name) && !rangeNames.some((range) => range === name),
  );
  return withOperations(caller, {
    async listSubscribers(input, context) {
      const used = missing.filter((name) => input.query[name] !== undefined);
      if (used.length === 0) return caller.call('listSubscribers', input, context);
      throw invalidInput(Object.fromEntries(used.map((name) => [name, [noFilter]])));
    },
  });
}

const noFilter = 'The subscriber service does not have this filter. Remove it.';

interface CachedToken {
  readonly token: string;
  /** When a new token is fetched. If that fails, this one is used until `endsAt`. In ms since 1970. */
  readonly renewAt: number;
  readonly endsAt: number;
}

/** The life of a token if the service does not say, and how long before its end it is renewed, in ms. */
const defaultLife = 5 * 60_000;
const marginOf = (life: number) => Math.min(60_000, life / 5);

interface TokenDeps extends Pick<BffDeps, 'upstream' | 'clock'> {
  send: Send;
  limits: UpstreamLimits;
  /** The row of the operation that issues tokens. */
  row: Endpoint;
}

/** Caches the service's bearer tokens, one for each scope. Callers that need one at the same time share one fetch. */
function createTokens(deps: TokenDeps) {
  const { clock } = deps;
  const cache = new Map<string, CachedToken>();
  const flights = new Map<string, Promise<CachedToken>>();

  const fetchOnce = (scope: string) => {
    const flight = flights.get(scope) ?? fetchToken(deps, scope).finally(() => flights.delete(scope));
    flights.set(scope, flight);
    return flight;
  };

  /** The cached token or a new one. @throws {Problem} if the service gives none */
  const get = async (scope: string): Promise<string> => {
    const have = cache.get(scope);
    if (have && clock() < have.renewAt) return have.token;
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
    get,
    /** A token other than the one that the service refused. @throws {Problem} as `get` */
    renew(scope: string, refused: string) {
      // The service may refuse the same token to many calls: the first one drops it, the others find the new one.
      if (cache.get(scope)?.token === refused) cache.delete(scope);
      return get(scope);
    },
  };
}

/** Fetches a token (RFC 6749 section 4.4.2). */
async function fetchToken(deps: TokenDeps, scope: string): Promise<CachedToken> {
  const { upstream, clock, send, limits, row } = deps;
  const { clientId, clientSecret } = upstream;
  const { credentials = 'form', scopes = 'spaces', audience } = upstream.dialect?.token ?? {};
  const body = {
    grant_type: 'client_credentials',
    scope: scopes === 'commas' ? scope.replaceAll(' ', ',') : scope,
    audience,
    ...(credentials === 'form' && { client_id: clientId, client_secret: clientSecret }),
  };
  const began = clock();
  // RFC 6749 section 2.3.1 encodes both before the colon joins them.
  const encoded = [clientId, clientSecret].map((text) => encodeURIComponent(text)).join(':');
  const headers = credentials === 'basic' ? { Authorization: `Basic ${btoa(encoded)}` } : {};
  const call = writeCall(row, { body }, upstream.baseUrl, headers);
  const answer = await withDeadline(limits.token, (signal) => send('issueToken', call, signal));
  if (answer.status !== 200) throw failureOf(answer.status);
  const { data } = readReply('issueToken', {}, answer);
  if (!isUsable(data)) throw badUpstream();
  const life = data.expires_in === undefined ? defaultLife : data.expires_in * 1000;
  return { token: data.access_token, renewAt: began + life - marginOf(life), endsAt: began + life };
}

/** True for a bearer token that fits into a header (RFC 6750 section 2.1). */
function isUsable(answer: TokenAnswer): boolean {
  return answer.token_type.toLowerCase() === 'bearer' && /^[\x21-\x7e]+$/.test(answer.access_token);
}
