import type { WrittenCall } from '../../contract/http/endpoint.ts';
import type { Log } from '../../lib/log.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { OperationName } from '../../contract/service/api.ts';
import { badUpstream, failureFrom, GivenUp, UnusableAnswer, upstreamTimeout } from './failures.ts';

/** A request to the service, in plain values that only the BFF has chosen. */
export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Ends the exchange and its connection. */
  readonly signal: AbortSignal;
  /** The largest body that is read, in bytes. */
  readonly maxBytes: number;
}

/** A complete answer of the service. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * One exchange with the service, complete or not at all. It follows no redirect and unpacks nothing.
 *
 * Rejects with `UnusableAnswer`, with a `TimeoutError`, or with anything else if no answer came.
 */
export type UpstreamExchange = (request: OperationRequest) => Promise<UpstreamAnswer>;

/** The operation is for those who watch; the request is complete without it. */
type OperationRequest = UpstreamRequest & { readonly operation: OperationName };

/** In ms: a whole call with its token and retries, and the token call alone. In bytes: the largest answer. */
export const upstreamLimits = { total: 15_000, token: 5_000, bytes: 5 * 1024 * 1024 };
export type UpstreamLimits = typeof upstreamLimits;

/** Makes an exchange from a service that is a function in this process. */
export function exchangeByFetch(fetch: (request: Request) => Promise<Response>): UpstreamExchange {
  return async ({ url, maxBytes, ...init }) => {
    const request = new Request(url, { ...init, redirect: 'manual' });
    const response = await fetch(request);
    const bytes = await readBytes(response, maxBytes);
    // Used until here, because in Node a request that was collected no longer tells those who hold its signal of an abort.
    request.signal.throwIfAborted();
    return { status: response.status, headers: response.headers, bytes };
  };
}

/** Reads the body, and gives up as soon as it passes the limit. By a reader: Safari cannot iterate over a stream. */
async function readBytes(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body?.getReader();
  const next = () =>
    reader?.read().catch((cause: unknown) => {
      throw new UnusableAnswer('BROKEN_OFF', cause);
    });
  let size = 0;
  for (let read = await next(); read?.value; read = await next()) {
    size += read.value.byteLength;
    if (size > most) {
      await reader?.cancel();
      throw new UnusableAnswer('TOO_LARGE');
    }
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Sends a call. @throws {Problem} `upstream-unreachable`, `upstream-timeout` or `bad-upstream`, and nothing else */
export type Send = (
  operation: OperationName,
  call: WrittenCall,
  signal: AbortSignal,
) => Promise<UpstreamAnswer>;

/** The statuses of the contract. Others are logged. */
const usualStatuses = [200, 404, 412, 422];

/** Makes `Send` from an exchange: with limits of time and size, errors as refusals, and failures in the log. */
export function createSend(deps: {
  upstream: { exchange: UpstreamExchange };
  log: Log;
  limits: UpstreamLimits;
  /** The code of the problem in an answer, if it is one of ours. */
  readCode: (answer: UpstreamAnswer) => string | null;
}): Send {
  const { upstream, log, limits } = deps;
  return async (operation, call, signal) => {
    const facts = { operation, requestId: call.headers['X-Request-Id'] ?? null };
    const request = { ...call, operation, signal, maxBytes: limits.bytes };
    try {
      const answer = await within(signal, upstream.exchange(request), failureFrom);
      // We asked for plain bytes: unpacking could turn a few kilobytes into gigabytes.
      if (!isPlain(answer.headers)) throw badUpstream();
      const { status } = answer;
      if (!usualStatuses.includes(status)) {
        const code = deps.readCode(answer);
        log('warn', 'upstream-answered', { ...facts, status, ...(code !== null && { code }) });
      }
      return answer;
    } catch (error) {
      if (!(error instanceof Problem) || error instanceof GivenUp) throw error;
      log('warn', 'upstream-failed', { ...facts, code: error.code, reason: reasonOf(error.cause) });
      throw error;
    }
  };
}

/**
 * Runs work with a signal that is aborted after `ms`, or by a given signal. Unlike `AbortSignal.timeout`, it keeps nothing
 * in memory after the work is done, which matters at thousands of calls a second.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  given?: AbortSignal,
): Promise<T> {
  const deadline = new AbortController();
  // A longer work's own deadline says as much about the service as this one.
  const giveUp = () => deadline.abort(isTimeout(given?.reason) ? given?.reason : new GivenUp());
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

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/**
 * Waits for the promise, but not longer than the signal allows. The signal is raced here although it is also passed on,
 * because a service in the same process may not listen to it.
 *
 * @param refusal makes the refusal for an error of the promise
 * @throws {Problem} `upstream-timeout` if the signal ends first
 */
export async function within<T>(
  signal: AbortSignal,
  promise: Promise<T>,
  refusal: (error: unknown) => Problem,
): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([promise, ended.promise]);
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (signal.reason instanceof GivenUp) throw signal.reason;
    throw Object.assign(signal.aborted ? upstreamTimeout() : refusal(error), { cause: error });
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Waits for `ms` by the ordinary timer. */
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function isPlain(headers: UpstreamAnswer['headers']): boolean {
  return ['', 'identity'].includes(headers.get('Content-Encoding')?.trim().toLowerCase() ?? '');
}

/** The code of an error or of its cause, such as `ECONNREFUSED`. Never the message, which may quote anything. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unusable answer';
  return codeOf(error.cause) ?? codeOf(error) ?? error.name;
}

function codeOf(error: unknown): string | null {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : null;
}

/** One request to the service and its outcome. Each retry and each token call is one. */
export interface UpstreamCall {
  readonly operation: OperationName;
  /** The id of the browser's request; null for a token, which many requests may wait for. */
  readonly requestId: string | null;
  readonly ms: number;
  /** The class of the status, such as `2xx`, or the code of the refusal if no usable answer came; `given-up` if nobody waits. */
  readonly outcome: string;
}

/** Reports each request to the service after it has ended. */
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
      if (error instanceof GivenUp) end('given-up');
      else end(error instanceof Problem ? error.code : 'internal-error');
      throw error;
    }
  };
}
