import type { RequestListener } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Log } from '../bff/bff.ts';
import { problemAnswer, Refusal } from '../contract/problem.ts';

export type Fetch = (request: Request, from: { address: string }) => Promise<Response>;

/** Turns Node's requests into web ones for `fetch`, and refuses those whose address two readers could read differently. */
export function createRequestListener({ fetch, log }: { fetch: Fetch; log: Log }): RequestListener {
  return getRequestListener(
    async (request, { incoming }) => {
      const odd = oddity(incoming.url ?? '', incoming.rawHeaders);
      if (odd) return refuse(odd);
      return fetch(withoutEmptyBody(request), { address: incoming.socket.remoteAddress ?? 'unknown' });
    },
    {
      errorHandler: (error) => {
        if (error instanceof RequestError) return refuse('Send a request with a plain path and host.');
        log('error', 'request-failed', { error });
        return problemAnswer(new Refusal('internal-error', 'Something went wrong. Try again.'), newId());
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
 * The adapter gives every POST and DELETE a body, if an empty one. On the web a request that brings none has
 * `body: null`, and the guard that asks for JSON goes by it. What brings one says so (RFC 9112 section 6).
 */
function withoutEmptyBody(request: Request): Request {
  const { method, headers, signal } = request;
  const framed = headers.has('Transfer-Encoding') || Number(headers.get('Content-Length') ?? 0) > 0;
  if (framed || !['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) return request;
  return new Request(request.url, { method, headers, signal });
}

function refuse(sentence: string): Response {
  return problemAnswer(new Refusal('bad-request', sentence), newId());
}

const newId = () => crypto.randomUUID();
