import { createSteadyClock } from '../lib/clock.ts';

/** The time, in ms since 1970. Only the process has clock and randomness, and passes them to all other code. */
export const clock = createSteadyClock(Date.now, () => performance.now());

export const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));
