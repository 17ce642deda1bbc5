import type { Readable } from 'node:stream';

/** Bytes and milliseconds up to which a body that nobody wants is waited for. */
const patience = { bytes: 1024 * 1024, time: 500 } as const;

/**
 * Reads away what is left of a body before its request is answered: a socket that is closed with bytes unread is
 * reset, and the sender may lose the answer. Settles when the body has ended or it is not worth waiting longer.
 */
export function swallowBody(incoming: Readable): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const stop = () => {
      clearTimeout(timer);
      incoming.off('data', take);
      for (const event of ['end', 'close', 'error']) incoming.off(event, stop);
      resolve();
    };
    const take = (part: Uint8Array) => {
      bytes += part.byteLength;
      // Whoever read the beginning may have stopped the stream.
      if (bytes <= patience.bytes) incoming.resume();
      else stop();
    };
    const timer = setTimeout(stop, patience.time);
    incoming.on('data', take);
    for (const event of ['end', 'close', 'error']) incoming.on(event, stop);
    incoming.resume();
  });
}
