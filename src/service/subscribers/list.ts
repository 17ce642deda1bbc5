import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { pageSizes, type SortOrder } from '../../contract/service/list-rules.ts';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';
import { statusIdsOf } from '../../contract/service/scan.ts';
import { toPage } from '../../contract/http/shapes.ts';
import { resolveTime } from '../../contract/service/times.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { inSnapshot, isPostgres } from '../database.ts';
import type { ServiceDb } from '../schema.ts';
import { readNearest } from './nearest.ts';
import { columnsWith, readWithLists, type Row } from './store.ts';
import {
  areCommon,
  contains,
  hiddenTextFilters,
  idsInSearchIndex,
  isIndexed,
  textFiltersOf,
} from './text-search.ts';
import {
  hasOwnValue,
  hasValue,
  hasValueFilter,
  idsWith,
  valueFiltersOf,
  type ValueFilter,
} from './values.ts';

type Condition = RawBuilder<SqlBool>;

/** A list query as the database needs it. */
interface Search {
  query: ListQuery;
  /** In ms since 1970. A subscriber whose expiry is this millisecond has expired. */
  now: number;
  offset: number;
  limit: number;
  /** Conditions on `subscriber_values`. */
  values: readonly ValueFilter[];
  /** True if so many have the texts that reading all rows is faster than looking up each of these. */
  isCommon: boolean;
}

/**
 * Reads one page of the subscribers that match all filters, and counts all matches, both in one snapshot.
 *
 * @param now in ms since 1970
 * @param signal ends the read between its two queries; a running query cannot be interrupted
 */
export async function listSubscribers(
  db: ServiceDb,
  query: ListQuery,
  now: number,
  signal?: AbortSignal,
): Promise<SubscriberPage> {
  const page = query.Page ?? 1;
  const pageSize = query.PageSize ?? pageSizes.usual;
  if (query.Near !== undefined) {
    const items = await readNearest(db, query.Near, pageSize, signal);
    return toPage(items, { page: 1, pageSize, totalCount: items.length });
  }
  if (query.AfterId !== undefined) {
    const values = await valueFiltersOf(db, query);
    const search = { query, now, offset: 0, limit: pageSize, values, isCommon: true };
    const items = await readAfter(db, search, query.AfterId);
    return toPage(items, { page: 1, pageSize, totalCount: items.length });
  }
  // The last page that the contract allows begins at about 2^61, which fits into the engines' 64 bits.
  const { items, totalCount } = await inSnapshot(db, async (snapshot) => {
    const isCommon = await areCommon(snapshot, textFiltersOf(query));
    const values = await valueFiltersOf(snapshot, query);
    const search = { query, now, offset: (page - 1) * pageSize, limit: pageSize, values, isCommon };
    const { totalCount: count, lastId } = await countMatches(snapshot, search);
    if (signal?.aborted) throw new Problem('busy', 'The client has disconnected.');
    const isBeyond = search.offset >= count;
    return {
      totalCount: count,
      items: isBeyond ? [] : await readPage(snapshot, search, sortsMatches(search, count, lastId)),
    };
  });
  return toPage(items, { page, pageSize, totalCount });
}

/** Ids that are looked through first for a value: that takes 10 ms, and to look up all who have it 200 ms of a million. */
const nearby = 10_000;

/**
 * Reads the next matches after an id. Row by row, also where an index would find all matches: a scan of the list then
 * passes each row once.
 */
async function readAfter(db: ServiceDb, search: Search, afterId: number): Promise<SubscriberWithLists[]> {
  const { query, limit } = search;
  const token = query.AccessToken === undefined ? [] : [sql<SqlBool>`access_token = ${query.AccessToken}`];
  const columns = sql.join(columnsWith(query.include).map((name) => sql.ref(name)));
  const read = async (...conditions: Condition[]) => {
    const all = whereAll([sql`id > ${afterId}`, ...token, ...conditions]);
    const page = sql<Row>`select ${columns} from subscribers ${all} order by id limit ${limit}`;
    return (await page.execute(db)).rows;
  };
  // Else each page of an export would look up all who have the value, of whom there may be thousands of pages.
  const near = search.values.some(({ isAnyOf }) => isAnyOf)
    ? await read(
        sql`id <= ${afterId + nearby}`,
        ...conditionsInOrder(db, search, (value) => hasOwnValue(db, value)),
      )
    : [];
  const rows = near.length < limit ? await read(...conditionsInOrder(db, search)) : near;
  return rows.map((row) => readWithLists(row, query.include));
}

