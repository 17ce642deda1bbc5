import { readChangeHeaders } from '../../contract/http/change-headers.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { OnceTable } from './schema.ts';
import { upstreamLimits } from '../upstream/exchange.ts';
import type { RequestContext, CurrentUser } from '../request-context.ts';
import { attempt } from './begin-change.ts';
import { answerLater } from './answers.ts';
import { findEntry } from './entries.ts';
import { settleIfLost } from './abandoned.ts';
import { createOnce, type Once } from './once.ts';
import { staffIdOf, type JournalParts, type Order, type Trip } from './change-request.ts';

export interface Changes {
  /**
   * Does a change exactly once, and writes down who did what.
   *
   * @param what tells one change from another where they come with the same key
   * @param makeOrder what is to be done; asked once
   */
  carry(
    what: unknown,
    makeOrder: () => Promise<Order>,
    context: RequestContext,
    user: CurrentUser,
  ): Promise<Response>;
}

/** How long a change waits for another of the same subscriber, and for its own that is under way; how often it looks. In ms. */
const patience = { others: 10_000, own: 30_000, pause: 40 } as const;

/** Changes of subscribers: one at a time for each, each with an entry, and with its key each done once. */
export function createChanges(parts: JournalParts): Changes {
  const { clock, wait } = parts;
  return {
    async carry(what, makeOrder, context, user) {
      const { key, reason } = readChangeHeaders(context.request.headers);
      const once = key === null ? null : await createOnce(parts, key, staffIdOf(user), what);
      const began = clock();
      let order: Order | null = null;
      for (;;) {
        const known = await once?.find();
        const deadline = clock() + upstreamLimits.total;
        const trip: Omit<Trip, 'order'> = { context, user, reason, once, deadline };
        const answer =
          known && once
            ? await answerKnown(parts, known, once)
            : await attempt(parts, { ...trip, order: (order ??= await makeOrder()) });
        if (answer) return answer;
        if (clock() - began > (known ? patience.own : patience.others)) throw underWay();
        await wait(patience.pause);
      }
    },
  };
}

/** What is known of a change that was sent before; null where it is still under way, or is to be tried again. */
async function answerKnown(parts: JournalParts, known: OnceTable, once: Once): Promise<Response | null> {
  const answer = await once.replay(known);
  if (answer) return answer;
  const entry = await findEntry(parts.db, known.entry_id);
  if (!entry) return null;
  const closed = entry.outcome === null ? await settleIfLost(parts, entry) : entry;
  if (!closed || closed.outcome === 'failed') return null;
  return once.remember(await answerLater(parts, closed));
}

const underWay = () =>
  new Refusal('change-under-way', 'Somebody changes the same subscriber at this moment. Try again.', {
    headers: { 'Retry-After': '5' },
  });
