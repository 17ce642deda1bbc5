import { Agent, type Dispatcher } from 'undici';
import { UnusableAnswer } from '../../bff/upstream/failures.ts';
import { upstreamLimits } from '../../bff/upstream/exchange.ts';
import { dispatcherOptions, outgoingLimits } from './outgoing.ts';

/** As those of the way to the service; in ms and bytes. */
export const anywhereLimits = { ...outgoingLimits, total: upstreamLimits.total, bytes: upstreamLimits.bytes };

export interface OutgoingAnywhere {
  fetch: (request: Request) => Promise<Response>;
  close: () => Promise<void>;
}

/** Requests to any origin, such as an OpenID provider with its several endpoints; nothing is followed, kept or unpacked. */
export function createOutgoingAnywhere(limits = anywhereLimits): OutgoingAnywhere {
  const agent = new Agent(dispatcherOptions(limits));
  return {
    async fetch(request) {
      const { origin, pathname, search } = new URL(request.url);
      const answer = await agent.request({
        origin,
        method: request.method,
        path: `${pathname}${search}`,
        headers: { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' },
        body: request.body === null ? null : new Uint8Array(await request.arrayBuffer()),
        signal: AbortSignal.any([request.signal, AbortSignal.timeout(limits.total)]),
      });
      return asResponse(answer, limits.bytes);
    },
    close: () => agent.destroy(),
  };
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
  for await (const part of body) {
    parts.push(part);
    size += part.byteLength;
    if (size > most) throw new UnusableAnswer('TOO_LARGE');
  }
  return Buffer.concat(parts, size);
}
