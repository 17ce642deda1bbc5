import type { RequestListener } from 'node:http';
import { getRequestListener, RequestError, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import type { Log } from '../../contract/http/log.ts';
import { placeOf } from '../../bff/middleware/errors.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { createClientAddress, type ClientAddress } from './client-address.ts';
import type { Refuse } from './refuse.ts';
import { swallowBody } from './swallow-body.ts';

export type Fetch = (request: Request, from: { address: string }) => Promise<Response>;

type Incoming = (HttpBindings | Http2Bindings)['incoming'];

interface ListenerOptions {
  fetch: Fetch;
  log: Log;
  refuse: Refuse;
  clientAddress?: ClientAddress;
}

/** Turns Node's requests into web ones for `fetch`, and refuses those whose address two readers could read differently. */
export function createRequestListener(options: ListenerOptions): RequestListener {
  const { fetch, log, clientAddress = createClientAddress([]), refuse } = options;
  const answer = async (request: Request, incoming: Incoming) => {
    const odd = oddity(incoming.url ?? '', incoming.rawHeaders);
    if (odd) return refuse(new Refusal('bad-request', odd));
    const forwardedFor = request.headers.get('X-Forwarded-For') ?? undefined;
    const address = clientAddress(incoming.socket.remoteAddress, forwardedFor);
    return fetch(isFramed(incoming) ? request : withoutEmptyBody(request), { address });
  };
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = await answer(request, incoming);
      if (isFramed(incoming) && !incoming.complete && !incoming.destroyed) {
        // What is left of the body would be read as the next request.
        outgoing.setHeader('Connection', 'close');
        await swallowBody(incoming);
      }
      return response;
    },
    {
      errorHandler: (error) => {
        if (error instanceof RequestError)
          return refuse(new Refusal('bad-request', 'Send a request with a plain path and host.'));
        log('error', 'request-failed', placeOf(error));
        return refuse(new Refusal('internal-error', 'Something went wrong. Try again.'));
      },
    },
  );
}

/**
 * Why a request is not to be routed at all, or null. A proxy in front may read the first Host and we the second, or
 * it the header and we the target (RFC 9112 section 3.2): then its rules would not be kept here.
 */
function oddity(target: string, rawHeaders: readonly string[]): string | null {
  if (!target.startsWith('/')) return 'Send the path alone as the target of the request.';
  const hosts = rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === 'host');
  return hosts.length === 1 ? null : 'Send one Host header.';
}

/**
 * The adapter gives every request but a GET, a HEAD and a TRACE a body, if an empty one. On the web a request that
 * brings none has `body: null`, and the guard that asks for JSON goes by it.
 */
function withoutEmptyBody(request: Request): Request {
  if (['GET', 'HEAD', 'TRACE'].includes(request.method)) return request;
  // Only here: the listener makes a signal for those alone who ask for it.
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal });
}

/** Whether a request brings a body: one that does says so (RFC 9112 section 6). */
function isFramed({ headers }: Incoming): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
