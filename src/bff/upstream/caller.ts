import { writeCall } from '../../contract/http/client.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { extensionNames, type ExtensionName } from '../../contract/service/list-query.ts';
import type { BffDeps } from '../deps.ts';
import { startTrace, writeTraceparent } from '../request-context.ts';
import { createBreaker, type Breaker } from './breaker.ts';
import type { CallContext, Caller } from './call.ts';
import { translateCalls } from './dialect/requests.ts';
import { rowsOf } from './dialect/shape.ts';
import { upstreamLimits, type UpstreamLimits } from './exchange.ts';
import { upstreamUnreachable } from './failures.ts';
import { createRetryingSend } from './retry.ts';
import {
  createSend,
  measureCalls,
  pause,
  withDeadline,
  within,
  type Send,
  type UpstreamCall,
} from './send.ts';
import { shareReads } from './share.ts';
import { createTokens } from './token.ts';
import { addVersions } from './version.ts';

/** Calls to the service, each layer around the one before. */
export function createCaller(
  deps: Pick<BffDeps, 'upstream' | 'clock' | 'log' | 'random' | 'wait' | 'limits'> & {
    /** Gets every request that went out, once it is over. */
    onCall?: (call: UpstreamCall) => void;
  },
): Caller {
  const { upstream, limits = upstreamLimits, wait = pause, onCall = () => undefined } = deps;
  const breaker = createBreaker(deps);
  const once = measureCalls(createSend({ ...deps, limits }), deps.clock, onCall);
  const send = createRetryingSend({ ...deps, send: once, breaker, wait, limits });
  const authorized = createAuthorizedCaller({ ...deps, send, breaker, limits });
  const translated = upstream.dialect ? translateCalls(authorized, upstream.dialect) : authorized;
  return refuseUndeclared(addVersions(shareReads(translated)), upstream.extensions);
}

interface Deps extends Pick<BffDeps, 'upstream' | 'clock' | 'random'> {
  send: Send;
  breaker: Breaker;
  limits: UpstreamLimits;
}

/**
 * Calls with the role's token. A request upstream is built from parsed values and the headers named here alone, so
 * that no cookie, header or spelling of the browser's request gets through.
 */
function createAuthorizedCaller(deps: Deps): Caller {
  const { upstream, send, breaker, limits, random } = deps;
  // Each role gets the scopes that it needs and no more.
  const readScope = uniqueNames(upstream.scopes.read);
  const writeScope = uniqueNames(`${upstream.scopes.read} ${upstream.scopes.write}`);
  const rows = rowsOf(upstream.dialect);
  const tokens = createTokens({ ...deps, row: rows.issueToken });
  return {
    async call(operation, input, context) {
      // Before the token, whose one call many may wait for: nobody waits for a service that does not answer.
      breaker.check();
      const scope = context.role === 'viewer' ? readScope : writeScope;
      return withDeadline(Math.min(limits.total, context.atMost ?? limits.total), async (signal) => {
        const sendWith = (token: string) => {
          const headers = headersFor(token, context, random);
          context.onSend?.();
          return send(operation, writeCall(rows[operation], input, upstream.baseUrl, headers), signal);
        };
        const token =
          tokens.cached(scope) ?? (await within(signal, tokens.get(scope), () => upstreamUnreachable()));
        const first = await sendWith(token);
        if (first.status !== 401) return first;
        // A 401 says that nothing was done, so even a write may go out again, once.
        return sendWith(await within(signal, tokens.renew(scope, token), () => upstreamUnreachable()));
      });
    },
    async checkToken() {
      await tokens.get(readScope);
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
    ...(ifMatch !== null && { 'If-Match': ifMatch }),
  };
}

/**
 * Refuses a filter that the service does not have. It would ignore it and list everybody, and a user who asked for
 * expired trials might delete all of them.
 */
function refuseUndeclared(caller: Caller, declared: readonly ExtensionName[]): Caller {
  const missing = extensionNames.filter((name) => !declared.includes(name));
  return {
    ...caller,
    async call(operation, input, context) {
      const query = Object('query' in input ? input.query : null) as object;
      const used = missing.filter((name) => name in query);
      if (used.length === 0) return caller.call(operation, input, context);
      const errors = Object.fromEntries(used.map((name) => [name, [noFilter(name)]]));
      throw new Refusal('invalid-input', noFilter(used.join(', ')), { errors });
    },
  };
}

const noFilter = (names: string) => `The subscriber service has no filter ${names}. Leave it out.`;
