import type { WrittenCall } from '../../contract/http/endpoint.ts';
import { Problem } from '../../contract/http/problem.ts';
import { readBytes } from '../../contract/http/router.ts';
import type { OperationName } from '../../contract/service/api.ts';
import { GivenUp, UnusableAnswer, upstreamTimeout } from './failures.ts';

/** A request to the service, in plain values that only the BFF has chosen. */
export interface UpstreamRequest extends WrittenCall {
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
 * One exchange with the service, complete or not at all. It follows no redirect. What is packed otherwise than by gzip stays so.
 *
 * Rejects with `UnusableAnswer`, with a `TimeoutError`, or with anything else if no answer came.
 */
export type UpstreamExchange = (request: OperationRequest) => Promise<UpstreamAnswer>;

/** The operation is for those who watch; the request is complete without it. */
type OperationRequest = UpstreamRequest & { readonly operation: RequestName };

/** An operation of the contract, or one of a dialect alone. */
export type RequestName = OperationName | 'listBundles';

/**
 * In ms: one of our answers with all calls that it takes, and the token call alone. In bytes: the largest list, and the
 * largest record, by itself or in a list. With all fields full of escaped characters, a record takes 350 KB.
 */
export const upstreamLimits = {
  total: 15_000,
  token: 5_000,
  bytes: 5 * 1024 * 1024,
  recordBytes: 512 * 1024,
};
export type UpstreamLimits = typeof upstreamLimits;

/** Makes an exchange from a service that is a function in this process. */
export function exchangeByFetch(fetch: (request: Request) => Promise<Response>): UpstreamExchange {
  return async ({ url, maxBytes, ...init }) => {
    const request = new Request(url, { ...init, redirect: 'manual' });
    const response = await fetch(request);
    const bytes = await readBytes(response, maxBytes, (fault, cause) =>
      fault === 'too large' ? new UnusableAnswer('TOO_LARGE') : new UnusableAnswer('BROKEN_OFF', cause),
    );
    // Used until here, because in Node a request that was collected no longer tells those who hold its signal of an abort.
    request.signal.throwIfAborted();
    return { status: response.status, headers: response.headers, bytes };
  };
}

/** Sends a call. @throws {Problem} `upstream-unreachable`, `upstream-timeout` or `bad-upstream`, and nothing else */
export type Send = (
  operation: RequestName,
  call: WrittenCall,
  signal: AbortSignal,
) => Promise<UpstreamAnswer>;

/**
 * Runs work with a signal that aborts after `ms` or with a given one, whose reason it then has. By a timer of its own: with
 * `AbortSignal.timeout` and `AbortSignal.any`, a list takes 700 µs of processor time instead of 540.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  given?: AbortSignal,
): Promise<T> {
  const deadline = new AbortController();
  const end = () => deadline.abort(given?.reason);
  if (given?.aborted) end();
  given?.addEventListener('abort', end, { once: true });
  const timer = setTimeout(
    () => deadline.abort(new DOMException('The service took too long.', 'TimeoutError')),
    ms,
  );
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', end);
  }
}

/**
 * Waits for the promise, but not longer than the signal allows. The signal is raced here although it is also passed on,
 * because a service in the same process may not listen to it.
 *
 * @param refusal makes the refusal for an error of the promise
 * @throws {Problem} `upstream-timeout` if a deadline ends it first, `GivenUp` if somebody else does
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
    throw Object.assign(signal.aborted ? endOf(signal) : refusal(error), { cause: error });
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** For `within`, where an error of the promise stays as it is. */
export const rethrow = (error: unknown): never => {
  throw error;
};

/** Waits for `ms` by the ordinary timer. */
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const endOf = ({ reason }: AbortSignal): Problem =>
  reason instanceof DOMException && reason.name === 'TimeoutError' ? upstreamTimeout() : new GivenUp();

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
  readonly operation: RequestName;
  /** The id of the browser's request; null for a token, which many requests may wait for. */
  readonly requestId: string | null;
  readonly ms: number;
  /** The class of the status, such as `2xx`, or the code of the refusal if no usable answer came; `given-up` if nobody waits. */
  readonly outcome: string;
}
