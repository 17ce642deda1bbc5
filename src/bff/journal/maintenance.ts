import { Refusal } from '../../contract/http/refusal.ts';
import { lostAfter, settleIfLost } from './abandoned.ts';
import type { JournalParts } from './change-request.ts';
import { deleteOlder } from './retention.ts';

const day = 24 * 60 * 60_000;

/** How often the journal is looked through for what is too old, in ms. */
const pruneEvery = 60 * 60_000;

/**
 * Looks after the journal: settles what a process has left open, and deletes what is older than it is kept. For the
 * host to call at its start and every minute or so; it never fails.
 *
 * @param days how long entries are kept; for ever where it is not said
 */
export function createTending(parts: JournalParts, days: number | undefined): () => Promise<void> {
  const { db, mac, clock, log } = parts;
  let prunedAt = -Infinity;
  return async () => {
    try {
      await settleLost(parts);
      if (days === undefined || clock() - prunedAt < pruneEvery) return;
      prunedAt = clock();
      const entries = await deleteOlder(db, mac, clock() - days * day);
      if (entries > 0) log('info', 'journal-pruned', { entries });
    } catch (error) {
      log('warn', 'journal-not-tended', { error: error instanceof Error ? error.name : typeof error });
    }
  };
}

async function settleLost(parts: JournalParts): Promise<void> {
  const open = parts.db.selectFrom('journal').selectAll().where('outcome', 'is', null);
  const lost = await open
    .where('at', '<', parts.clock() - lostAfter)
    .orderBy('seq')
    .execute();
  for (const entry of lost)
    await settleIfLost(parts, entry).catch((error: unknown) => {
      // The service cannot be read just now; the next time will come.
      if (!(error instanceof Refusal)) throw error;
    });
}
