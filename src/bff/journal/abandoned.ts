import { Refusal } from '../../contract/http/refusal.ts';
import type { JournalTable } from './schema.ts';
import { outcomeUnknown } from './answers.ts';
import { closeEntry } from './entries.ts';
import type { JournalParts } from './change-request.ts';
import { settle } from './reconcile.ts';

/** How long an entry is open before it has lost its process, in ms: longer than any call to the service takes. */
export const lostAfter = 20_000;

/**
 * Finds out what became of a change whose process is gone, and writes it down.
 *
 * @returns the closed entry; null where its process may still be at work
 * @throws {Refusal} `outcome-unknown` where the service cannot be read
 */
export async function settleIfLost(parts: JournalParts, entry: JournalTable): Promise<JournalTable | null> {
  const { db, mac, clock, log } = parts;
  if (clock() - entry.at <= lostAfter) return null;
  const settled = await settle(parts, entry).catch((error: unknown) => {
    throw error instanceof Refusal ? outcomeUnknown() : error;
  });
  const { closing } = settled;
  const closed = await closeEntry(db, mac, entry.id, { closing, now: clock(), sealed: null });
  log('warn', 'change-settled', {
    requestId: entry.request_id,
    entry: entry.id,
    outcome: closed.outcome,
  });
  return closed;
}
