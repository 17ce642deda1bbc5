import { createQueues } from '../../lib/queue.ts';
import { Problem } from '../../contract/http/problem.ts';
import { fraction } from '../upstream/send.ts';
import type { JournalDeps } from './change-request.ts';

/** Obstacle to a change: another change of the same subscriber, or an earlier request with its own key. */
type InTheWay = 'others' | 'own';

/** Most time that it waits, in ms. */
const patience = { others: 10_000, own: 30_000 } as const;

/**
 * Most changes of a subscriber that wait at this server, and most requests with the same `Idempotency-Key`. Of a
 * hundred scripts at one subscriber, most are better told to come again.
 */
const mostWaiting = { others: 20, own: 50 } as const;

/** The first and the longest pause between two tries, in ms. */
const pauseLimits = { first: 40, longest: 1000 } as const;

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

export function createWaiting(deps: WaitDeps, signal: AbortSignal): WaitLonger {
  const pauses = createPauses(deps);
  return async (inTheWay) => {
    if (signal.aborted || pauses.passed() > patience[inTheWay]) throw changeUnderWay(inTheWay);
    await pauses.next();
  };
}

type WaitDeps = Pick<JournalDeps, 'clock' | 'wait' | 'random'>;

/** Pauses that get longer, spread so that those who wait for the same at several servers do not all look at once. */
function createPauses({ clock, wait, random }: WaitDeps) {
  const began = clock();
  let waited = 0;
  let most: number = pauseLimits.first;
  return {
    /** Time that has passed, in ms, by clock and by pauses: a slow database takes time without any pause. */
    passed: () => Math.max(waited, clock() - began),
    async next() {
      const ms = most * (0.5 + fraction(random) / 2);
      waited += ms;
      most = Math.min(most * 2, pauseLimits.longest);
      await wait(ms);
    },
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
 * @param deadline in ms since 1970; after it nothing is tried again
 * @throws the last refusal
 */
export async function retryUntil<T>(deps: WaitDeps, deadline: number, work: () => Promise<T>): Promise<T> {
  const longest = deadline - deps.clock();
  const pauses = createPauses(deps);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || pauses.passed() >= longest) throw error;
    }
    await pauses.next();
  }
}
