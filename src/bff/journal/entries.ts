import type { Outcome, RecordPart } from '../../contract/bff/journal.ts';
import type { ProblemCode } from '../../contract/http/problem.ts';
import { appendLink, lockHead, type Mac, type Db } from './chain.ts';
import {
  deleteKey,
  findKey,
  storeAnswer,
  storeKey,
  type KeyClaim,
  type SealedAnswer,
} from './idempotency.ts';
import type { JournalTable } from './schema.ts';

/** The columns that are written before a change goes out. */
export type NewEntry = Omit<JournalTable, 'seq' | keyof typeof openColumns>;

/** What is written when the outcome of a change is known. */
export interface Closing {
  outcome: Outcome;
  code: ProblemCode | null;
  subscriberId: number | null;
  after: RecordPart | null;
  version: string | null;
}

const openColumns = {
  closed_seq: null,
  closed_at: null,
  outcome: null,
  code: null,
  after: null,
  version: null,
} as const;

/**
 * Writes that a change begins. The open entry is its lock: one change of a subscriber is under way at a time, over all
 * servers.
 *
 * @param seen the last change of the same subscriber that had ended when the record was read
 * @returns null where another change came between, so that the record has to be read again
 */
export async function beginEntry(
  db: Db,
  mac: Mac,
  entry: NewEntry,
  { seen, claim }: { seen: number | null; claim: KeyClaim | null },
): Promise<JournalTable | null> {
  return db.transaction().execute(async (tx) => {
    const head = await lockHead(tx);
    if (claim && (await findKey(tx, claim.key_hash, entry.at))) return null;
    if (await findOpen(tx, entry.lock_key)) return null;
    if ((await lastClosed(tx, entry.lock_key)) !== seen) return null;
    if (entry.undo_of !== null && (await isUndone(tx, entry.undo_of))) return null;
    const open: JournalTable = { ...entry, ...openColumns, seq: head.seq + 1 };
    await tx.insertInto('journal').values(open).execute();
    await appendLink(tx, mac, head, 'intent', open);
    if (claim) await storeKey(tx, { ...claim, entry_id: open.id, status: null, answer: null, at: open.at });
    return open;
  });
}

/**
 * Writes how a change ended, with the answer to remember under its key. The key of a change that was not done is
 * forgotten.
 *
 * @returns the closed entry; where another process came first, as that one has closed it
 */
export async function closeEntry(
  db: Db,
  mac: Mac,
  id: string,
  { closing, now, sealed }: { closing: Closing; now: number; sealed: SealedAnswer | null },
): Promise<JournalTable> {
  return db.transaction().execute(async (tx) => {
    const head = await lockHead(tx);
    const found = await tx.selectFrom('journal').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    if (found.outcome !== null) return found;
    const { subscriberId, after, ...rest } = closing;
    const closed: JournalTable = {
      ...found,
      ...rest,
      after: after && JSON.stringify(after),
      subscriber_id: subscriberId ?? found.subscriber_id,
      closed_seq: head.seq + 1,
      closed_at: now,
    };
    await tx.updateTable('journal').set(closed).where('id', '=', id).execute();
    await appendLink(tx, mac, head, 'outcome', closed);
    if (closing.outcome === 'failed') await deleteKey(tx, id);
    else if (sealed) await storeAnswer(tx, id, sealed);
    return closed;
  });
}

/** The change that is under way. */
export async function findOpen(db: Db, lockKey: string): Promise<JournalTable | undefined> {
  const query = db.selectFrom('journal').selectAll().where('lock_key', '=', lockKey);
  return query.where('outcome', 'is', null).executeTakeFirst();
}

/** The link of the chain at which the last change ended. */
export async function lastClosed(db: Db, lockKey: string): Promise<number | null> {
  const query = db.selectFrom('journal').select((row) => row.fn.max('closed_seq').as('last'));
  return (await query.where('lock_key', '=', lockKey).executeTakeFirst())?.last ?? null;
}

export async function findEntry(db: Db, id: string): Promise<JournalTable | undefined> {
  return db.selectFrom('journal').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether an entry is undone, or its undo is under way. */
async function isUndone(db: Db, id: string): Promise<boolean> {
  const query = db.selectFrom('journal').select('id').where('undo_of', '=', id);
  const undo = query.where((row) => row.or([row('outcome', 'is', null), row('outcome', '=', 'done')]));
  return (await undo.executeTakeFirst()) !== undefined;
}
