import { maskedToken } from '../../contract/bff/access-token.ts';
import { RecordPart, type Change, type Outcome } from '../../contract/bff/journal.ts';
import { enteredFields, type UpdateBody } from '../../contract/service/subscriber-input.ts';
import { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { findSingleSignOn } from '../staff/store.ts';
import { nameInEntry, searchColumnsOf, type Append } from './chain.ts';
import type { ExpressionBuilder } from 'kysely';
import { keyLifetime } from '../../contract/http/change-headers.ts';
import type { BffTables, BffDb } from '../schema.ts';
import type { ChangeRow } from './schema.ts';
import type { ProblemCode } from '../../contract/http/problem-codes.ts';

/** The columns that are written before a change is sent. */
export type NewEntry = Omit<
  ChangeRow,
  'seq' | 'kind' | 'mac' | keyof ReturnType<typeof searchColumnsOf> | keyof typeof openColumns
>;

/** The columns that are written when the outcome of a change is known. */
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
  closed_mac: null,
  proof: null,
} as const;

/**
 * Writes the beginning of a change. The open entry is a lock across all servers: one change of a subscriber runs at a
 * time.
 *
 * @param seen the link of the last change of the same subscriber that had ended when the record was read
 * @returns null if another change came in between, so the record has to be read again
 */
export async function beginEntry(
  append: Append,
  entry: NewEntry,
  seen: number | null,
): Promise<ChangeRow | null> {
  return append(async (tx, end) => {
    const present = await readLock(tx, entry.lock_key, {
      keyHash: entry.key_hash,
      undoOf: entry.undo_of,
      now: entry.at,
    });
    if (present.isTaken || present.openId !== null || present.lastClosed !== seen) return null;
    const named = { ...entry, kind: 'change', username: nameInEntry(entry.username) } as const;
    const draft = { ...named, ...searchColumnsOf(named), ...openColumns, seq: end.next() };
    const open: ChangeRow = { ...draft, mac: await end.sign('intent', draft) };
    await tx.insertInto('journal').values(open).execute();
    end.append(open.mac);
    return open;
  });
}

/**
 * Writes the outcome of a change. One that was not made loses its `Idempotency-Key`, so that it can be used to try again.
 *
 * @returns the closed entry; if another process closed it first, as that process did
 */
export async function closeEntry(
  append: Append,
  entry: ChangeRow,
  { closing, now }: { closing: Closing; now: number },
): Promise<ChangeRow> {
  return append(async (tx, end) => {
    const { subscriberId, after, ...rest } = closing;
    const outcome = {
      ...rest,
      after: after && JSON.stringify(after),
      // The beginning covers it where it was known then.
      subscriber_id: entry.subscriber_id ?? subscriberId,
      closed_seq: end.next(),
      closed_at: now,
    };
    const closedMac = await end.sign('outcome', { ...entry, ...outcome });
    const isMade = !['failed', 'refused'].includes(closing.outcome);
    const columns = {
      ...outcome,
      closed_mac: closedMac,
      ...(!isMade && { key_hash: null, fingerprint: null }),
    };
    const open = tx.updateTable('journal').set(columns).where('id', '=', entry.id);
    const { numUpdatedRows } = await open.where('outcome', 'is', null).executeTakeFirst();
    if (numUpdatedRows === 0n) return selectChanges(tx).where('id', '=', entry.id).executeTakeFirstOrThrow();
    end.append(closedMac);
    return { ...entry, ...columns };
  });
}

/** The entries of changes; others are never open, and have no `Idempotency-Key`. */
export const selectChanges = (db: BffDb) =>
  db.selectFrom('journal').selectAll().where('kind', '=', 'change').$narrowType<{ operation: Change }>();

/** The newest change of each field of a subscriber, and the value that it gave it. */
export type NewestFields = ReadonlyMap<string, { row: LaterChange; value: unknown }>;

const laterColumns = [
  'subscriber_id',
  'closed_seq',
  'closed_at',
  'at',
  'staff_id',
  'staff_name',
  'after',
] as const;
type LaterChange = Pick<ChangeRow, (typeof laterColumns)[number]>;

/** Most later changes that are looked through, and how many are read at once. */
const later = { most: 500, atOnce: 50 } as const;

/**
 * Finds who gave fields of subscribers their newest values, by subscriber: newest first, and no more than it needs.
 *
 * @param requested the fields, by subscriber
 * @param since the link of the outcome after which changes count
 */
export async function findNewest(
  db: BffDb,
  requested: ReadonlyMap<number | null, ReadonlySet<string>>,
  since: number,
): Promise<ReadonlyMap<number | null, NewestFields>> {
  // One subscriber after the other: of several, SQLite reads all entries that there are, which takes 90 ms of 200,000.
  const found = new Map<number | null, NewestFields>();
  for (const [id, fields] of requested) found.set(id, await newestOf(db, id, fields, since));
  return found;
}

