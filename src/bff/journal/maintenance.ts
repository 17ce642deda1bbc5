import { sql, type Transaction } from 'kysely';
import type { Change } from '../../contract/bff/journal.ts';
import { errorFields } from '../../lib/log.ts';
import { Problem } from '../../contract/http/problem.ts';
import { deleteExpiredDrafts } from '../drafts/drafts.ts';
import type { BffTables, BffDb } from '../schema.ts';
import type { JournalDeps } from './change-request.ts';
import { findLink, lockHead, proofOf, proofOfEntry, type Head, type Mac } from './chain.ts';
import { closeEntry } from './entries.ts';
import { deleteExpiredKeys } from './idempotency.ts';
import { closingWithout, reconcileAbandoned } from './reconcile.ts';
import type { ChangeRow, JournalHeadTable } from './schema.ts';
import { hasFault, readHeadRow } from './verify.ts';
import { pause } from '../upstream/exchange.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

/**
 * Creates the maintenance: it reconciles the entries that a process left open, and every hour logs the head and deletes
 * what is too old: entries, drafts, and answers by `Idempotency-Key`. What fails keeps nothing else from being done.
 *
 * @param days how long entries are kept; forever if not given
 */
export function createMaintenance(deps: JournalDeps, days: number | undefined): () => Promise<void> {
  const { db, clock, log } = deps;
  let [deletedAt, loggedAt] = [-Infinity, -Infinity];
  let running: Promise<void> | null = null;
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      log('warn', 'journal-maintenance-failed', errorFields(error));
    }
  };
  const run = async () => {
    if (clock() - loggedAt >= hour) {
      loggedAt = clock();
      await logHead(deps);
    }
    await attempt(() => reconcileAllAbandoned(deps));
    if (clock() - deletedAt < hour) return;
    deletedAt = clock();
    await attempt(async () => {
      const passed = await readPassedTime(deps);
      await attempt(() => deleteExpiredDrafts(db, passed));
      await attempt(() => deleteExpiredKeys(deps, passed));
      if (days !== undefined) await attempt(() => prune(deps, passed - days * day));
    });
  };
  // With many entries to close it takes longer than the pause between two.
  return () => (running ??= run().finally(() => (running = null)));
}

/**
 * A time that has passed for sure, in ms since 1970, for what cannot be taken back: at most a day after the newest entry that
 * is a day old. Younger ones may be from a server that has started with a clock that is ahead.
 */
async function readPassedTime({ db, clock }: JournalDeps): Promise<number> {
  const now = clock();
  const query = db.selectFrom('journal').select((row) => row.fn.max<number | null>('at').as('at'));
  const { at } = await query.where('at', '<=', now - day).executeTakeFirstOrThrow();
  return at === null ? 0 : Math.min(now, at + day);
}

/** Writes the head of the chain to the log; see `Journal`. */
export async function logHead({ db, log }: Pick<JournalDeps, 'db' | 'log'>): Promise<void> {
  try {
    const { seq, mac } = await readHeadRow(db);
    log('info', 'journal-head', { seq, mac });
  } catch (error) {
    log('warn', 'journal-head-unknown', errorFields(error));
  }
}

async function reconcileAllAbandoned(deps: JournalDeps): Promise<void> {
  for (const entry of await findOpen(deps.db))
    await reconcileAbandoned(deps, entry).catch((error: unknown) => {
      // With a refusal, the service cannot be read right now. The next maintenance tries again, whatever it was.
      if (!(error instanceof Problem))
        deps.log('warn', 'change-not-reconciled', { entry: entry.id, ...errorFields(error) });
    });
}

/**
 * The changes without an outcome, the oldest first. With any other condition or order, SQLite would read all entries instead
 * of the index of these, which takes 90 ms of 200,000.
 */
async function findOpen(db: BffDb): Promise<ChangeRow[]> {
  const open = db.selectFrom('journal').selectAll().where('outcome', 'is', null);
  const entries = await open.$narrowType<{ operation: Change }>().execute();
  return entries.toSorted((one, other) => one.seq - other.seq);
}

