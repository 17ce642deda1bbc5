import type { OperationName } from '../../contract/api.ts';
import { Refusal } from '../../contract/problem.ts';
import type { BffDeps } from '../deps.ts';
import { badUpstream, failureFrom, upstreamTimeout } from './failures.ts';

/** Times in ms: a whole call with all it needs, the token call within it; and the largest answer, in bytes. */
export const upstreamLimits = { total: 15_000, token: 5_000, bytes: 5 * 1024 * 1024 };
export type UpstreamLimits = typeof upstreamLimits;

/** An answer that has come in whole. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** @throws {Refusal} `upstream-unreachable`, `upstream-timeout` or `bad-upstream`, and nothing else */
export type Send = (
  operation: OperationName,
  request: Request,
  signal: AbortSignal,
) => Promise<UpstreamAnswer>;

/** Answers that are part of the contract; all others are worth a line in the log. */
const usualStatuses = [200, 404, 412, 422];

/** One exchange with the service: no redirect is followed, no answer is waited for or read without end. */
export function createSend(deps: Pick<BffDeps, 'upstream' | 'log'> & { limits: UpstreamLimits }): Send {
  const { upstream, log, limits } = deps;
  return async (operation, request, signal) => {
    const facts = { operation, requestId: request.headers.get('X-Request-Id') };
    // A redirect would carry the bearer token wherever the answer says.
    const outgoing = new Request(request, { redirect: 'manual', signal });
    try {
      const response = await within(signal, upstream.fetch(outgoing), failureFrom);
      // Nothing but plain bytes was asked for. Unpacking could make gigabytes of a few kilobytes.
      if (!isPlain(response.headers)) {
        void response.body?.cancel().catch(() => undefined);
        throw badUpstream();
      }
      const bytes = await within(signal, readBytes(response, limits.bytes), badUpstream);
      const { status, headers } = response;
      if (!usualStatuses.includes(status)) log('warn', 'upstream-answered', { ...facts, status });
      return { status, headers, bytes };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      log('warn', 'upstream-failed', { ...facts, code: error.code, reason: reasonOf(error.cause) });
      throw error;
    }
  };
}

/**
 * What a promise brings, unless the signal ends first. The signal is raced as well as passed to the fetch, so that
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

function isPlain(headers: Headers): boolean {
  return ['', 'identity'].includes(headers.get('Content-Encoding')?.trim().toLowerCase() ?? '');
}

/** The body, given up as soon as it passes the limit; leaving the loop cancels the rest. */
async function readBytes(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > most) throw badUpstream();
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** `ECONNREFUSED` and the like, which a fetch hides a level deeper. Messages stay out: they may quote anything. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unusable answer';
  const { code } = Object(error.cause ?? error) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : error.name;
}
