/** A request upstream, as plain values: nothing of it comes from anywhere but the desk. */
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
