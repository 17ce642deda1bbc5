import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { filterNotReady } from '../../contract/http/problem.ts';
import { rangesAround, readIpRange, type IpRange } from '../../contract/service/ip-range.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { mostValues, type ValueStatistics } from '../../contract/service/statistics.ts';
import { lowerAscii } from '../../contract/service/search-text.ts';
import { isPostgres } from '../database.ts';
import type { ServiceDb } from '../schema.ts';

/** The kinds of values, each by the column of a subscriber that it is copied from, a JSON list. */
const kinds = { bundles: 1, countries: 2, address_keys: 3, user_agents: 4 } as const;
const columns = Object.keys(kinds) as Column[];
type Column = keyof typeof kinds;

/** A range as text. Texts of ranges sort by family and first address. */
function keyOf({ bits, first, prefix }: IpRange): string {
  return `${bits === 32 ? 4 : 6}${first.toString(16).padStart(bits / 4, '0')}/${prefix}`;
}

/** The texts of addresses and ranges by which they are found, as JSON. */
export function addressKeys(addresses: readonly string[]): string {
  const ranges = addresses.map(readIpRange).filter((range) => range !== null);
  return JSON.stringify([...new Set(ranges.map(keyOf))]);
}

/** A filter by rows of `subscriber_values`. */
export interface ValueFilter {
  column: Column;
  condition: RawBuilder<SqlBool>;
  /** True if a subscriber may have several of the values. */
  isAnyOf: boolean;
}

/**
 * The filters by what subscribers may use, that which finds fewest first as a rule.
 *
 * @throws {Problem} `filter-not-ready` while the table is still being filled
 */
export async function valueFiltersOf(db: ServiceDb, query: ListQuery): Promise<ValueFilter[]> {
  const { Bundle, Country, IpAddress, UserAgent } = query;
  if (!hasValueFilter(query)) return [];
  const missing = await countMissing(db);
  if (missing !== null) throw filterNotReady(Math.ceil((missing / portion) * secondsPerPortion));
  const range = IpAddress === undefined ? null : readIpRange(IpAddress);
  return [
    ...(range ? [isNested(range)] : []),
    ...(Country === undefined ? [] : [isOneOf('countries', [Country.toUpperCase()])]),
    ...(Bundle === undefined ? [] : [isOneOf('bundles', [String(Bundle)])]),
    ...(UserAgent === undefined ? [] : [hasText(db, UserAgent)]),
  ];
}

/** About how many subscribers are not in the table yet; null once it is filled. */
async function countMissing(db: ServiceDb): Promise<number | null> {
  const fill = await db.selectFrom('subscriber_values_fill').select('after_id').executeTakeFirst();
  if (!fill) return null;
  const last = await db
    .selectFrom('subscribers')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Math.max(0, (last?.id ?? 0) - fill.after_id);
}

export const hasValueFilter = ({ Bundle, Country, IpAddress, UserAgent }: ListQuery): boolean =>
  (Bundle ?? Country ?? IpAddress ?? UserAgent) !== undefined;

const isOneOf = (column: Column, values: readonly string[]): ValueFilter => ({
  column,
  condition: sql`(kind = ${sql.lit(kinds[column])} and value in (${sql.join(values)}))`,
  isAnyOf: values.length > 1,
});

/** Ranges that contain this one, and those within it. */
function isNested(range: IpRange): ValueFilter {
  const around = isOneOf('address_keys', rangesAround(range).map(keyOf));
  if (range.prefix === range.bits) return around;
  const last = range.first + (1n << BigInt(range.bits - range.prefix)) - 1n;
  const [from, to] = [range.first, last].map((first) => keyOf({ ...range, first }).split('/', 1)[0] ?? '');
  const within = sql`(kind = ${sql.lit(kinds.address_keys)} and value between ${from} and ${`${to}/~`})`;
  return { ...around, condition: sql`(${around.condition} or ${within})`, isAnyOf: true };
}

/** User agents are ASCII, as in the header of HTTP. */
const hasText = (db: ServiceDb, text: string): ValueFilter => ({
  column: 'user_agents',
  condition: sql`(kind = ${sql.lit(kinds.user_agents)}
    and ${sql.raw(isPostgres(db) ? 'strpos' : 'instr')}(value, ${lowerAscii(text)}) > 0)`,
  isAnyOf: true,
});

/** The query for the ids of the subscribers with a value, some twice. */
export const idsWith = ({ condition }: ValueFilter): RawBuilder<{ id: number }> =>
  sql`select subscriber_id as id from subscriber_values where ${condition}`;

/** The condition that a subscriber has a value, tested row by row; if there are several, they are read once before. */
export const hasValue = (filter: ValueFilter): RawBuilder<SqlBool> =>
  filter.isAnyOf
    ? sql`+subscribers.id in (${idsWith(filter)})`
    : sql`exists (select 1 from subscriber_values where ${filter.condition} and subscriber_id = subscribers.id)`;