async function prune(deps: JournalDeps, cutoff: number): Promise<void> {
  const { db, append, mac, clock, wait, log } = deps;
  // Nobody will find out any more what became of them, and nothing after them could be deleted.
  for (const entry of (await findOpen(db)).filter(({ at }) => at < cutoff)) {
    log('warn', 'journal-entry-stays-open', { entry: entry.id });
    await closeEntry(append, entry, { closing: closingWithout('unknown', entry), now: clock() });
  }
  const entries = await deleteOlder(db, mac, cutoff, { now: clock(), wait });
  if (entries > 0) log('info', 'journal-pruned', { entries });
}

/** Links that are deleted in one transaction, which takes 10 ms on SQLite. */
const linksAtOnce = 500;

/**
 * Deletes the beginning of the journal, up to the first entry that stays. Others have their turn between portions of it, after
 * each of which the chain is valid.
 *
 * @param cutoff ms since 1970; entries that are not closed, or begun later, stay
 * @param options `now`: ms since 1970; an entry that is from later, by a clock that was ahead, is as old as the next one
 * @returns how many entries were deleted
 */
export async function deleteOlder(
  db: BffDb,
  mac: Mac,
  cutoff: number,
  { now = Number.MAX_SAFE_INTEGER, wait = pause } = {},
): Promise<number> {
  for (let deleted = 0; ;) {
    const portion = await db.transaction().execute((tx) => deletePortion(tx, mac, cutoff, now));
    deleted += portion.deleted;
    if (portion.isLast) return deleted;
    await wait(0);
  }
}

async function deletePortion(tx: Transaction<BffTables>, mac: Mac, cutoff: number, now: number) {
  const head = await lockHead(tx, mac);
  const end = Math.min(head.seq, head.anchor_seq + linksAtOnce);
  // As one expression, so that the entries are read in their order, from the beginning.
  const isAhead = sql`(at > ${now} and exists
    (select 1 from journal as later where later.seq > journal.seq and later.at < ${cutoff}))`;
  const remains = sql<boolean>`not (outcome is not null and (at < ${cutoff} or ${isAhead}))`;
  const entries = tx.selectFrom('journal').select('seq').where('seq', '>', head.anchor_seq);
  const first = await entries
    .where('seq', '<=', end)
    .where(remains)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  const seq = first ? first.seq - 1 : end;
  const last = seq > head.anchor_seq ? await findLink(tx, head, seq) : undefined;
  // A chain with a gap is kept as it is, for people to look at.
  if (last === undefined) return { deleted: 0, isLast: true };
  await proveCrossing(tx, mac, head, seq);
  await setAnchor(tx, mac, head, { seq, mac: last });
  const { numDeletedRows } = await tx.deleteFrom('journal').where('closed_seq', '<=', seq).executeTakeFirst();
  return { deleted: Number(numDeletedRows), isLast: seq < head.anchor_seq + linksAtOnce };
}

/** Gives the changes that begin up to a link and end after it, and so stay, a proof in place of their first link. */
async function proveCrossing(tx: Transaction<BffTables>, mac: Mac, head: JournalHeadTable, seq: number) {
  // The sum keeps SQLite from finding them by the end, and so reading all that stays: 110 ms of 200,000 entries.
  const endsLater = sql<boolean>`closed_seq + 0 > ${seq}`;
  const crossing = tx.selectFrom('journal').selectAll().where('seq', '<=', seq).where(endsLater);
  for (const entry of await crossing.where('proof', 'is', null).execute()) {
    if (await hasFault(tx, mac, head, entry)) continue;
    const proof = await proofOfEntry(mac, entry);
    await tx.updateTable('journal').set({ proof }).where('id', '=', entry.id).execute();
  }
}

async function setAnchor(tx: Transaction<BffTables>, mac: Mac, head: JournalHeadTable, anchor: Head) {
  const change = {
    anchor_seq: anchor.seq,
    anchor_mac: anchor.mac,
    anchor_proof: await proofOf(mac, anchor),
    ...(head.key_id !== null && head.key_seq <= anchor.seq && { key_seq: anchor.seq, key_mac: '' }),
  };
  await tx.updateTable('journal_head').set(change).where('id', '=', 1).execute();
}
