import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import {
  pageSizes,
  type ListQuery,
  type SortOrder,
  type SubscriberPage,
} from '../../contract/service/list-query.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { inSnapshot, isPostgres } from '../database.ts';
import type { ServiceTables } from '../schema.ts';
import { readSummary, summaryColumns } from './store.ts';
import { contains, idsInSearchIndex, isIndexed, textFiltersOf } from './text-search.ts';

type Db = Kysely<ServiceTables>;
type Condition = RawBuilder<SqlBool>;

/** A query for the database. */
interface Search {
  query: ListQuery;
  /** Ms since 1970; a subscriber is expired from that very millisecond. */
  now: number;
  offset: number;
  limit: number;
}

/**
 * One page of the subscribers that pass every filter, and how many pass, both from one snapshot.
 *
 * @param now ms since 1970
 * @param signal gives up between the two queries: no engine of ours is interrupted within one
 */
export async function listSubscribers(
  db: Db,
  query: ListQuery,
  now: number,
  signal?: AbortSignal,
): Promise<SubscriberPage> {
  const page = query.Page ?? 1;
  const pageSize = query.PageSize ?? pageSizes.usual;
  // The furthest page of the contract begins at about 2^61, which still fits the engines' 64 bits.
  const search = { query, now, offset: (page - 1) * pageSize, limit: pageSize };
  const { items, totalCount } = await inSnapshot(db, async (snapshot) => {
    const { totalCount: count, lastId } = await countMatches(snapshot, search);
    if (signal?.aborted) throw new Refusal('busy', 'The client has gone.');
    const isBeyond = search.offset >= count;
    return {
      totalCount: count,
      items: isBeyond ? [] : await readPage(snapshot, search, sortsMatches(search, count, lastId)),
    };
  });
  return { items, page, pageSize, totalCount, totalPages: Math.ceil(totalCount / pageSize) };
}

/**
 * Whether a list can take long where there are a million subscribers: one with a text, which may be in very many rows or
 * in no index, and one that skips many rows.
 */
export function canTakeLong(query: ListQuery): boolean {
  const skipped = ((query.Page ?? 1) - 1) * (query.PageSize ?? pageSizes.usual);
  return skipped > 10_000 || textFiltersOf(query).length > 0;
}

async function countMatches(db: Db, search: Search): Promise<{ totalCount: number; lastId: number }> {
  const { query } = search;
  const texts = textFiltersOf(query);
  const conditions = matchConditions(db, search);
  // SQLite's search index counts what it finds without a look at the rows.
  const source =
    conditions.length === 1 && texts.every(isIndexed) && texts.length > 0 && !isPostgres(db)
      ? sql`(${idsInSearchIndex(texts)}) as found`
      : sql`subscribers ${whereAll(conditions)}`;
  const { rows } = await sql<{ totalCount: number; lastId: number }>`
    select (select count(*) from ${source}) as "totalCount",
      (select coalesce(max(id), 0) from subscribers) as "lastId"`.execute(db);
  return rows[0] ?? { totalCount: 0, lastId: 0 };
}

/**
 * Whether to find all matches and sort them, instead of reading the list in its order until the page is full. The latter
 * passes `lastId / totalCount` rows for each match, so it is slow where matches are rare.
 */
function sortsMatches({ offset, limit }: Search, totalCount: number, lastId: number): boolean {
  // Ids are given out in turn, so the last one is about how many subscribers there are.
  return totalCount * sortCost < (offset + limit) * (lastId / totalCount);
}

/** To fetch a match and sort it in, measured beside reading one row of an index. */
const sortCost = 64;

const orders = {
  id: { column: 'id', direction: sql.raw('asc') },
  username: { column: 'username_search', direction: sql.raw('asc') },
  username_desc: { column: 'username_search', direction: sql.raw('desc') },
  expiresAt: { column: 'expires_at', direction: sql.raw('asc') },
  expiresAt_desc: { column: 'expires_at', direction: sql.raw('desc') },
} as const satisfies Record<SortOrder | 'id', unknown>;