/**
 * True if a list may be slow with a million subscribers: one with a text, which may match very many rows or have no
 * index, the nearest to a text, one that skips many rows, and one that looks for the next of few matches.
 */
export function canTakeLong(query: ListQuery): boolean {
  const { IsTrial, Expired, ExpiresFrom, ExpiresTo } = query;
  const filters = [statusIdsOf(query), IsTrial, Expired, ExpiresFrom, ExpiresTo];
  if ((query.Near ?? query.Note) !== undefined || hasValueFilter(query)) return true;
  if (query.AfterId !== undefined && filters.some((filter) => filter !== undefined)) return true;
  const skipped = ((query.Page ?? 1) - 1) * (query.PageSize ?? pageSizes.usual);
  return skipped > 10_000 || textFiltersOf(query).length > 0;
}

/** `lastId` is the highest id, 0 without subscribers. */
async function countMatches(db: ServiceDb, search: Search): Promise<{ totalCount: number; lastId: number }> {
  const { query, values } = search;
  const texts = textFiltersOf(query);
  const isAlone = matchConditions(db, search).length === 1;
  const [value] = values;
  // SQLite's search index can count its matches without reading their rows.
  const source =
    isAlone && texts.every(isIndexed) && texts.length > 0 && !search.isCommon && !isPostgres(db)
      ? sql`(${idsInSearchIndex(texts)}) as found`
      : value && isAlone
        ? sql`(${distinctIdsWith(value)}) as found`
        : matchesOf(db, search);
  const { rows } = await sql<{ totalCount: number; lastId: number }>`
    select (select count(*) from ${source}) as "totalCount",
      (select coalesce(max(id), 0) from subscribers) as "lastId"`.execute(db);
  return rows[0] ?? { totalCount: 0, lastId: 0 };
}

const distinctIdsWith = (value: ValueFilter) =>
  sql`select ${sql.raw(value.isAnyOf ? 'distinct' : '')} id as found_id from (${idsWith(value)}) as one`;

/**
 * All matches. SQLite looks up each subscriber with a value in the index by id, in the order of the ids, which takes half or a
 * third as long as `id in`.
 */
function matchesOf(db: ServiceDb, search: Search): RawBuilder<unknown> {
  const { query, values } = search;
  const [value, ...others] = values;
  const hasOtherIndex = query.Note ?? query.TokenEnd ?? query.AccessToken ?? textFiltersOf(query)[0];
  if (!value || isPostgres(db) || hasOtherIndex !== undefined)
    return sql`subscribers ${whereAll(matchConditions(db, search))}`;
  const conditions = rowConditions(db, { ...search, values: others });
  return sql`(${distinctIdsWith(value)}) as found cross join subscribers indexed by subscribers_by_id
    ${whereAll([sql`subscribers.id = found_id`, ...conditions])}`;
}

/**
 * True if all matches are found and sorted, instead of reading the list in order until the page is full. Reading in
 * order passes `lastId / totalCount` rows for each match, so it is slow if matches are rare.
 */
function sortsMatches({ offset, limit }: Search, totalCount: number, lastId: number): boolean {
  // Ids are counted up, so the last id is about the number of subscribers.
  return totalCount * sortCost < (offset + limit) * (lastId / totalCount);
}

/** The measured cost of fetching and sorting one match, in rows of an index that could be read instead. */
const sortCost = 64;

const orders = {
  id: { column: 'id', direction: sql.raw('asc') },
  username: { column: 'username_search', direction: sql.raw('asc') },
  username_desc: { column: 'username_search', direction: sql.raw('desc') },
  expiresAt: { column: 'expires_at', direction: sql.raw('asc') },
  expiresAt_desc: { column: 'expires_at', direction: sql.raw('desc') },
} as const satisfies Record<SortOrder | 'id', unknown>;

/** Finds the ids of the page in an index, then reads only those rows completely. */
async function readPage(db: ServiceDb, search: Search, sorts: boolean): Promise<SubscriberWithLists[]> {
  const { column, direction } = orders[search.query.SortBy ?? 'id'];
  // Usernames and ids are unique, so only subscribers with the same expiry need a second order.
  const tie = column === 'expires_at' ? sql`, id` : sql``;
  const source = sorts
    ? sql`(with matching as materialized
        (select id, username_search, expires_at from ${matchesOf(db, search)})
        select * from matching) as matching`
    : sql`subscribers ${whereAll(rowConditions(db, search))}`;
  const columns = sql.join(columnsWith(search.query.include).map((name) => sql.ref(`subscribers.${name}`)));
  // SQLite reads the tables of a CROSS JOIN in the order of the statement: first the page, then its rows.
  const { rows } = await sql<Row>`
    select ${columns} from
      (select id as page_id from ${source} order by ${sql.ref(column)} ${direction}${tie}
        limit ${search.limit} offset ${search.offset}) as page
    cross join subscribers where subscribers.id = page_id
    order by ${sql.ref(`subscribers.${column}`)} ${direction}${tie}`.execute(db);
  return rows.map((row) => readWithLists(row, search.query.include));
}

