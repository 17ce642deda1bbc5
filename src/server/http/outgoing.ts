import { errors, Pool, type Dispatcher } from 'undici';
import type { UpstreamExchange, UpstreamAnswer, UpstreamRequest } from '../../bff/upstream/exchange.ts';
import { UnusableAnswer } from '../../bff/upstream/failures.ts';

/** Times in ms: for a connection, for the head of an answer, between the parts of its body. */
export const outgoingLimits = { connect: 2_000, headers: 10_000, connections: 64 };

export interface Outgoing {
  exchange: UpstreamExchange;
  close: () => Promise<void>;
}

/**
 * HTTP to one origin, over connections that are kept and reused. Certificates are always verified, whatever the
 * environment says of that.
 */
export function createOutgoing(url: string, limits = outgoingLimits): Outgoing {
  const { origin } = new URL(url);
  const pool = new Pool(origin, dispatcherOptions(limits));
  return {
    async exchange(request) {
      const target = new URL(request.url);
      if (target.origin !== origin) throw new TypeError('This is another origin.');
      return carry(pool, `${target.pathname}${target.search}`, request);
    },
    close: () => pool.destroy(),
  };
}

/** What no connection outward goes without. */
export const dispatcherOptions = (limits: typeof outgoingLimits) => ({
  connections: limits.connections,
  connect: { timeout: limits.connect, rejectUnauthorized: true },
  headersTimeout: limits.headers,
  bodyTimeout: limits.headers,
  allowH2: false,
});

/** By `dispatch`: a stream and a `Response` around twelve kilobytes would cost more than all the rest of the way. */
function carry(pool: Pool, path: string, request: UpstreamRequest): Promise<UpstreamAnswer> {
  const { method, body, signal } = request;
  const headers = { ...request.headers, 'accept-encoding': 'identity' };
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const collector = createCollector(request, resolve, reject);
    pool.dispatch({ method, path, headers, body }, collector);
  });
}

/** Puts an answer together, and gives up its connection with the signal or past the limit. */
function createCollector(
  { signal, maxBytes }: UpstreamRequest,
  resolve: (answer: UpstreamAnswer) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  const parts: Buffer<ArrayBuffer>[] = [];
  let [status, size] = [0, 0];
  let fields: Fields = {};
  let stop: ((reason: Error) => void) | null = null;
  const leave = () => {
    reject(signal.reason);
    stop?.(asError(signal.reason));
  };
  signal.addEventListener('abort', leave, { once: true });
  return {
    onRequestStart(connection) {
      stop = (reason) => connection.abort(reason);
      // It may have waited for a connection until then.
      if (signal.aborted) leave();
    },
    onResponseStart(_, statusCode, read) {
      // What comes before the answer itself (RFC 9110 section 15.2) is none.
      if (statusCode >= 200) [status, fields] = [statusCode, read];
    },
    onResponseData(connection, part) {
      size += part.byteLength;
      // undici types what it read from a socket as any memory; it is this process's own.
      if (size <= maxBytes) parts.push(part as Buffer<ArrayBuffer>);
      else connection.abort(new UnusableAnswer('TOO_LARGE'));
    },
    onResponseEnd() {
      stop = null;
      const [first] = parts;
      const bytes = first && parts.length === 1 ? first : Buffer.concat(parts, size);
      // Nobody understands a status beyond these.
      if (status > 599) reject(new UnusableAnswer('NOT_HTTP'));
      else resolve({ status, headers: { get: (name) => fieldOf(fields, name) }, bytes });
    },
    onResponseError(_, error) {
      stop = null;
      reject(failureOf(error, status > 0));
    },
  };
}

type Fields = Readonly<Record<string, string | string[] | undefined>>;

/** As the web's `Headers` have it: a field that came more than once is one, with commas. */
function fieldOf(fields: Fields, name: string): string | null {
  const value = fields[name.toLowerCase()];
  return typeof value === 'object' ? value.join(', ') : (value ?? null);
}

// A signal may be aborted with anything.
const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error('The call was given up.'));

/** What undici threw in the terms of the seam; where nothing of an answer had come, it may come back as it is. */
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
