import { sql, type Transaction } from 'kysely';
import { describeError } from '../../lib/log.ts';
import { isRecent } from '../../lib/recent.ts';
import { Problem } from '../../contract/http/problem.ts';
import { deleteExpiredDrafts } from '../drafts/drafts.ts';
import type { BffTables } from '../schema.ts';
import type { JournalDeps } from './change-request.ts';
import { lockHead, proofOf, proofOfLink, type Db, type EntryLink, type Head, type Mac } from './chain.ts';
import { createClockWatch } from './clock-watch.ts';
import { selectChanges } from './entries.ts';
import { deleteExpiredKeys } from './idempotency.ts';
import { reconcileAbandoned } from './reconcile.ts';
import type { JournalHeadTable } from './schema.ts';
import { readHeadRow } from './verify.ts';

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
  const watch = createClockWatch(deps);
  let [deletedAt, loggedAt] = [-Infinity, -Infinity];
  let running: Promise<void> | null = null;
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      log('warn', 'journal-maintenance-failed', describeError(error));
    }
  };
  const run = async () => {
    watch.look();
    if (!isRecent(loggedAt, clock(), hour)) {
      loggedAt = clock();
      await logHead(deps);
    }
    await attempt(() => reconcileAllAbandoned(deps));
    if (isRecent(deletedAt, clock(), hour)) return;
    deletedAt = clock();
    await attempt(async () => deleteExpiredDrafts(db, await watch.passed()));
    await attempt(async () => deleteExpiredKeys(db, await watch.passed()));
    if (days !== undefined) await attempt(async () => prune(deps, (await watch.passed()) - days * day));
  };
  // With many entries to close it takes longer than the pause between two.
  return () => (running ??= run().finally(() => (running = null)));
}

/** Writes the head of the chain to the log; see `Journal`. */
export async function logHead({ db, log }: Pick<JournalDeps, 'db' | 'log'>): Promise<void> {
  try {
    const { seq, mac } = await readHeadRow(db);
    log('info', 'journal-head', { seq, mac });
  } catch (error) {
    log('warn', 'journal-head-unknown', describeError(error));
  }
}

async function reconcileAllAbandoned(deps: JournalDeps): Promise<void> {
  const open = selectChanges(deps.db).where('outcome', 'is', null);
  for (const entry of await open.orderBy('seq').execute())
    await reconcileAbandoned(deps, entry).catch((error: unknown) => {
      // With a refusal, the service cannot be read right now. The next maintenance tries again, whatever it was.
      if (!(error instanceof Problem))
        deps.log('warn', 'change-not-reconciled', { entry: entry.id, ...describeError(error) });
    });
}

async function prune({ db, mac, clock, log }: JournalDeps, cutoff: number): Promise<void> {
  const entries = await deleteOlder(db, mac, cutoff, clock() + hour);
  if (entries > 0) log('info', 'journal-pruned', { entries });
  const open = db.selectFrom('journal').select('id').where('outcome', 'is', null).where('at', '<', cutoff);
  const [first, ...more] = await open.orderBy('seq').execute();
  if (first) log('warn', 'journal-entry-stays-open', { entry: first.id, others: more.length });
}

/** How many entries are deleted in one transaction, for which nothing else can be written to the journal. */
const batch = 200;

/**
 * Deletes the entries that were closed before the cutoff: the beginning of the journal with its links; and around an entry
 * that stays, so that it keeps nothing else, others without theirs.
 *
 * @param cutoff ms since 1970
 * @param latest after this, no entry was closed: the clock was ahead. One that says so is as old as those around it
 * @returns how many entries were deleted
 */
export async function deleteOlder(
  db: Db,
  mac: Mac,
  cutoff: number,
  latest = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  let all = 0;
  for (;;) {
    const deleted = await db.transaction().execute((tx) => deleteSome(tx, mac, { cutoff, latest }));
    if (deleted === 0) return all;
    all += deleted;
  }
}

async function deleteSome(
  tx: Transaction<BffTables>,
  mac: Mac,
  { cutoff, latest }: { cutoff: number; latest: number },
): Promise<number> {
  const head = await lockHead(tx, mac);
  const highest = tx.selectFrom('journal').select((row) => row.fn.max<number | null>('seq').as('seq'));
  const lastOld = (await highest.where('closed_at', '<', cutoff).executeTakeFirst())?.seq ?? 0;
  const isOld = sql<boolean>`closed_at is not null and (closed_at < ${cutoff} or (closed_at > ${latest} and seq <= ${lastOld}))`;
  const lowest = tx.selectFrom('journal').select((row) => row.fn.min<number | null>('seq').as('seq'));
  const firstKept = (await lowest.where(sql<boolean>`not (${isOld})`).executeTakeFirst())?.seq ?? null;
  const end = (firstKept ?? head.seq + 1) - 1;
  const link = tx.selectFrom('journal_links').select(['seq', 'mac']).where('seq', '=', end);
  const last = end > head.anchor_seq ? await link.executeTakeFirst() : null;
  // A chain with a gap is kept as it is, for people to look at.
  if (last === undefined) return 0;
  const ids = tx.selectFrom('journal').select('id').orderBy('seq');
  // The second link of such an entry comes after the end, and stays.
  const crossing = await ids.where('seq', '<=', end).where('closed_seq', '>', end).execute();
  const around = await ids
    .where('seq', '>', end)
    .where('seq', '<=', lastOld)
    .where(isOld)
    .limit(batch)
    .execute();
  await deleteWithProof(tx, mac, [...crossing, ...around]);
  const beginning = last ? await deleteBeginning(tx, mac, head, last) : 0;
  return crossing.length + around.length + beginning;
}

/** Deletes all links up to one, and their entries. */
async function deleteBeginning(
  tx: Transaction<BffTables>,
  mac: Mac,
  { key_id: keyId, key_seq: keySeq }: JournalHeadTable,
  anchor: Head,
): Promise<number> {
  const { seq } = anchor;
  const change = {
    anchor_seq: seq,
    anchor_mac: anchor.mac,
    anchor_proof: await proofOf(mac, anchor),
    ...(keyId !== null && { key_seq: Math.max(keySeq, seq) }),
  };
  await tx.updateTable('journal_head').set(change).where('id', '=', 1).execute();
  await tx.deleteFrom('journal_links').where('seq', '<=', seq).execute();
  const { numDeletedRows } = await tx.deleteFrom('journal').where('seq', '<=', seq).executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteWithProof(
  tx: Transaction<BffTables>,
  mac: Mac,
  entries: readonly { id: string }[],
): Promise<void> {
  for (const { id } of entries) {
    const links = tx.selectFrom('journal_links').selectAll().where('entry_id', '=', id);
    for (const link of await links.$narrowType<Pick<EntryLink, 'kind'>>().execute()) {
      const proof = await proofOfLink(mac, link, undefined);
      await tx.updateTable('journal_links').set({ proof }).where('seq', '=', link.seq).execute();
    }
    await tx.deleteFrom('journal').where('id', '=', id).execute();
  }
}
