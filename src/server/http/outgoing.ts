import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, errors, Pool, type Dispatcher } from 'undici';
import type { Upstream } from '../../bff/http/bff.ts';
import { isExcessive } from '../../bff/upstream/body-limits.ts';
import { upstreamLimits, type UpstreamExchange, type UpstreamRequest } from '../../bff/upstream/exchange.ts';
import { UnusableAnswer } from '../../bff/upstream/failures.ts';
import type { UpstreamConfig } from '../config/config.ts';

/** Milliseconds for a connection, for the head of an answer and between the parts of its body. */
export const outgoingLimits = { connect: 2_000, headers: 10_000, connections: 64 };

/** A service elsewhere, as the BFF calls it. It has the extensions that its dialect declares. */
export function connectUpstream(config: UpstreamConfig): { upstream: Upstream; close: () => Promise<void> } {
  const { url, clientId, clientSecret, scopes, dialect } = config;
  const { exchange, close } = createOutgoing(url, outgoingLimits, dialect?.http2);
  const extensions = dialect?.extensions ?? [];
  const upstream = { exchange, baseUrl: url, clientId, clientSecret, scopes, extensions };
  return { upstream: dialect ? { ...upstream, dialect } : upstream, close };
}

/**
 * HTTP to one origin over connections that are kept and reused. Always verifies certificates, whatever the environment
 * says.
 */
export function createOutgoing(url: string, limits = outgoingLimits, http2 = false) {
  const { origin, protocol } = new URL(url);
  // The type of a pool lacks the second, which a pool takes all the same.
  const http2Options = { allowH2: http2, useH2c: http2 && protocol === 'http:' };
  const pool = new Pool(origin, { ...dispatcherOptions(limits), ...http2Options });
  return {
    exchange: async (request: UpstreamRequest): ReturnType<UpstreamExchange> => {
      const target = new URL(request.url);
      if (target.origin !== origin) throw new TypeError('This is another origin.');
      const { status, fields, bytes } = await dispatch(pool, target, request);
      const packing = fieldOf(fields, 'Content-Encoding')?.trim().toLowerCase();
      if (packing !== 'gzip') return { status, headers: { get: (name) => fieldOf(fields, name) }, bytes };
      const { 'content-encoding': _, ...others } = fields;
      // Some say so of an answer without a body, such as a 204.
      const unpacked = bytes.length === 0 ? bytes : await unpack(bytes, request.maxBytes);
      return { status, headers: { get: (name) => fieldOf(others, name) }, bytes: unpacked };
    },
    close: () => pool.destroy(),
  };
}

const gunzipAsync = promisify(gunzip);

/** Unpacks what a service packed although it was asked not to, up to the limit of an answer. */
async function unpack(bytes: Uint8Array, maxOutputLength: number): Promise<Buffer<ArrayBuffer>> {
  try {
    return await gunzipAsync(bytes, { maxOutputLength });
  } catch (cause) {
    const { code } = Object(cause) as { code?: unknown };
    throw new UnusableAnswer(code === 'ERR_BUFFER_TOO_LARGE' ? 'TOO_LARGE' : 'BROKEN_OFF', cause);
  }
}

const dispatcherOptions = (limits: typeof outgoingLimits) => ({
  connections: limits.connections,
  connect: { timeout: limits.connect, rejectUnauthorized: true },
  headersTimeout: limits.headers,
  bodyTimeout: limits.headers,
  allowH2: false,
});

/** An answer that has come in whole, with its header fields as undici reads them. */
interface RawAnswer {
  status: number;
  fields: Fields;
  bytes: Buffer<ArrayBuffer>;
}

/** undici's `dispatch`: a stream and a `Response` for each answer would cost more than the rest of the request. */
function dispatch(dispatcher: Dispatcher, target: URL, request: UpstreamRequest): Promise<RawAnswer> {
  const { method, body, signal } = request;
  const headers = { ...request.headers, 'accept-encoding': 'identity' };
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const collector = createCollector(request, resolve, reject);
    const path = `${target.pathname}${target.search}`;
    dispatcher.dispatch({ origin: target.origin, method, path, headers, body }, collector);
  });
}

