import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isPostgres } from '../engine.ts';
import {
  filtersOf,
  orderOf,
  readWalk,
  type Condition,
  type Found,
  type Search,
  type Walk,
} from './list-walk.ts';
import type { ServiceTables } from '../schema.ts';
import { contains, idsMatching, type Wanted } from './search-index.ts';
import { countHolding } from './trigram-tallies.ts';

type Db = Kysely<ServiceTables>;

/** For texts of three letters and more. `indexed` are those of `wanted` that the search index holds. */
export async function findByText(
  db: Db,
  search: Search,
  wanted: readonly Wanted[],
  indexed: readonly [Wanted, ...Wanted[]],
): Promise<Found> {
  const { query, now, offset, limit } = search;
  const matching = idsMatching(db, indexed);
  const filters = [
    ...filtersOf(query, now),
    ...wanted.filter((text) => !indexed.includes(text)).map(contains),
  ];
  const walk = { order: query.SortBy, skip: offset, limit };
  const ahead = wanted.length === 1 && filters.length === 0 ? await countHolding(db, indexed[0]) : null;
  if (ahead === null || ahead.amount <= few) {
    const { rows } = await sql<{ id: number }>`${matching} limit ${few + 1}`.execute(db);
    if (rows.length === 0) return { totalCount: 0, items: [] };
    const conditions: Condition[] = [sql`id in (${sql.join(rows.map(({ id }) => id))})`, ...filters];
    if (rows.length <= few) {
      const totalCount = filters.length > 0 ? await countWhere(db, conditions) : rows.length;
      return { totalCount, items: await readWalk(db, { ...walk, conditions }) };
    }
  }
  const conditions: Condition[] = [sql`id in (select id from (${matching}) as matching)`, ...filters];
  const totalCount =
    ahead?.amount ?? (await (filters.length > 0 ? countWhere(db, conditions) : countOf(db, matching)));
  if (offset >= totalCount) return { totalCount, items: [] };
  // SQLite finds in the order of ids; and an index by username holds the text that is looked for.
  const isOrdered = orderOf(query.SortBy).column === 'id' && !isPostgres(db);
  const way: Walk =
    isOrdered && filters.length === 0
      ? { ...walk, conditions: [], among: matching }
      : !isOrdered && isShorterWalked(search, totalCount, ahead?.lastId ?? (await lastIdOf(db)))
        ? {
            ...walk,
            limit: Math.min(limit, totalCount - offset),
            conditions: [...filtersOf(query, now), ...wanted.map(contains)],
          }
        : { ...walk, conditions };
  return { totalCount, items: await readWalk(db, way) };
}

/** Whether those on the page are found sooner on the way through the whole list than among all who hold the text. */
function isShorterWalked({ query, offset, limit }: Search, totalCount: number, lastId: number): boolean {
  if (orderOf(query.SortBy).column === 'expires_at') return false;
  // Ids are given out in turn, so that the last is about how many there are.
  return ((offset + limit) / totalCount) * lastId * walkedCost < totalCount;
}

async function lastIdOf(db: Db): Promise<number> {
  const query = db.selectFrom('subscribers').select(sql<number>`coalesce(max(id), 0)`.as('lastId'));
  return (await query.executeTakeFirstOrThrow()).lastId;
}

/** So many are simply read, and the search index is asked no second time. */
const few = 200;

/** Of reading a row of an index and looking into its text, beside fetching a row that was found and sorting it in. */
const walkedCost = 0.2;

async function countOf(db: Db, rows: RawBuilder<unknown>): Promise<number> {
  const counted = sql<{ count: number }>`select count(*) as count from (${rows}) as counted`;
  return (await counted.execute(db)).rows[0]?.count ?? 0;
}

const countWhere = (db: Db, conditions: readonly Condition[]) =>
  countOf(db, sql`select id from subscribers where ${sql.join(conditions, sql` and `)}`);
