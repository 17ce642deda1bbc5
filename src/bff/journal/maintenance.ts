import type { Transaction } from 'kysely';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffTables } from '../schema.ts';
import { lockHead, proofOf, type Mac, type Db } from './chain.ts';
import type { JournalDeps } from './change-request.ts';
import { abandonedAfter, reconcileAbandoned } from './reconcile.ts';

const day = 24 * 60 * 60_000;

/** How often old entries are deleted, in ms. */
const deleteEvery = 60 * 60_000;

/**
 * Reconciles the entries that a process has left open, and deletes those that are older than the journal is kept.
 *
 * @param days how long entries are kept; for ever where it is not given
 */
export function createMaintenance(deps: JournalDeps, days: number | undefined): () => Promise<void> {
  const { db, mac, clock, log } = deps;
  let deletedAt = -Infinity;
  return async () => {
    try {
      await reconcileAllAbandoned(deps);
      if (days === undefined || clock() - deletedAt < deleteEvery) return;
      deletedAt = clock();
      const entries = await deleteOlder(db, mac, clock() - days * day);
      if (entries > 0) log('info', 'journal-pruned', { entries });
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      log('warn', 'journal-maintenance-failed', { error: name });
    }
  };
}

async function reconcileAllAbandoned(deps: JournalDeps): Promise<void> {
  const open = deps.db.selectFrom('journal').selectAll().where('outcome', 'is', null);
  const abandoned = await open
    .where('at', '<', deps.clock() - abandonedAfter)
    .orderBy('seq')
    .execute();
  for (const entry of abandoned)
    await reconcileAbandoned(deps, entry).catch((error: unknown) => {
      // The service cannot be read just now: the next maintenance tries again.
      if (!(error instanceof Refusal)) throw error;
    });
}

/**
 * Deletes the oldest part of the journal: links from the first on, and the entries that these cover whole. It ends
 * before the first entry that is still open or was closed after the cutoff.
 *
 * @param cutoff ms since 1970
 * @returns how many entries were deleted
 */
export async function deleteOlder(db: Db, mac: Mac, cutoff: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const head = await lockHead(tx);
    const seq = await lastToDelete(tx, cutoff, head.seq);
    if (seq <= head.anchor_seq) return 0;
    const link = tx.selectFrom('journal_links').select(['seq', 'mac']).where('seq', '=', seq);
    const anchor = await link.executeTakeFirst();
    // A chain with a gap is left for people to look at.
    if (!anchor) return 0;
    const change = { anchor_seq: seq, anchor_mac: anchor.mac, anchor_proof: await proofOf(mac, anchor) };
    await tx.updateTable('journal_head').set(change).where('id', '=', 1).execute();
    await tx.deleteFrom('journal_links').where('seq', '<=', seq).execute();
    const { numDeletedRows } = await tx.deleteFrom('journal').where('seq', '<=', seq).executeTakeFirst();
    return Number(numDeletedRows);
  });
}

async function lastToDelete(tx: Transaction<BffTables>, cutoff: number, end: number): Promise<number> {
  const kept = tx
    .selectFrom('journal')
    .select((row) => row.fn.min('seq').as('seq'))
    .where((row) => row.or([row('closed_at', 'is', null), row('closed_at', '>=', cutoff)]));
  let last = ((await kept.executeTakeFirst())?.seq ?? end + 1) - 1;
  for (;;) {
    // An old entry that was closed only after a newer one had begun stays, with all that comes after its beginning.
    const crossing = tx
      .selectFrom('journal')
      .select((row) => row.fn.min('seq').as('seq'))
      .where('seq', '<=', last)
      .where('closed_seq', '>', last);
    const seq = (await crossing.executeTakeFirst())?.seq ?? null;
    if (seq === null) return last;
    last = seq - 1;
  }
}
