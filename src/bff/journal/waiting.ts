import { createQueues } from '../../contract/http/queue.ts';
import { Refusal } from '../../contract/http/refusal.ts';
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

/** The first and the longest pause between two looks at a change of another server, in ms, before they are spread. */
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
 * @throws {Refusal} `change-under-way` if that has taken too long, or the client has gone
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
    // By both: a slow database takes time without any pause, and a clock that is set back shows none.
    const passed = Math.max(waited, clock() - began);
    if (signal.aborted || passed > patience[inTheWay]) throw changeUnderWay(inTheWay);
    // Spread, so that those who wait for the same change at several servers do not all look at the same moment.
    const ms = most * (0.5 + fraction(random) / 2);
    waited += ms;
    most = Math.min(most * 2, pauses.longest);
    await wait(ms);
  };
}

function changeUnderWay(inTheWay: InTheWay): Refusal {
  const detail =
    inTheWay === 'own'
      ? 'This change is still running. Send it again with the same Idempotency-Key to get its answer.'
      : 'Another change to this subscriber is still running. Nothing was changed. Try again in a few seconds.';
  return new Refusal('change-under-way', detail, { headers: { 'Retry-After': '5' } });
}