/** Finds the ids of the page in an index, then reads those rows whole. */
async function readPage(db: Db, search: Search, sorts: boolean): Promise<Subscriber[]> {
  const { column, direction } = orders[search.query.SortBy ?? 'id'];
  // Usernames and ids are unique, so only subscribers of one expiry need a second order.
  const tie = column === 'expires_at' ? sql`, id` : sql``;
  const source = sorts
    ? sql`(with matching as materialized
        (select id, username_search, expires_at from subscribers ${whereAll(matchConditions(db, search))})
        select * from matching) as matching`
    : sql`subscribers ${whereAll(rowConditions(db, search))}`;
  const columns = sql.join(summaryColumns.map((name) => sql.ref(`subscribers.${name}`)));
  // SQLite reads the tables of a CROSS JOIN in this order: first the page, then its rows.
  const { rows } = await sql<Parameters<typeof readSummary>[0]>`
    select ${columns} from
      (select id as page_id from ${source} order by ${sql.ref(column)} ${direction}${tie}
        limit ${search.limit} offset ${search.offset}) as page
    cross join subscribers where subscribers.id = page_id
    order by ${sql.ref(`subscribers.${column}`)} ${direction}${tie}`.execute(db);
  return rows.map(readSummary);
}

const whereAll = (conditions: readonly Condition[]) =>
  conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;

/** All filters as conditions by which an index finds the matches. */
function matchConditions(db: Db, search: Search): Condition[] {
  const { query } = search;
  const texts = textFiltersOf(query);
  if (query.AccessToken !== undefined)
    return [sql`access_token = ${query.AccessToken}`, ...rowFilters(search), ...texts.map(contains)];
  if (isPostgres(db)) return [...indexFilters(search), ...texts.map(contains)];
  if (texts.length === 0) return indexFilters(search);
  const indexed = texts.filter(isIndexed);
  return [
    ...(indexed.length > 0 ? [sql<SqlBool>`id in (${idsInSearchIndex(indexed)})`] : []),
    ...texts.filter((text) => !isIndexed(text)).map(contains),
    ...rowFilters(search),
  ];
}

/** All filters as conditions that are tested row by row, while the list is read in its order. */
function rowConditions(db: Db, search: Search): Condition[] {
  const { query } = search;
  // PostgreSQL keeps statistics, by which it chooses well between its indexes.
  if (isPostgres(db) || query.AccessToken !== undefined) return matchConditions(db, search);
  return [...rowFilters(search), ...textFiltersOf(query).map(contains)];
}

/** For `subscribers_by_filter`, which engines read by ranges where each column before the last has its values. */
function indexFilters({ query: { StatusId, IsTrial, Expired }, now }: Search): Condition[] {
  // `Expired=false` filters nothing, as the contract says.
  if (StatusId === undefined && IsTrial === undefined && Expired !== true) return [];
  const isTrial =
    IsTrial === undefined ? sql<SqlBool>`is_trial in (0, 1)` : sql<SqlBool>`is_trial = ${IsTrial ? 1 : 0}`;
  const anyStatus = sql<SqlBool>`status_id in (select id from subscriber_statuses)`;
  const status = StatusId === undefined ? anyStatus : sql<SqlBool>`status_id = ${StatusId}`;
  if (Expired === true) return [isTrial, status, sql`expires_at <= ${now}`];
  return StatusId === undefined ? [isTrial] : [isTrial, status];
}

/** The filters on columns that every index of an order holds. SQLite looks for no index of a column with a `+`. */
function rowFilters({ query: { StatusId, IsTrial, Expired, SortBy }, now }: Search): Condition[] {
  const expiresAt = orders[SortBy ?? 'id'].column === 'expires_at' ? sql`expires_at` : sql`+expires_at`;
  return [
    ...(StatusId === undefined ? [] : [sql<SqlBool>`+status_id = ${StatusId}`]),
    ...(IsTrial === undefined ? [] : [sql<SqlBool>`+is_trial = ${IsTrial ? 1 : 0}`]),
    ...(Expired === true ? [sql<SqlBool>`${expiresAt} <= ${now}`] : []),
  ];
}
