import { sql, type Kysely } from 'kysely';
import { filtersOf, orderOf, readWalk, type Condition, type Found, type Search } from './list-walk.ts';
import type { ServiceTables } from './schema.ts';
import { contains, idsMatching, type Wanted } from './search-index.ts';
import { readTallies, totalOf } from './tallies.ts';

/** For texts of three letters and more. `indexed` are those of `wanted` that the search index holds. */
export async function findByText(
  db: Kysely<ServiceTables>,
  { query, now, offset, limit }: Search,
  wanted: readonly Wanted[],
  indexed: readonly [Wanted, ...Wanted[]],
): Promise<Found> {
  const matching = idsMatching(db, indexed);
  const filters = [
    ...filtersOf(query, now),
    ...wanted.filter((text) => !indexed.includes(text)).map(contains),
  ];
  const among: Condition = sql`id in (select id from (${matching}) as matching)`;
  const matches = filters.length > 0 ? [among, ...filters] : null;
  const counted = matches
    ? sql<{ count: number }>`select count(*) as count from subscribers where ${sql.join(matches, sql` and `)}`
    : sql<{ count: number }>`select count(*) as count from (${matching}) as matching`;
  const totalCount = (await counted.execute(db)).rows[0]?.count ?? 0;
  if (offset >= totalCount) return { totalCount, items: [] };
  const everybody = totalOf(await readTallies(db, 'id', {}));
  const byWalking = ((offset + limit) * everybody) / totalCount;
  const walks = orderOf(query.SortBy).column !== 'expires_at' && byWalking * walkedCost < totalCount;
  const conditions = walks ? [...filtersOf(query, now), ...wanted.map(contains)] : [among, ...filters];
  return { totalCount, items: await readWalk(db, { order: query.SortBy, conditions, skip: offset, limit }) };
}

/** Of reading a row of an index and looking into its text, beside fetching a row that was found and sorting it in. */
const walkedCost = 0.2;
