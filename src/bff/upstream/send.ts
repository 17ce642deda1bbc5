import type { OperationName } from '../../contract/service/api.ts';
import type { WrittenCall } from '../../contract/http/client.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { badUpstream, failureFrom, upstreamTimeout } from './failures.ts';
import type { UpstreamLimits } from './limits.ts';

/** @throws {Refusal} `upstream-unreachable`, `upstream-timeout` or `bad-upstream`, and nothing else */
export type Send = (
  operation: OperationName,
  call: WrittenCall,
  signal: AbortSignal,
) => Promise<UpstreamAnswer>;

/** Answers that are part of the contract; all others are worth a line in the log. */
const usualStatuses = [200, 404, 412, 422];

/** One exchange with the service: no redirect is followed, no answer is waited for or read without end. */
export function createSend(deps: Pick<BffDeps, 'upstream' | 'log'> & { limits: UpstreamLimits }): Send {
  const { upstream, log, limits } = deps;
  return async (operation, call, signal) => {
    const facts = { operation, requestId: call.headers['X-Request-Id'] ?? null };
    const request = { ...call, signal, maxBytes: limits.bytes };
    try {
      const answer = await within(signal, upstream.exchange(request), failureFrom);
      // Nothing but plain bytes was asked for. Unpacking could make gigabytes of a few kilobytes.
      if (!isPlain(answer.headers)) throw badUpstream();
      const { status } = answer;
      if (!usualStatuses.includes(status)) log('warn', 'upstream-answered', { ...facts, status });
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      log('warn', 'upstream-failed', { ...facts, code: error.code, reason: reasonOf(error.cause) });
      throw error;
    }
  };
}

/**
 * What a promise brings, unless the signal ends first. The signal is raced as well as passed on, so that
 * the time holds for a service in the same process too, which may not listen to it.
 */
export async function within<T>(
  signal: AbortSignal,
  promise: Promise<T>,
  refusal: (error: unknown) => Refusal,
): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([promise, ended.promise]);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw Object.assign(signal.aborted ? upstreamTimeout() : refusal(error), { cause: error });
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function isPlain(headers: UpstreamAnswer['headers']): boolean {
  return ['', 'identity'].includes(headers.get('Content-Encoding')?.trim().toLowerCase() ?? '');
}

/** `ECONNREFUSED` and the like, which may stand a level deeper. Messages stay out: they may quote anything. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unusable answer';
  return codeOf(error.cause) ?? codeOf(error) ?? error.name;
}

function codeOf(error: unknown): string | null {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : null;
}
