import type { UpstreamExchange } from './exchange.ts';
import { UnusableAnswer } from './failures.ts';

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
