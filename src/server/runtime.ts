import { createSteadyClock } from '../lib/clock.ts';

/** The time, in ms since 1970. Only the process has clock and randomness, and passes them to all other code. */
export const clock = createSteadyClock(Date.now, () => performance.now());

/** Random bytes. They are drawn many at once: a draw each took 7 % of the processor time of a list. */
export function random(bytes: number): Uint8Array {
  if (bytes > drawn.length) return crypto.getRandomValues(new Uint8Array(bytes));
  if (bytes > drawn.length - used) {
    crypto.getRandomValues(drawn);
    used = 0;
  }
  used += bytes;
  return drawn.slice(used - bytes, used);
}

const drawn = new Uint8Array(4096);
let used = drawn.length;
