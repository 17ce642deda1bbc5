import type { WrittenCall } from '../../contract/http/endpoint.ts';
import type { Log } from '../../contract/http/log.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { OperationName } from '../../contract/service/api.ts';
import { badUpstream, failureFrom, GivenUp, UnusableAnswer, upstreamTimeout } from './failures.ts';

/** A request upstream, as plain values that the BFF alone has chosen. */
export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Ends the exchange, its connection too. */
  readonly signal: AbortSignal;
  /** The largest body of an answer that is read, in bytes. */
  readonly maxBytes: number;
}

/** An answer that has come in whole. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * One exchange with the service, whole or not at all: no redirect is followed and nothing is unpacked.
 *
 * Rejects with `UnusableAnswer`, `TimeoutError` or, where no answer came, anything else.
 */
export type UpstreamExchange = (request: UpstreamRequest) => Promise<UpstreamAnswer>;

/** Times in ms: a whole call with all it needs, the token call within it; and the largest answer, in bytes. */
export const upstreamLimits = { total: 15_000, token: 5_000, bytes: 5 * 1024 * 1024 };
export type UpstreamLimits = typeof upstreamLimits;

/** Exchanges with a service that is a function in this process. */
export function exchangeByFetch(fetch: (request: Request) => Promise<Response>): UpstreamExchange {
  return async ({ url, maxBytes, ...init }) => {
    const response = await fetch(new Request(url, { ...init, redirect: 'manual' }));
    return {
      status: response.status,
      headers: response.headers,
      bytes: await readBytes(response, maxBytes),
    };
  };
}

/** The body, given up as soon as it passes the limit; leaving the loop cancels the rest. */
async function readBytes(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.byteLength;
      if (size > most) throw new UnusableAnswer('TOO_LARGE');
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof UnusableAnswer ? error : new UnusableAnswer('BROKEN_OFF', error);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @throws {Refusal} `upstream-unreachable`, `upstream-timeout` or `bad-upstream`, and nothing else */
export type Send = (
  operation: OperationName,
  call: WrittenCall,
  signal: AbortSignal,
) => Promise<UpstreamAnswer>;

/** Statuses of the contract; any other is logged. */
const usualStatuses = [200, 404, 412, 422];

/** One exchange with the service, with limits on its time and on the size of the answer; no redirect is followed. */
export function createSend(deps: {
  upstream: { exchange: UpstreamExchange };
  log: Log;
  limits: UpstreamLimits;
}): Send {
  const { upstream, log, limits } = deps;
  return async (operation, call, signal) => {
    const facts = { operation, requestId: call.headers['X-Request-Id'] ?? null };
    const request = { ...call, signal, maxBytes: limits.bytes };
    try {
      const answer = await within(signal, upstream.exchange(request), failureFrom);
      // We asked for plain bytes. Unpacking could make gigabytes of a few kilobytes.
      if (!isPlain(answer.headers)) throw badUpstream();
      const { status } = answer;
      if (!usualStatuses.includes(status)) log('warn', 'upstream-answered', { ...facts, status });
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof GivenUp) throw error;
      log('warn', 'upstream-failed', { ...facts, code: error.code, reason: reasonOf(error.cause) });
      throw error;
    }
  };
}

/**
 * Runs work whose signal is aborted after so many ms, or with a given signal. Unlike `AbortSignal.timeout`, it keeps nothing once the work is
 * done, which at thousands of calls a second would be most of the memory.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  given?: AbortSignal,
): Promise<T> {
  const deadline = new AbortController();
  const giveUp = () => deadline.abort(new GivenUp());
  if (given?.aborted) giveUp();
  given?.addEventListener('abort', giveUp, { once: true });
  const timer = setTimeout(
    () => deadline.abort(new DOMException('The service took too long.', 'TimeoutError')),
    ms,
  );
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', giveUp);
  }
}

/**
 * The promise's value, unless the signal ends first. The signal is raced as well as passed on, so that the limit also
 * holds for a service in the same process, which may not listen to it.
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
    if (signal.reason instanceof GivenUp) throw signal.reason;
    throw Object.assign(signal.aborted ? upstreamTimeout() : refusal(error), { cause: error });
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** The ordinary timer, where the caller brings no other. */
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function isPlain(headers: UpstreamAnswer['headers']): boolean {
  return ['', 'identity'].includes(headers.get('Content-Encoding')?.trim().toLowerCase() ?? '');
}

/** A code such as `ECONNREFUSED`, also of the cause. Messages are left out: they may quote anything. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unusable answer';
  return codeOf(error.cause) ?? codeOf(error) ?? error.name;
}

function codeOf(error: unknown): string | null {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : null;
}

/** One request to the service, a try or a token call, and its outcome. */
export interface UpstreamCall {
  readonly operation: OperationName;
  /** The browser's request that it was for; null for a token, which many may wait for. */
  readonly requestId: string | null;
  readonly ms: number;
  /** A class of statuses such as `2xx`, or the code of the refusal where no usable answer came. */
  readonly outcome: string;
}

/** Reports every request to the service once it is over. */
export function measureCalls(send: Send, clock: () => number, onCall: (call: UpstreamCall) => void): Send {
  return async (operation, call, signal) => {
    const started = clock();
    const end = (outcome: string) =>
      onCall({ operation, requestId: call.headers['X-Request-Id'] ?? null, ms: clock() - started, outcome });
    try {
      const answer = await send(operation, call, signal);
      end(`${Math.floor(answer.status / 100)}xx`);
      return answer;
    } catch (error) {
      end(error instanceof Refusal ? error.code : 'internal-error');
      throw error;
    }
  };
}
