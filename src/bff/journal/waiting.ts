import { createQueues } from '../../lib/queue.ts';
import { Problem } from '../../contract/http/problem.ts';
import { fraction } from '../upstream/retry.ts';
import type { JournalDeps } from './change-request.ts';

/** What a change waits for: another change of the same subscriber, or an earlier request with its own key. */
type InTheWay = 'others' | 'own';

/** How long it waits, in ms. */
const patience = { others: 10_000, own: 30_000 } as const;

/**
 * How many changes of a subscriber wait at this server, and how many requests with the same `Idempotency-Key`. Of a
 * hundred scripts at one subscriber, most are better told to come again.
 */
const mostWaiting = { others: 20, own: 50 } as const;

/** The first and the longest pause between two tries, in ms. Between two looks at a change of another server, spread. */
const pauses = { first: 40, longest: 1000 } as const;

/** Queues of changes at this server: one for each subscriber, and one for each `Idempotency-Key`. */
export const createChangeQueues = () => ({
  subscribers: createQueuesFor('others'),
  keys: createQueuesFor('own'),
});

const createQueuesFor = (inTheWay: InTheWay) =>
  createQueues({
    atOnce: 1,
    mostWaiting: mostWaiting[inTheWay],
    patience: patience[inTheWay],
    refusal: () => changeUnderWay(inTheWay),
  });

/**
 * Waits a while for a change that is in the way at another server, each time longer.
 *
 * @throws {Problem} `change-under-way` if that has taken too long, or the client has gone
 */
export type WaitLonger = (inTheWay: InTheWay) => Promise<void>;

export function createWaiting(
  { clock, wait, random }: Pick<JournalDeps, 'clock' | 'wait' | 'random'>,
  signal: AbortSignal,
): WaitLonger {
  const began = clock();
  let waited = 0;
  let most: number = pauses.first;
  return async (inTheWay) => {
    // By both: a slow database takes time without any pause.
    const passed = Math.max(waited, clock() - began);
    if (signal.aborted || passed > patience[inTheWay]) throw changeUnderWay(inTheWay);
    // Spread, so that those who wait for the same change at several servers do not all look at the same moment.
    const ms = most * (0.5 + fraction(random) / 2);
    waited += ms;
    most = Math.min(most * 2, pauses.longest);
    await wait(ms);
  };
}

function changeUnderWay(inTheWay: InTheWay): Problem {
  const detail =
    inTheWay === 'own'
      ? 'This change is still running. Send it again with the same Idempotency-Key to get its answer.'
      : 'Another change to this subscriber is still running. Nothing was changed. Try again in a few seconds.';
  return new Problem('change-under-way', detail, { headers: { 'Retry-After': '5' } });
}

/**
 * Tries again what is refused: a database that is replaced by another is back soon, and nobody else may finish a change
 * before it counts as abandoned.
 *
 * @param until the moment after which nothing is tried again, in ms since 1970
 * @throws why it was refused last
 */
export async function insist<T>(
  { clock, wait }: Pick<JournalDeps, 'clock' | 'wait'>,
  until: number,
  work: () => Promise<T>,
): Promise<T> {
  const began = clock();
  let waited = 0;
  for (let pause: number = pauses.first; ; pause = Math.min(pause * 2, pauses.longest)) {
    try {
      return await work();
    } catch (error) {
      const passed = Math.max(waited, clock() - began);
      if (!(error instanceof Problem) || passed >= until - began) throw error;
    }
    waited += pause;
    await wait(pause);
  }
}
