import { writeCall } from '../../contract/http/client.ts';
import type { BffDeps } from '../deps.ts';
import { startTrace, writeTraceparent } from '../middleware/trace-context.ts';
import type { Breaker } from './breaker.ts';
import type { Caller, Errand } from './call.ts';
import { rowsOf } from './dialect/rows.ts';
import { withDeadline } from './deadline.ts';
import { upstreamUnreachable } from './failures.ts';
import type { UpstreamLimits } from './limits.ts';
import { within, type Send } from './send.ts';
import { createTokens } from './token.ts';

interface Deps extends Pick<BffDeps, 'upstream' | 'clock' | 'random'> {
  send: Send;
  breaker: Breaker;
  limits: UpstreamLimits;
}

/**
 * Calls with the role's token. A request upstream is built from nothing: parsed values and the headers named here,
 * so that no cookie, header or spelling of the browser's request gets through.
 */
export function createAuthorizedCaller(deps: Deps): Caller {
  const { upstream, send, breaker, limits, random } = deps;
  // What a role needs and no more.
  const reading = eachOnce(upstream.scopes.read);
  const changing = eachOnce(`${upstream.scopes.read} ${upstream.scopes.write}`);
  const rows = rowsOf(upstream.dialect);
  const tokens = createTokens({ ...deps, row: rows.issueToken });
  return {
    async call(operation, input, errand) {
      // Before the token, whose one call many may wait for: nobody waits for a service that does not answer.
      breaker.check();
      const scope = errand.role === 'viewer' ? reading : changing;
      return withDeadline(Math.min(limits.total, errand.atMost ?? limits.total), async (signal) => {
        const go = (token: string) => {
          const headers = headersFor(token, errand, random);
          errand.onSend?.();
          return send(operation, writeCall(rows[operation], input, upstream.baseUrl, headers), signal);
        };
        const token =
          tokens.held(scope) ?? (await within(signal, tokens.get(scope), () => upstreamUnreachable()));
        const first = await go(token);
        if (first.status !== 401) return first;
        // A 401 says that nothing was done, so even a write may go out again, once.
        return go(await within(signal, tokens.renew(scope, token), () => upstreamUnreachable()));
      });
    },
    async checkToken() {
      await tokens.get(reading);
    },
  };
}

const eachOnce = (names: string) => [...new Set(names.split(' '))].join(' ');

function headersFor(
  token: string,
  { requestId, ifMatch, context }: Errand,
  random: BffDeps['random'],
): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    'X-Request-Id': requestId,
    traceparent: writeTraceparent(context ?? startTrace(random), random),
    ...(ifMatch !== null && { 'If-Match': ifMatch }),
  };
}
