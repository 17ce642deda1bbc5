import type { BffDeps } from '../deps.ts';
import { createAuthorizedCaller } from './authorized.ts';
import { createBreaker } from './breaker.ts';
import type { Caller } from './call.ts';
import { speakDialect } from './dialect.ts';
import { refuseUndeclared } from './extensions.ts';
import { upstreamLimits } from './limits.ts';
import { measureCalls, type UpstreamCall } from './measure.ts';
import { createRetryingSend } from './retry.ts';
import { createSend } from './send.ts';
import { shareReads } from './share.ts';
import { addVersions } from './version.ts';

/** Calls to the service, each layer around the one before. */
export function createCaller(
  deps: Pick<BffDeps, 'upstream' | 'clock' | 'log' | 'random' | 'wait' | 'limits'> & {
    /** Is told of every request that went out. */
    tell?: (call: UpstreamCall) => void;
  },
): Caller {
  const { upstream, limits = upstreamLimits, wait = pause, tell = () => undefined } = deps;
  const breaker = createBreaker(deps);
  const once = measureCalls(createSend({ ...deps, limits }), deps.clock, tell);
  const send = createRetryingSend({ ...deps, send: once, breaker, wait, limits });
  const authorized = createAuthorizedCaller({ ...deps, send, breaker, limits });
  const translated = upstream.dialect ? speakDialect(authorized, upstream.dialect) : authorized;
  return refuseUndeclared(addVersions(shareReads(translated)), upstream.extensions);
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
