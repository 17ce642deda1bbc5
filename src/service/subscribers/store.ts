import { sql, type CompiledQuery, type Selectable } from 'kysely';
import { foldText, searchText } from '../../contract/service/search-text.ts';
import type { SubscriberInput, UpdateBody } from '../../contract/service/subscriber-input.ts';
import { listNames, type ListName } from '../../contract/service/limits.ts';
import type { Subscriber, SubscriberWithLists } from '../../contract/service/subscriber.ts';
import type { Bit, SubscriberTable, ServiceDb } from '../schema.ts';
import { addressKeys } from './values.ts';

/** The record to write, and the versions of it that may be written; null for any version. */
export interface Target {
  id: number;
  versions: readonly number[] | null;
}

/** The status of a new subscriber: Active. */
const firstStatus = 1;

/** @throws the engine's error if the username is taken; see `isUsernameTaken` */
export function insertSubscriber(db: ServiceDb, input: SubscriberInput, accessToken: string): Promise<Row> {
  return db
    .insertInto('subscribers')
    .values({ ...wholeColumnsOf(input), access_token: accessToken, status_id: firstStatus })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findSubscriber(
  db: ServiceDb,
  by: { id: number } | { accessToken: string },
): Promise<Row | undefined> {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['access_token', by.accessToken] as const);
  const { rows } = await db.executeQuery<Row>({ ...compiledFor(db)[column], parameters: [value] });
  return rows[0];
}

/** The most frequent queries, compiled once for each database, because compiling takes about as long as the query. */
function compiledFor(db: ServiceDb) {
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
 * Changes the fields that are given, or replaces the access token: once this returns, the old one finds nothing. Like a deletion, it
 * checks the version and writes in one statement, so of two writers with the same version only one succeeds.
 *
 * @returns undefined if there is no such record, or it has none of the versions
 * @throws the engine's error if the username is taken; see `isUsernameTaken`
 */
export function updateSubscriber(
  db: ServiceDb,
  { id, versions }: Target,
  change: UpdateBody | { newToken: string },
): Promise<Row | undefined> {
  const columns = 'newToken' in change ? { access_token: change.newToken } : columnsOf(change);
  return db
    .updateTable('subscribers')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .$if(versions !== null, (query) => query.where(isOneOf(versions ?? [])))
    .returningAll()
    .executeTakeFirst();
}

/** @returns the record as it last was; undefined as for `updateSubscriber` */
export function deleteSubscriber(db: ServiceDb, { id, versions }: Target): Promise<Row | undefined> {
  return db
    .deleteFrom('subscribers')
    .where('id', '=', id)
    .$if(versions !== null, (query) => query.where(isOneOf(versions ?? [])))
    .returningAll()
    .executeTakeFirst();
}

/** Not every engine takes an empty list after IN. */
const isOneOf = (versions: readonly number[]) =>
  versions.length > 0 ? sql<boolean>`version in (${sql.join(versions)})` : sql<boolean>`1 = 0`;

/**
 * True if a write failed because of the unique index of usernames. PostgreSQL names it in a field of the error, as its message may
 * be in any language; SQLite names its column.
 */
export function isUsernameTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('constraint' in error) return error.constraint === 'subscribers_username_search';
  return /unique constraint.*subscribers\.username_search/i.test(error.message);
}

export type Row = Selectable<SubscriberTable>;

const summaryColumns = [
  'id',
  'access_token',
  'username',
  'email',
  'expires_at',
  'max_connections',
  'is_trial',
  'note',
  'status_id',
  'hls',
  'mpeg_ts',
] as const satisfies readonly (keyof Row)[];

const listColumns = {
  bundles: 'bundles',
  ipAddresses: 'ip_addresses',
  userAgents: 'user_agents',
  countries: 'countries',
} as const satisfies Record<ListName, keyof Row>;

/** The columns of the eleven fields and of the requested lists. */
export const columnsWith = (include: readonly ListName[] = []) => [
  ...summaryColumns,
  ...include.map((name) => listColumns[name]),
];

/** The eleven fields and the requested lists, in the contract's order. */
export function readWithLists(row: Row, include: readonly ListName[] = []): SubscriberWithLists {
  const lists = listNames.filter((name) => include.includes(name));
  // As `columnsOf` wrote them, from input that the contract had checked.
  return Object.assign(
    readSummary(row),
    Object.fromEntries(lists.map((name) => [name, JSON.parse(row[listColumns[name]])])),
  );
}

function readSummary(row: Row): Subscriber {
  return {
    id: row.id,
    accessToken: row.access_token,
    username: row.username,
    email: row.email,
    expiresAt: new Date(row.expires_at).toISOString(),
    maxConnections: row.max_connections,
    isTrial: row.is_trial === 1,
    note: row.note,
    status: row.status_id,
    hls: row.hls === 1,
    mpegTs: row.mpeg_ts === 1,
  };
}

type InputColumns = Omit<Row, 'id' | 'access_token' | 'status_id' | 'version'>;

/** The columns of a body. Fields that are left out are undefined, and Kysely leaves those columns out. */
function columnsOf(input: UpdateBody): { [C in keyof InputColumns]: InputColumns[C] | undefined } {
  return {
    username: input.username,
    username_search: given(input.username, searchText),
    username_folded: given(input.username, foldedOnly),
    email: input.email,
    email_search: given(input.email, searchText),
    email_folded: given(input.email, foldedOnly),
    expires_at: given(input.expiresAt, Date.parse),
    max_connections: input.maxConnections,
    is_trial: given(input.isTrial, bit),
    note: input.note,
    hls: given(input.hls, bit),
    mpeg_ts: given(input.mpegTs, bit),
    bundles: given(input.bundles, JSON.stringify),
    ip_addresses: given(input.ipAddresses, JSON.stringify),
    address_keys: given(input.ipAddresses, addressKeys),
    user_agents: given(input.userAgents, JSON.stringify),
    countries: given(input.countries, JSON.stringify),
  };
}

/** The columns of a complete body. It leaves no column out, which the types cannot follow through `columnsOf`. */
export const wholeColumnsOf = (input: SubscriberInput) => columnsOf(input) as InputColumns;

/** The folded text, if it is another one than the search text. */
function foldedOnly(text: string): string | null {
  const folded = foldText(text);
  return folded === searchText(text) ? null : folded;
}

function given<T, R>(value: T | undefined, write: (value: T) => R): R | undefined {
  return value === undefined ? undefined : write(value);
}

const bit = (value: boolean): Bit => (value ? 1 : 0);