/** The same, tested on the subscriber's own list: faster for some thousand subscribers, slower for all. */
export function hasOwnValue(db: ServiceDb, { column, condition }: ValueFilter): RawBuilder<SqlBool> {
  const postgres = isPostgres(db);
  const value = `${textOf(postgres, column)}${postgres ? ' collate "C"' : ''}`;
  const own = sql.raw(
    `select ${kinds[column]} as kind, ${value} as value from ${elements(postgres, column)}`,
  );
  return sql`exists (select 1 from (${own}) as own where ${condition})`;
}

/** Counts subscribers by bundle and by country. @returns null while the table is still being filled */
export async function countByValue(db: ServiceDb): Promise<ValueStatistics | null> {
  if ((await countMissing(db)) !== null) return null;
  const { rows } = await sql<{ kind: number; value: string | null; values: number; count: number }>`
    with counts as (
      select kind, value, count(*) as count from subscriber_values
      where kind in (${sql.lit(kinds.bundles)}, ${sql.lit(kinds.countries)}) group by kind, value),
    ranked as (
      select kind, value, count,
        row_number() over (partition by kind order by count desc, length(value), value) as rank from counts),
    chosen as (select kind, count, case when rank <= ${sql.lit(mostValues)} then value end as value from ranked)
    select kind, value, count(*) as "values", cast(sum(count) as bigint) as count from chosen
    group by kind, value order by count desc, length(value), value`.execute(db);
  const of = <Value>(kind: number, read: (text: string) => Value) => {
    const own = rows.filter((row) => row.kind === kind);
    const { values = 0, count = 0 } = own.find(({ value }) => value === null) ?? {};
    return {
      most: own.flatMap((row) => (row.value === null ? [] : [{ value: read(row.value), count: row.count }])),
      others: { values, count },
    };
  };
  return { bundles: of(kinds.bundles, Number), countries: of(kinds.countries, String) };
}

/** Creates the table that says who has a value, which triggers keep like the subscribers' lists. */
export async function createValues<Tables>(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('subscriber_values')
    .addColumn('kind', 'integer', (column) => column.notNull())
    // In the order of its bytes.
    .addColumn('value', isPostgres(db) ? sql`text collate "C"` : 'text', (column) => column.notNull())
    .addColumn('subscriber_id', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('subscriber_values_key', ['kind', 'value', 'subscriber_id'])
    .modifyEnd(isPostgres(db) ? sql`` : sql`without rowid`)
    .execute();
  await createTriggers(db);
}

/** Fills it without the triggers, for very many subscribers at once. */
export async function refillValues<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql.raw(insertAll(db, 'order by 1, 2, 3')).execute(db);
  await createTriggers(db);
}

