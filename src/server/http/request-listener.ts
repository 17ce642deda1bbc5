import type { RequestListener, ServerResponse } from 'node:http';
import type { Peer } from '../../bff/http/context.ts';
import { getRequestListener, RequestError, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { errorFields, type Log } from '../../lib/log.ts';
import { askForHelp, Problem } from '../../contract/http/problem.ts';
import { readTraceparent } from '../../lib/trace-context.ts';
import { createClientAddress, createProxyCheck } from './client-address.ts';
import { createShares, tooManyConnections } from './connection-limits.ts';
import { swallowBody, type Refuse } from './refuse.ts';

export type Fetch = (request: Request, from: Peer) => Promise<Response>;

type Incoming = (HttpBindings | Http2Bindings)['incoming'];
type Outgoing = (HttpBindings | Http2Bindings)['outgoing'];

interface ListenerOptions {
  fetch: Fetch;
  log: Log;
  refuse: Refuse;
  /** As `createClientAddress` takes them. */
  trustedProxies: readonly string[];
  /** Most requests of one client that are under way through trusted proxies. */
  perClient: number;
}

/** Turns Node's requests into web requests for `fetch`. Refuses requests that a proxy could read differently. */
export function createRequestListener(options: ListenerOptions): RequestListener {
  const { fetch, log, refuse } = options;
  const clientAddress = createClientAddress(options.trustedProxies);
  const isProxy = createProxyCheck(options.trustedProxies);
  const takeShare = createShares(options.perClient);
  const answer = async (request: Request, incoming: Incoming, outgoing: Outgoing, address: string) => {
    const ambiguity = findAmbiguity(incoming.url ?? '', incoming.rawHeaders);
    if (ambiguity) return refuse(new Problem('bad-request', ambiguity));
    // The adapter lets hosts pass that are no address, such as 127x.0.0.1.
    if (!URL.canParse(request.url)) return refuse(unreadableAddress());
    return fetch(isFramed(incoming) ? request : withoutEmptyBody(request), {
      address,
      signal: () => signalOf(outgoing),
      // The adapter would write the error of a stream to the console.
      cutOff: () => void outgoing.destroy(),
      // Strangers must not decide what is recorded, nor under which number.
      traceContext: isProxy(incoming.socket.remoteAddress ?? '')
        ? readTraceparent(request.headers)
        : undefined,
    });
  };
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      const { remoteAddress = '' } = incoming.socket;
      const address = clientAddress(remoteAddress, request.headers.get('X-Forwarded-For') ?? undefined);
      // Most proxies pass a body on as it comes, so each request holds a connection, which others need.
      const isShared = isProxy(remoteAddress) && !isProxy(address) && !outgoing.destroyed;
      if (isShared && !takeShare(address, outgoing)) {
        // Without reading the rest: that would hold the connection.
        outgoing.setHeader('Connection', 'close');
        return refuse(tooManyConnections());
      }
      const response = await answer(request, incoming, outgoing, address);
      if (isFramed(incoming) && !incoming.complete && !incoming.destroyed) {
        // The rest of the body would be read as the next request.
        outgoing.setHeader('Connection', 'close');
        await swallowBody(incoming);
      }
      return response;
    },
    {
      errorHandler: (error) => {
        if (error instanceof RequestError) return refuse(unreadableAddress());
        log('error', 'request-failed', errorFields(error));
        return refuse(
          new Problem('internal-error', `Something went wrong on the server. Try again. ${askForHelp}`),
        );
      },
    },
  );
}

const unreadableAddress = () =>
  new Problem(
    'bad-request',
    'The path or the host of the request is not valid. Correct it and send the request again.',
  );

/**
 * Aborts when the client disconnects before it has its answer. The request's own signal would make the adapter build
 * the whole request.
 */
function signalOf(outgoing: Outgoing): AbortSignal {
  const disconnected = new AbortController();
  if (outgoing.destroyed) disconnected.abort();
  // The types of HTTP/1.1 and HTTP/2 have the event in common, but not its overloads.
  else
    (outgoing as ServerResponse).once('close', () => {
      if (!outgoing.writableFinished) disconnected.abort();
    });
  return disconnected.signal;
}

/**
 * Why a request must not be routed; null if it may. A proxy may read the first Host and we the second, or the proxy the
 * header and we the target (RFC 9112 section 3.2). Then the rules of the proxy would not apply.
 */
function findAmbiguity(target: string, rawHeaders: readonly string[]): string | null {
  if (!target.startsWith('/')) return 'The target of the request is not a path. Send only the path.';
  // We would resolve it, and a proxy that compares paths may not.
  if (dotSegment.test(target.split('?')[0] ?? ''))
    return 'The path has segments . or .. in it. Send the path that they lead to.';
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  return hosts.length === 1 ? null : 'The request has no Host header or several. Send exactly one.';
}

/** A segment that URLs resolve, however it is written (https://url.spec.whatwg.org/#double-dot-path-segment). */
const dotSegment = /(^|[/\\])(\.|%2e){1,2}([/\\]|$)/i;

/**
 * The adapter gives every request except GET, HEAD and TRACE a body, even an empty one. On the web, a request without a
 * body has `body: null`, and the check for JSON relies on it.
 */
function withoutEmptyBody(request: Request): Request {
  if (['GET', 'HEAD', 'TRACE'].includes(request.method)) return request;
  // Not earlier: the adapter creates the signal on first use.
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal });
}

/** True if a request has a body; its headers say so (RFC 9112 section 6). */
function isFramed({ headers }: Incoming): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
