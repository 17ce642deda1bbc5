import type { Transaction } from 'kysely';
import { maskedToken } from '../../contract/bff/access-token.ts';
import { RecordPart, type Outcome } from '../../contract/bff/journal.ts';
import { changeHeaders, checkFingerprint, keyLifetime } from '../../contract/http/change-headers.ts';
import { sha256, sealAnswer, unsealAnswer } from '../../contract/http/crypto.ts';
import type { ProblemCode } from '../../contract/http/problem.ts';
import { enteredFields, type UpdateBody } from '../../contract/service/subscriber-input.ts';
import { SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { BffDeps } from '../deps.ts';
import type { BffTables } from '../schema.ts';
import { appendLink, lockHead, type Db, type Mac } from './chain.ts';
import type { IdempotencyKeyTable, JournalTable } from './schema.ts';

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

/** A key that is taken for a change, and the answer to remember under it. */
type KeyClaim = Pick<IdempotencyKeyTable, 'key_hash' | 'fingerprint'>;
type SealedAnswer = Pick<IdempotencyKeyTable, 'status' | 'answer'>;

/** What is remembered of one `Idempotency-Key`: its change is done once, and answered the same again. */
export interface Idempotency {
  readonly claim: KeyClaim;
  /** The row of the key, if it is known. @throws {Refusal} `key-used-before` where it came with another request */
  find(): Promise<IdempotencyKeyTable | undefined>;
  seal(answer: Response): Promise<SealedAnswer>;
  /** The remembered answer, marked as replayed; null where there is none yet or it cannot be read. */
  replay(known: IdempotencyKeyTable): Promise<Response | null>;
  /** Remembers an answer that was found out later. @returns the answer that is remembered in the end */
  remember(answer: Response): Promise<Response>;
}

type IdempotencyDeps = Pick<BffDeps, 'db' | 'clock' | 'random'> & { mac: Mac };

/** @param request the operation and its input, whose fields are in the contract's order since they were read */
export async function createIdempotency(
  { db, clock, random, mac }: IdempotencyDeps,
  key: string,
  staffId: string,
  request: unknown,
): Promise<Idempotency> {
  const claim: KeyClaim = {
    key_hash: await sha256(`${staffId}\n${key}`),
    fingerprint: await mac('fingerprint', JSON.stringify(request)),
  };
  const idempotency: Idempotency = {
    claim,
    async find() {
      const known = await findKey(db, claim.key_hash, clock());
      if (known) checkFingerprint(known.fingerprint, claim.fingerprint);
      return known;
    },
    async seal(answer) {
      const headers = [...answer.headers].filter(([name]) => rememberedHeaders.includes(name));
      const sealed = await sealAnswer(key, [headers, await answer.clone().text()], random);
      return { status: answer.status, answer: sealed };
    },
    async replay({ status, answer }) {
      if (status === null || answer === null) return null;
      // `seal` made it, so that it has this form where it can be read at all.
      const unsealed = (await unsealAnswer(key, answer)) as [[string, string][], string] | undefined;
      if (!unsealed) return null;
      const [headers, body] = unsealed;
      return new Response(body, { status, headers: [...headers, [changeHeaders.replayed, 'true']] });
    },
    async remember(answer) {
      const own = db
        .updateTable('once')
        .set(await idempotency.seal(answer))
        .where('key_hash', '=', claim.key_hash);
      await own.where('status', 'is', null).execute();
      const known = await idempotency.find();
      return (known && (await idempotency.replay(known))) ?? answer;
    },
  };
  return idempotency;
}

const rememberedHeaders = ['content-type', 'etag'];

async function findKey(db: Db, keyHash: string, now: number): Promise<IdempotencyKeyTable | undefined> {
  const query = db.selectFrom('once').selectAll().where('key_hash', '=', keyHash);
  const found = await query.executeTakeFirst();
  return found && (found.at > now - keyLifetime || found.status === null) ? found : undefined;
}

/** Stores a key with its change, and deletes the expired ones whose change is closed. */
async function storeKey(tx: Transaction<BffTables>, key: IdempotencyKeyTable): Promise<void> {
  await tx
    .deleteFrom('once')
    .where('at', '<=', key.at - keyLifetime)
    .where('entry_id', 'not in', (row) => row.selectFrom('journal').select('id').where('outcome', 'is', null))
    .execute();
  await tx.insertInto('once').values(key).execute();
}

/** Stores the answer to a change, if it came with a key. */
async function storeAnswer(tx: Transaction<BffTables>, entryId: string, sealed: SealedAnswer): Promise<void> {
  const { status, answer } = sealed;
  await tx.updateTable('once').set({ status, answer }).where('entry_id', '=', entryId).execute();
}

/** Forgets the key of a change that was not done, so that the same key can try again. */
async function deleteKey(tx: Transaction<BffTables>, entryId: string): Promise<void> {
  await tx.deleteFrom('once').where('entry_id', '=', entryId).execute();
}

const partFields = Object.keys(SubscriberDetail.shape).filter(
  (name) => name !== 'id',
) as (keyof RecordPart)[];

/** The fields that people enter, without what the service adds. */
export function pickEntered(record: RecordPart): UpdateBody {
  return pick(record, enteredFields);
}

/** A record, or a part of one, as the journal stores it: without its id, its token masked. */
export function maskedPart<T extends RecordPart>(record: T): Omit<T, 'id'> {
  const { id: _, ...part } = { id: null, ...record };
  const { accessToken } = part;
  return { ...part, ...(accessToken !== undefined && { accessToken: maskedToken(accessToken) }) };
}

/** Parses a part of a record that the journal has stored. */
export function parsePart(text: string | null): RecordPart | null {
  return text === null ? null : RecordPart.parse(JSON.parse(text));
}

/** The fields of the second that are given and differ from the first's. */
export function differing(first: RecordPart, second: RecordPart): RecordPart {
  const fields = partFields.filter(
    (field) => second[field] !== undefined && !isSame(field, first[field], second[field]),
  );
  return pick(second, fields);
}

export function pick(part: RecordPart, fields: readonly string[]): RecordPart {
  return Object.fromEntries(Object.entries(part).filter(([name]) => fields.includes(name)));
}

/** Whether a field is the same, however a service writes it: a time in another zone, a list in another order. */
export function isSame(field: keyof RecordPart, one: unknown, other: unknown): boolean {
  return comparable(field, one) === comparable(field, other);
}

function comparable(field: keyof RecordPart, value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(String).toSorted());
  const time = field === 'expiresAt' && typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? JSON.stringify(value ?? null) : String(time);
}
