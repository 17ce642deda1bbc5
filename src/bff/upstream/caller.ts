import type { BffDeps } from '../deps.ts';
import { createAuthorizedCaller } from './authorized.ts';
import { createBreaker } from './breaker.ts';
import type { Caller } from './call.ts';
import { speakDialect } from './dialect.ts';
import { refuseUndeclared } from './extensions.ts';
import { createRetryingSend } from './retry.ts';
import { createSend, upstreamLimits, type UpstreamLimits } from './send.ts';
import { shareReads } from './share.ts';

/** Calls to the service, each layer around the one before. */
export function createCaller(
  deps: Pick<BffDeps, 'upstream' | 'clock' | 'log' | 'random' | 'wait'> & { limits?: UpstreamLimits },
): Caller {
  const { upstream, limits = upstreamLimits, wait = pause } = deps;
  const breaker = createBreaker(deps);
  const send = createRetryingSend({ ...deps, send: createSend({ ...deps, limits }), breaker, wait, limits });
  const authorized = createAuthorizedCaller({ ...deps, send, breaker, limits });
  const translated = upstream.dialect ? speakDialect(authorized, upstream.dialect) : authorized;
  return refuseUndeclared(shareReads(translated), upstream.extensions);
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