const whereAll = (conditions: readonly Condition[]) =>
  conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;

/** All filters, as conditions by which an index finds the matches. */
function matchConditions(db: ServiceDb, search: Search): Condition[] {
  const { query } = search;
  const texts = textFiltersOf(query);
  const hidden = hiddenTextFilters(db, query);
  if (query.AccessToken !== undefined)
    return [
      ...hidden,
      sql`access_token = ${query.AccessToken}`,
      ...rowFilters(search),
      ...search.values.map(hasValue),
      ...texts.map(contains),
    ];
  const values = search.values.map((value) => sql<SqlBool>`id in (${idsWith(value)})`);
  if (isPostgres(db)) return [...values, ...hidden, ...indexFilters(search), ...texts.map(contains)];
  if (texts.length === 0 && values.length === 0 && hidden.length === 0) return indexFilters(search);
  const indexed = search.isCommon ? [] : texts.filter(isIndexed);
  return [
    ...values,
    ...hidden,
    ...(indexed.length > 0 ? [sql<SqlBool>`id in (${idsInSearchIndex(indexed)})`] : []),
    ...texts.filter((text) => !indexed.includes(text)).map(contains),
    ...rowFilters(search),
  ];
}

/** All filters, as conditions that are tested row by row while the list is read in order. */
function rowConditions(db: ServiceDb, search: Search): Condition[] {
  const { query } = search;
  // PostgreSQL has statistics, and chooses well between its indexes.
  if (isPostgres(db) || query.AccessToken !== undefined) return matchConditions(db, search);
  return conditionsInOrder(db, search);
}

const conditionsInOrder = (db: ServiceDb, search: Search, has = hasValue): Condition[] => [
  ...rowFilters(search),
  ...search.values.map(has),
  ...textFiltersOf(search.query).map(contains),
  ...hiddenTextFilters(db, search.query, true),
];

/**
 * For the index `subscribers_by_filter`. Engines read it by ranges only if all columns before the last have conditions.
 */
function indexFilters(search: Search): Condition[] {
  const { IsTrial } = search.query;
  const statuses = statusIdsOf(search.query);
  const range = expiryRange(search, sql`expires_at`);
  if (statuses === undefined && IsTrial === undefined && range.length === 0) return [];
  const isTrial =
    IsTrial === undefined ? sql<SqlBool>`is_trial in (0, 1)` : sql<SqlBool>`is_trial = ${IsTrial ? 1 : 0}`;
  const status = sql<SqlBool>`status_id in (${statuses ? sql.join(statuses) : sql`select id from subscriber_statuses`})`;
  if (range.length > 0) return [isTrial, status, ...range];
  return statuses === undefined ? [isTrial] : [isTrial, status];
}

/**
 * The filters on columns that the index of every order has. The `+` keeps SQLite from using another index for a column.
 */
function rowFilters(search: Search): Condition[] {
  const { IsTrial, SortBy } = search.query;
  const statuses = statusIdsOf(search.query);
  const expiresAt = orders[SortBy ?? 'id'].column === 'expires_at' ? sql`expires_at` : sql`+expires_at`;
  return [
    ...(statuses === undefined ? [] : [sql<SqlBool>`+status_id in (${sql.join(statuses)})`]),
    ...(IsTrial === undefined ? [] : [sql<SqlBool>`+is_trial = ${IsTrial ? 1 : 0}`]),
    ...expiryRange(search, expiresAt),
  ];
}

/** The conditions on the expiry. In the contract, `Expired=false` does not restrict the list. */
function expiryRange({ query, now }: Search, expiresAt: RawBuilder<unknown>): Condition[] {
  const { Expired, ExpiresFrom, ExpiresTo } = query;
  return [
    ...(Expired === true ? [sql<SqlBool>`${expiresAt} <= ${now}`] : []),
    ...(ExpiresFrom === undefined ? [] : [sql<SqlBool>`${expiresAt} >= ${resolveTime(ExpiresFrom, now)}`]),
    ...(ExpiresTo === undefined ? [] : [sql<SqlBool>`${expiresAt} < ${resolveTime(ExpiresTo, now)}`]),
  ];
}
