import { UnusableAnswer } from './failures.ts';

/** A request upstream, as plain values that the BFF alone has chosen. */
export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Ends the exchange, its connection too. */
  readonly signal: AbortSignal;
  /** The largest body of an answer that is read, in bytes. */
  readonly maxBytes: number;
}

/** An answer that has come in whole. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * One exchange with the service, whole or not at all: no redirect is followed and nothing is unpacked.
 *
 * Rejects with `UnusableAnswer`, `TimeoutError` or, where no answer came, anything else.
 */
export type UpstreamExchange = (request: UpstreamRequest) => Promise<UpstreamAnswer>;

/** Times in ms: a whole call with all it needs, the token call within it; and the largest answer, in bytes. */
export const upstreamLimits = { total: 15_000, token: 5_000, bytes: 5 * 1024 * 1024 };
export type UpstreamLimits = typeof upstreamLimits;

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
