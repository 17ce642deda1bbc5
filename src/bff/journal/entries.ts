import type { ProblemCode } from '../../contract/http/problem.ts';
import { keyLifetime } from '../../contract/http/sealed-answer.ts';
import type { Outcome, RecordPart } from '../../contract/bff/journal.ts';
import type { JournalTable, OnceTable } from './schema.ts';
import type { BffTables } from '../schema.ts';
import { appendLink, takeHead, type Db } from './chain.ts';
import type { Mac } from './mac.ts';
import type { Transaction } from 'kysely';

/** What is written before a change goes out. */
export type Draft = Omit<JournalTable, 'seq' | keyof typeof open>;

/** What is written when its outcome is known. */
export interface Closing {
  outcome: Outcome;
  code: ProblemCode | null;
  subscriberId: number | null;
  after: RecordPart | null;
  version: string | null;
}

/** A claim to a key, and the answer to remember under it. */
export type Claim = Pick<OnceTable, 'key_hash' | 'fingerprint'>;
export type Sealed = Pick<OnceTable, 'status' | 'answer'>;

const open = {
  closed_seq: null,
  closed_at: null,
  outcome: null,
  code: null,
  after: null,
  version: null,
} as const;

/**
 * Writes that a change begins. The open entry is its lock: over all replicas one change of a subscriber is under way.
 *
 * @param seen the last change of the same subscriber that had ended when the record was read
 * @returns null where something came between, so that the record has to be looked at again
 */
export async function beginEntry(
  db: Db,
  mac: Mac,
  draft: Draft,
  { seen, claim }: { seen: number | null; claim: Claim | null },
): Promise<JournalTable | null> {
  return db.transaction().execute(async (tx) => {
    const head = await takeHead(tx);
    if (claim && (await findClaim(tx, claim.key_hash, draft.at))) return null;
    if (await findOpen(tx, draft.lock_key)) return null;
    if ((await lastClosed(tx, draft.lock_key)) !== seen) return null;
    if (draft.undo_of !== null && (await isUndone(tx, draft.undo_of))) return null;
    const entry: JournalTable = { ...draft, ...open, seq: head.seq + 1 };
    await tx.insertInto('journal').values(entry).execute();
    await appendLink(tx, mac, head, 'intent', entry);
    if (claim)
      await keepClaim(tx, { ...claim, entry_id: entry.id, status: null, answer: null, at: entry.at });
    return entry;
  });
}

/**
 * Writes how a change ended, with the answer to remember under its key. What was not done is not remembered, so that
 * the same key can try again.
 *
 * @returns the entry as it stands then; where another process came first, as that one has closed it
 */
export async function closeEntry(
  db: Db,
  mac: Mac,
  id: string,
  { closing, now, sealed }: { closing: Closing; now: number; sealed: Sealed | null },
): Promise<JournalTable> {
  return db.transaction().execute(async (tx) => {
    const head = await takeHead(tx);
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
    const claims = (change: 'kept' | 'dropped') =>
      change === 'dropped'
        ? tx.deleteFrom('once').where('entry_id', '=', id)
        : tx
            .updateTable('once')
            .set({ ...sealed })
            .where('entry_id', '=', id);
    if (closing.outcome === 'failed') await claims('dropped').execute();
    else if (sealed) await claims('kept').execute();
    return closed;
  });
}

/** The change that is under way. */
export async function findOpen(db: Db, lockKey: string): Promise<JournalTable | undefined> {
  const query = db.selectFrom('journal').selectAll().where('lock_key', '=', lockKey);
  return query.where('outcome', 'is', null).executeTakeFirst();
}

/** The place in the chain at which the last change ended. */
export async function lastClosed(db: Db, lockKey: string): Promise<number | null> {
  const query = db.selectFrom('journal').select((row) => row.fn.max('closed_seq').as('last'));
  return (await query.where('lock_key', '=', lockKey).executeTakeFirst())?.last ?? null;
}

export async function findEntry(db: Db, id: string): Promise<JournalTable | undefined> {
  return db.selectFrom('journal').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether an entry was taken back, or is about to be. */
async function isUndone(db: Db, id: string): Promise<boolean> {
  const query = db.selectFrom('journal').select('id').where('undo_of', '=', id);
  const undo = query.where((row) => row.or([row('outcome', 'is', null), row('outcome', '=', 'done')]));
  return (await undo.executeTakeFirst()) !== undefined;
}

export async function findClaim(db: Db, keyHash: string, now: number): Promise<OnceTable | undefined> {
  const query = db.selectFrom('once').selectAll().where('key_hash', '=', keyHash);
  const found = await query.executeTakeFirst();
  return found && (found.at > now - keyLifetime || found.status === null) ? found : undefined;
}

/** Keeps a claim, and forgets those that are too old. */
async function keepClaim(tx: Transaction<BffTables>, claim: OnceTable): Promise<void> {
  await tx
    .deleteFrom('once')
    .where('at', '<=', claim.at - keyLifetime)
    .where('entry_id', 'not in', (row) => row.selectFrom('journal').select('id').where('outcome', 'is', null))
    .execute();
  await tx.insertInto('once').values(claim).execute();
}