/** Collects an answer; aborts its connection on the signal or when the answer passes the limit. */
function createCollector(
  { signal, maxBytes }: UpstreamRequest,
  resolve: (answer: RawAnswer) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  const parts: Buffer<ArrayBuffer>[] = [];
  let [status, size] = [0, 0];
  let fields: Fields = {};
  let stop: ((reason: Error) => void) | null = null;
  const abort = () => {
    reject(signal.reason);
    stop?.(asError(signal.reason));
  };
  signal.addEventListener('abort', abort, { once: true });
  return {
    onRequestStart(connection) {
      stop = (reason) => connection.abort(reason);
      // The request may have waited for a connection until now.
      if (signal.aborted) abort();
    },
    onResponseStart(_, statusCode, read) {
      // Informational answers come before the final one (RFC 9110 section 15.2).
      if (statusCode >= 200) [status, fields] = [statusCode, read];
    },
    onResponseData(connection, part) {
      size += part.byteLength;
      // undici's type allows shared memory; what it read from a socket is not shared.
      if (size <= maxBytes) parts.push(part as Buffer<ArrayBuffer>);
      else connection.abort(new UnusableAnswer('TOO_LARGE'));
    },
    onResponseEnd() {
      stop = null;
      const [first] = parts;
      const bytes = first && parts.length === 1 ? first : Buffer.concat(parts, size);
      // No such status is defined.
      if (status > 599) reject(new UnusableAnswer('NOT_HTTP'));
      else resolve({ status, fields, bytes });
    },
    onResponseError(_, error) {
      stop = null;
      reject(failureOf(error, status > 0));
    },
  };
}

type Fields = Readonly<Record<string, string | string[] | undefined>>;

/** Like the web's `Headers`: a field that came more than once is joined with commas. */
function fieldOf(fields: Fields, name: string): string | null {
  const value = fields[name.toLowerCase()];
  return typeof value === 'object' ? value.join(', ') : (value ?? null);
}

// A signal's reason can be any value.
const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error('The call was given up.'));

/** undici's error in the terms of `UpstreamExchange`; before any part of an answer it may stay as it is. */
function failureOf(error: Error, begun: boolean): unknown {
  if (isOneOf(error, [errors.HeadersTimeoutError, errors.BodyTimeoutError]))
    return new DOMException('The service took too long.', 'TimeoutError');
  if (isOneOf(error, notHttp)) return new UnusableAnswer('NOT_HTTP', error);
  return begun && !(error instanceof UnusableAnswer) ? new UnusableAnswer('BROKEN_OFF', error) : error;
}

const notHttp = [
  errors.HTTPParserError,
  errors.HeadersOverflowError,
  errors.ResponseContentLengthMismatchError,
];

const isOneOf = (error: Error, kinds: readonly (new (...args: never[]) => Error)[]) =>
  kinds.some((kind) => error instanceof kind);

/** Milliseconds, and bytes of an answer. */
export const outgoingFetchLimits = {
  ...outgoingLimits,
  total: upstreamLimits.total,
  bytes: 256 * 1024,
};

/** Requests to any origin, such as the endpoints of an OpenID provider. Follows no redirect, keeps no cookie, unpacks nothing. */
export function createOutgoingFetch(limits = outgoingFetchLimits) {
  const agent = new Agent(dispatcherOptions(limits));
  const send = async (request: Request): Promise<Response> => {
    const { status, fields, bytes } = await dispatch(agent, new URL(request.url), {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? null : await request.text(),
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(limits.total)]),
      maxBytes: limits.bytes,
    });
    // The OpenID library parses it whole.
    if (isExcessive(bytes)) throw new UnusableAnswer('TOO_LARGE');
    const headers = Object.entries(fields).flatMap(([name, value]) =>
      [value ?? []].flat().map((text): [string, string] => [name, text]),
    );
    return new Response([204, 205, 304].includes(status) ? null : bytes, { status, headers });
  };
  return { fetch: send, close: () => agent.destroy() };
}