export async function dropTriggers<Tables>(db: Kysely<Tables>): Promise<void> {
  const statements = isPostgres(db)
    ? ['drop trigger subscriber_values_follow on subscribers', 'drop function subscriber_values_follow']
    : Object.keys(sqliteTriggers()).map((name) => `drop trigger if exists ${name}`);
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Adds the table of those whose addresses a server of the version before has written, without their keys. */
export async function addStaleAddresses<Tables>(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('stale_addresses')
    .addColumn('subscriber_id', 'integer', (column) => column.primaryKey())
    .execute();
  await dropTriggers(db);
  await createTriggers(db);
}

async function createTriggers<Tables>(db: Kysely<Tables>): Promise<void> {
  const statements = isPostgres(db) ? postgresTrigger() : Object.values(sqliteTriggers());
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** The elements of a list, as texts. */
const elements = (postgres: boolean, list: string) =>
  postgres ? `jsonb_array_elements_text(${list}::jsonb) as element (value)` : `json_each(${list}) as element`;

/** User agents are found without regard to case. */
function textOf(postgres: boolean, column: Column): string {
  if (column !== 'user_agents') return 'cast(element.value as text)';
  return `lower(element.value${postgres ? ' collate "C"' : ''})`;
}

const deleteOld = (postgres: boolean, column: Column) =>
  `delete from subscriber_values where kind = ${kinds[column]} and subscriber_id = old.id
    and value in (select ${textOf(postgres, column)} from ${elements(postgres, `old.${column}`)});`;
const insertNew = (postgres: boolean, column: Column) =>
  `insert into subscriber_values (kind, value, subscriber_id)
    select ${kinds[column]}, ${textOf(postgres, column)}, new.id from ${elements(postgres, `new.${column}`)}
    where true on conflict do nothing;`;

/** A server of the version before writes no keys, so they are as they were. */
const isStale = {
  insert: `new.ip_addresses <> '[]' and new.address_keys = '[]'`,
  update: 'new.ip_addresses <> old.ip_addresses and new.address_keys = old.address_keys',
} as const;
const noteStale = (when: string) =>
  `insert into stale_addresses (subscriber_id) select new.id where ${when} on conflict do nothing;`;

function sqliteTriggers(): Record<string, string> {
  const both = (part: typeof deleteOld) => columns.map((column) => part(false, column)).join(' ');
  const updates = columns.map((column) => [
    `subscriber_values_${column}`,
    `create trigger subscriber_values_${column} after update of ${column} on subscribers
      when old.${column} is not new.${column}
      begin ${deleteOld(false, column)} ${insertNew(false, column)} end`,
  ]);
  return {
    subscriber_values_insert: `create trigger subscriber_values_insert after insert on subscribers
      begin ${both(insertNew)} ${noteStale(isStale.insert)} end`,
    subscriber_values_stale: `create trigger subscriber_values_stale after update of ip_addresses on subscribers
      begin ${noteStale(isStale.update)} end`,
    subscriber_values_delete: `create trigger subscriber_values_delete after delete on subscribers
      begin ${both(deleteOld)} end`,
    ...Object.fromEntries(updates),
  };
}

function postgresTrigger(): string[] {
  const parts = columns.map((column) => {
    const isChanged = `(tg_op = 'UPDATE' and old.${column} is distinct from new.${column})`;
    return `
      if tg_op = 'DELETE' or ${isChanged} then ${deleteOld(true, column)} end if;
      if tg_op = 'INSERT' or ${isChanged} then ${insertNew(true, column)} end if;`;
  });
  return [
    `create function subscriber_values_follow() returns trigger language plpgsql as $$
      begin ${parts.join('')}
        if tg_op = 'INSERT' then ${noteStale(isStale.insert)} end if;
        if tg_op = 'UPDATE' then ${noteStale(isStale.update)} end if;
        return null; end $$`,
    `create trigger subscriber_values_follow
      after insert or delete or update of ${[...columns, 'ip_addresses'].join(', ')} on subscribers
      for each row execute function subscriber_values_follow()`,
  ];
}

/** @param where a condition on `subscribers` */
function insertAll<Tables>(db: Kysely<Tables>, order: string, where = 'true'): string {
  const selects = columns.map(
    (column) =>
      `select ${kinds[column]}, ${textOf(isPostgres(db), column)}, subscribers.id
        from subscribers cross join ${elements(isPostgres(db), `subscribers.${column}`)} where ${where}`,
  );
  return `insert into subscriber_values (kind, value, subscriber_id)
    select * from (${selects.join(' union all ')}) as every where true ${order} on conflict do nothing`;
}

/** Subscribers that are added in one transaction: it delays others by some 10 ms. */
const portion = 500;
/** Time that one takes on a slow machine, with the pause after it, in s. */
const secondsPerPortion = 0.1;

/**
 * Adds the subscribers of before the table to it, and then those whose addresses a server of the version before has written,
 * portion by portion; others read and write meanwhile. It can be stopped and goes on where it was; several servers may do it at once.
 *
 * @param yieldToOthers waits for a turn of the event loop; rejects to stop it
 */
export async function fillValues(db: ServiceDb, yieldToOthers: () => Promise<void>): Promise<void> {
  while (await db.transaction().execute(fillNext)) await yieldToOthers();
  const readStale = db.selectFrom('stale_addresses').select('subscriber_id').limit(portion);
  for (let stale = await readStale.execute(); stale.length > 0; stale = await readStale.execute()) {
    const ids = stale.map((row) => row.subscriber_id);
    await db.transaction().execute((transaction) => renewKeys(transaction, ids));
    await yieldToOthers();
  }
}

async function renewKeys(db: ServiceDb, ids: readonly number[]): Promise<void> {
  const of = db.selectFrom('subscribers').select(['id', 'ip_addresses']).where('id', 'in', ids).orderBy('id');
  await writeKeys(db, await of.$if(isPostgres(db), (query) => query.forUpdate()).execute());
  await db.deleteFrom('stale_addresses').where('subscriber_id', 'in', ids).execute();
}

async function writeKeys(
  db: ServiceDb,
  rows: readonly { id: number; ip_addresses: string }[],
): Promise<void> {
  for (const { id, ip_addresses: addresses } of rows)
    await db
      .updateTable('subscribers')
      .set({ address_keys: addressKeys(JSON.parse(addresses)) })
      .where('id', '=', id)
      .execute();
}

/** @returns false if all are in it */
async function fillNext(db: ServiceDb): Promise<boolean> {
  // This also locks the row, so that of two servers one waits.
  const fill = await db
    .updateTable('subscriber_values_fill')
    .set((row) => ({ after_id: row.ref('after_id') }))
    .returning('after_id')
    .executeTakeFirst();
  if (!fill) return false;
  const rows = await db
    .selectFrom('subscribers')
    .select(['id', 'ip_addresses'])
    .where('id', '>', fill.after_id)
    .orderBy('id')
    .limit(portion)
    // A change from now on waits, and the triggers then correct what is written here.
    .$if(isPostgres(db), (query) => query.forUpdate())
    .execute();
  const last = rows.at(-1)?.id;
  if (last === undefined) {
    await db.deleteFrom('subscriber_values_fill').execute();
    return false;
  }
  const withAddresses = rows.filter((row) => row.ip_addresses !== '[]');
  await writeKeys(db, withAddresses);
  const where = `subscribers.id > ${fill.after_id} and subscribers.id <= ${last}`;
  await sql.raw(insertAll(db, '', where)).execute(db);
  await db.updateTable('subscriber_values_fill').set({ after_id: last }).execute();
  return true;
}
