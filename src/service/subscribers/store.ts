import { sql, type CompiledQuery, type Kysely, type Selectable } from 'kysely';
import type { SubscriberInput, UpdateBody } from '../../contract/service/subscriber-input.ts';
import type { ServiceTables, SubscriberTable } from '../schema.ts';
import { columnsOf, readRow, wholeColumnsOf, type Stored } from './rows.ts';

type Db = Kysely<ServiceTables>;

/** The record that a write is for, and the versions of it that the writer knows; null for whichever there is. */
export interface Target {
  id: number;
  versions: readonly number[] | null;
}

/** The status of a new subscriber: Active. */
const firstStatus = 1;

/** @throws the engine's error for a username that is taken, see `isUsernameTaken` */
export async function insertSubscriber(db: Db, input: SubscriberInput, accessToken: string): Promise<Stored> {
  const row = await db
    .insertInto('subscribers')
    .values({ ...wholeColumnsOf(input), access_token: accessToken, status_id: firstStatus })
    .returningAll()
    .executeTakeFirstOrThrow();
  return readRow(row);
}

export async function findSubscriber(
  db: Db,
  by: { id: number } | { accessToken: string },
): Promise<Stored | null> {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['access_token', by.accessToken] as const);
  const { rows } = await db.executeQuery<Selectable<SubscriberTable>>({
    ...compiledFor(db)[column],
    parameters: [value],
  });
  return rows[0] ? readRow(rows[0]) : null;
}

/** What is asked most is put into words once for each database: that takes about as long as the answer. */
function compiledFor(db: Db) {
  const { adapter } = db.getExecutor();
  const known = compiled.get(adapter);
  if (known) return known;
  const every = db.selectFrom('subscribers').selectAll();
  const fresh = {
    id: every.where('id', '=', 0).compile(),
    access_token: every.where('access_token', '=', '').compile(),
  };
  compiled.set(adapter, fresh);
  return fresh;
}

const compiled = new WeakMap<object, Record<'id' | 'access_token', CompiledQuery>>();

/**
 * Changes what the body names. Like the other writes it checks and writes in one statement, so that of two writers
 * who know the same version one wins and one is told.
 *
 * @returns null where there is no such record, or none of these versions
 * @throws the engine's error for a username that is taken, see `isUsernameTaken`
 */
export function updateSubscriber(db: Db, target: Target, input: UpdateBody): Promise<Stored | null> {
  return change(db, target, columnsOf(input));
}

/** Replaces the access token: the old one finds nothing from the moment that this returns. */
export function replaceAccessToken(db: Db, target: Target, accessToken: string): Promise<Stored | null> {
  return change(db, target, { access_token: accessToken });
}

async function change(
  db: Db,
  target: Target,
  columns: ReturnType<typeof columnsOf> | { access_token: string },
): Promise<Stored | null> {
  const row = await db
    .updateTable('subscribers')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1) }))
    .where('id', '=', target.id)
    .$if(target.versions !== null, (query) => query.where(isOneOf(target.versions ?? [])))
    .returningAll()
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** @returns the record as it last was, or null as for `updateSubscriber` */
export async function deleteSubscriber(db: Db, target: Target): Promise<Stored | null> {
  const row = await db
    .deleteFrom('subscribers')
    .where('id', '=', target.id)
    .$if(target.versions !== null, (query) => query.where(isOneOf(target.versions ?? [])))
    .returningAll()
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** Not every engine takes an empty list after IN. */
const isOneOf = (versions: readonly number[]) =>
  versions.length > 0 ? sql<boolean>`version in (${sql.join(versions)})` : sql<boolean>`1 = 0`;

/** Whether a write failed on the unique index of usernames. SQLite, in every build, and PostgreSQL name it so. */
export function isUsernameTaken(error: unknown): boolean {
  return error instanceof Error && /unique constraint.*subscribers[._]username_search/i.test(error.message);
}
