import { buildRequest } from '../../contract/client.ts';
import type { OperationInput } from '../../contract/api.ts';
import { staffApi, type Role, type StaffOperation } from '../../contract/permission.ts';
import type { BffDeps, Upstream } from '../deps.ts';
import { upstreamUnreachable } from './failures.ts';
import { createSend, upstreamLimits, within, type UpstreamAnswer, type UpstreamLimits } from './send.ts';
import { createTokens } from './token.ts';

/** On whose behalf a call goes out, and what goes with it. */
export interface Errand {
  role: Role;
  requestId: string;
  /** The version that a change is meant for. */
  ifMatch: string | null;
}

export interface Caller {
  /** Does an operation upstream. @throws {Refusal} where the service gives no answer that can be used */
  call<N extends StaffOperation>(
    operation: N,
    input: OperationInput<N>,
    errand: Errand,
  ): Promise<UpstreamAnswer>;
  /** Whether a token can be had, as a sign that the service is there. @throws {Refusal} */
  checkToken(): Promise<void>;
}

/**
 * Calls to the service. A request upstream is built from nothing: parsed values and the headers named here, so that
 * no cookie, header or spelling of the browser's request gets through.
 */
export function createCaller(
  deps: Pick<BffDeps, 'upstream' | 'clock' | 'log'> & { limits?: UpstreamLimits },
): Caller {
  const { upstream, limits = upstreamLimits } = deps;
  const send = createSend({ ...deps, limits });
  const tokens = createTokens({ ...deps, send, limits });
  return {
    async call(operation, input, errand) {
      const signal = AbortSignal.timeout(limits.total);
      const scope = scopeFor(errand.role, upstream);
      const go = (token: string) => {
        const headers = headersFor(token, errand);
        const request = buildRequest(staffApi[operation], input, upstream.baseUrl, headers, undefined);
        return send(operation, request, signal);
      };
      const token = await within(signal, tokens.get(scope), upstreamUnreachable);
      const first = await go(token);
      if (first.status !== 401) return first;
      // A 401 says that nothing was done, so even a write may go out again, once.
      return go(await within(signal, tokens.renew(scope, token), upstreamUnreachable));
    },
    async checkToken() {
      await tokens.get(scopeFor('viewer', upstream));
    },
  };
}

/** What the role needs and no more. */
function scopeFor(role: Role, { scopes }: Upstream): string {
  return role === 'viewer' ? scopes.read : `${scopes.read} ${scopes.write}`;
}

function headersFor(token: string, { requestId, ifMatch }: Errand): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    'X-Request-Id': requestId,
    ...(ifMatch !== null && { 'If-Match': ifMatch }),
  };
}
