import { createSteadyClock } from '../lib/clock.ts';

/** The time, in ms since 1970. Only the process has clock and randomness, and passes them to all other code. */
export const clock = createSteadyClock(Date.now, () => performance.now());

/**
 * Random bytes, from a stock: asking the system for a few costs as much as for thousands, and every request has an id.
 */
export function random(bytes: number): Uint8Array {
  if (bytes > stock.length) return crypto.getRandomValues(new Uint8Array(bytes));
  if (used + bytes > stock.length) {
    crypto.getRandomValues(stock);
    used = 0;
  }
  const taken = stock.slice(used, used + bytes);
  stock.fill(0, used, used + bytes);
  used += bytes;
  return taken;
}

const stock = new Uint8Array(4096);
let used = stock.length;