async function newestOf(
  db: BffDb,
  id: number | null,
  requested: ReadonlySet<string>,
  since: number,
): Promise<NewestFields> {
  const found = new Map<string, { row: LaterChange; value: unknown }>();
  const changes = db
    .selectFrom('journal')
    .select(laterColumns)
    // As `lockKeyOf`: the index of these has the order. Nothing but a creation has another, and that is no later change.
    .where('lock_key', '=', `s:${id}`)
    .where('outcome', '=', 'done')
    .where('closed_seq', '>', since)
    .orderBy('closed_seq', 'desc')
    .limit(later.atOnce);
  for (let [read, before] = [0, Number.MAX_SAFE_INTEGER]; read < later.most; read += later.atOnce) {
    if ([...requested].every((field) => found.has(field))) break;
    const rows = await changes.where('closed_seq', '<', before).execute();
    for (const row of rows)
      for (const [field, value] of Object.entries(parsePart(row.after) ?? {}))
        if (!found.has(field)) found.set(field, { row, value });
    if (rows.length < later.atOnce) break;
    before = rows.at(-1)?.closed_seq ?? since;
  }
  return found;
}

/** True if an entry has a key that has not expired. The key of a change that is under way never does. */
export const isUsed = (keyHash: string, now: number) => (row: ExpressionBuilder<BffTables, 'journal'>) =>
  row.and([
    row('key_hash', '=', keyHash),
    row.or([row('at', '>', now - keyLifetime), row('outcome', 'is', null)]),
  ]);

/** State of the changes with one lock key. */
interface LockState {
  /** The id of the one that is running. */
  openId: string | null;
  /** The number of the link at which the last one ended. */
  lastClosed: number | null;
  /** True if the key belongs to an earlier change, or the entry is undone already or about to be. */
  isTaken: boolean;
}

/** Reads how the changes with a lock key stand, in one statement. */
export async function readLock(
  db: BffDb,
  lockKey: string,
  given: { keyHash: string | null; undoOf: string | null; now: number },
): Promise<LockState> {
  const { openId, lastClosed, key, undo } = await db
    .selectNoFrom((row) => {
      const changes = row.selectFrom('journal');
      const undos = changes.select('id').where('undo_of', '=', given.undoOf);
      return [
        changes
          .select('id')
          .where('kind', '=', 'change')
          .where('lock_key', '=', lockKey)
          .where('outcome', 'is', null)
          .as('openId'),
        changes
          .select((each) => each.fn.max('closed_seq').as('last'))
          .where('lock_key', '=', lockKey)
          .as('lastClosed'),
        changes
          .select('id')
          .where(isUsed(given.keyHash ?? '', given.now))
          .limit(1)
          .as('key'),
        undos
          .where((each) => each.or([each('outcome', 'is', null), each('outcome', '=', 'done')]))
          .limit(1)
          .as('undo'),
      ];
    })
    .executeTakeFirstOrThrow();
  return { openId, lastClosed, isTaken: (key ?? undo) !== null };
}

/** Finds the author of a change that is done, and its time. */
export async function authorOf(db: BffDb, { staff_id, staff_name: name, closed_at, at }: LaterChange) {
  const singleSignOn = (await findSingleSignOn(db, [staff_id])).size > 0;
  return { name, singleSignOn, at: new Date(closed_at ?? at).toISOString() };
}

/** The entry of a change. */
export async function findChange(db: BffDb, id: string): Promise<ChangeRow | undefined> {
  return selectChanges(db).where('id', '=', id).executeTakeFirst();
}

/**
 * The entry of a change as it is once the database has confirmed a commit. So it is certain that there is none: the lock
 * waits for a transaction that hangs in its commit.
 */
export async function findConfirmed(append: Append, id: string): Promise<ChangeRow | null> {
  return append(async (tx) => (await findChange(tx, id)) ?? null);
}

const partFields = Object.keys(SubscriberDetail.shape).filter(
  (name) => name !== 'id',
) as (keyof RecordPart)[];

/** Only the fields that people enter, without those that the service adds. */
export function pickEntered(record: RecordPart): UpdateBody {
  return pick(record, enteredFields);
}

/** A record or a part of one, as the journal stores it: without the id, with a masked token. */
export function maskedPart<T extends RecordPart>(record: T): Omit<T, 'id'> {
  const { id: _, ...part } = { id: null, ...record };
  const { accessToken } = part;
  return { ...part, ...(accessToken !== undefined && { accessToken: maskedToken(accessToken) }) };
}

/** Parses a part of a record that the journal has stored. */
export function parsePart(text: string | null): RecordPart | null {
  return text === null ? null : RecordPart.parse(JSON.parse(text));
}

/** The fields of `second` that are given and differ from those of `first`. */
export function differing(first: RecordPart, second: RecordPart): RecordPart {
  const fields = partFields.filter(
    (field) => second[field] !== undefined && !isSame(field, first[field], second[field]),
  );
  return pick(second, fields);
}

export function pick(part: RecordPart, fields: readonly string[]): RecordPart {
  return Object.fromEntries(Object.entries(part).filter(([name]) => fields.includes(name)));
}

/** True if two values of a field are the same, ignoring how a service writes them: a time's zone, a list's order. */
export function isSame(field: keyof RecordPart, one: unknown, other: unknown): boolean {
  return one === other || comparable(field, one) === comparable(field, other);
}

function comparable(field: keyof RecordPart, value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(String).toSorted());
  const time = field === 'expiresAt' && typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? JSON.stringify(value ?? null) : String(time);
}
