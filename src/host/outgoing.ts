import { Agent, errors, Pool, type Dispatcher } from 'undici';
import { UnusableAnswer } from '../bff/upstream/failures.ts';
import { upstreamLimits } from '../bff/upstream/send.ts';

/** Times in ms: for a connection, for the head of an answer, between its parts, in all; the largest body in bytes. */
export const outgoingLimits = {
  connect: 2_000,
  headers: 10_000,
  total: upstreamLimits.total,
  bytes: upstreamLimits.bytes,
  connections: 64,
};

export interface Outgoing {
  /** One exchange, as `Upstream.fetch` has it: whole or not at all, and nothing followed, kept or unpacked. */
  fetch: (request: Request) => Promise<Response>;
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
    async fetch(request) {
      if (new URL(request.url).origin !== origin) throw new TypeError('This is another origin.');
      return exchange(pool, request, limits);
    },
    close: () => pool.destroy(),
  };
}

/** The same to any origin: an OpenID provider may have its endpoints at several. */
export function createOutgoingAnywhere(limits = outgoingLimits): Outgoing {
  const agent = new Agent(dispatcherOptions(limits));
  return { fetch: (request) => exchange(agent, request, limits), close: () => agent.destroy() };
}

const dispatcherOptions = (limits: typeof outgoingLimits) => ({
  connections: limits.connections,
  connect: { timeout: limits.connect, rejectUnauthorized: true },
  headersTimeout: limits.headers,
  bodyTimeout: limits.headers,
  allowH2: false,
});

async function exchange(
  dispatcher: Dispatcher,
  request: Request,
  limits: typeof outgoingLimits,
): Promise<Response> {
  const { origin, pathname, search } = new URL(request.url);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limits.total)]);
  try {
    const answer = await dispatcher.request({
      origin,
      method: request.method,
      path: `${pathname}${search}`,
      headers: { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' },
      body: request.body === null ? null : new Uint8Array(await request.arrayBuffer()),
      signal,
    });
    return await asResponse(answer, limits.bytes);
  } catch (error) {
    throw failureOf(error);
  }
}

async function asResponse(answer: Dispatcher.ResponseData, most: number): Promise<Response> {
  const { statusCode: status, headers, body } = answer;
  const bytes = await readAll(body, most);
  // What the web's Response cannot hold is no answer that anybody understands.
  if (status < 200 || status > 599) throw new UnusableAnswer('NOT_HTTP');
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): [string, string] => [name, text]),
  );
  return new Response([204, 205, 304].includes(status) ? null : bytes, { status, headers: fields });
}

/** Given up as soon as it passes the limit; leaving the loop ends the connection. */
async function readAll(body: Dispatcher.ResponseData['body'], most: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      size += part.byteLength;
      if (size > most) throw new UnusableAnswer('TOO_LARGE');
    }
  } catch (error) {
    const failure = failureOf(error);
    throw failure === error ? new UnusableAnswer('BROKEN_OFF', error) : failure;
  }
  return Buffer.concat(parts, size);
}

/** What undici threw in the terms of the seam; what has none comes back as it is. */
function failureOf(error: unknown): unknown {
  if (error instanceof UnusableAnswer) return new UnusableAnswer(error.code, error.cause);
  if (isOneOf(error, [errors.HeadersTimeoutError, errors.BodyTimeoutError]) || isTimeout(error))
    return new DOMException('The service took too long.', 'TimeoutError');
  return isOneOf(error, notHttp) ? new UnusableAnswer('NOT_HTTP', error) : error;
}

const notHttp = [
  errors.HTTPParserError,
  errors.HeadersOverflowError,
  errors.ResponseContentLengthMismatchError,
];

const isOneOf = (error: unknown, kinds: readonly (new (...args: never[]) => Error)[]) =>
  kinds.some((kind) => error instanceof kind);

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError';
