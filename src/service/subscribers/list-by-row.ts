import { sql, type Kysely, type SqlBool } from 'kysely';
import { filtersOf, readWalk, type Found, type Search } from './list-walk.ts';
import type { ServiceTables } from '../schema.ts';
import { contains, type Wanted } from './search-index.ts';

/** For what nothing helps with: texts of one or two letters, a whole token, and every list where nothing is counted ahead. */
export async function findByRow(
  db: Kysely<ServiceTables>,
  { query, now, offset, limit }: Search,
  wanted: readonly Wanted[],
): Promise<Found> {
  const conditions = [sql<SqlBool>`1 = 1`, ...filtersOf(query, now), ...wanted.map(contains)];
  const { rows } = await sql<{ count: number }>`select count(*) as count from subscribers
    where ${sql.join(conditions, sql` and `)}`.execute(db);
  const totalCount = rows[0]?.count ?? 0;
  if (offset >= totalCount) return { totalCount, items: [] };
  const items = await readWalk(db, { order: query.SortBy, conditions, skip: offset, limit });
  return { totalCount, items };
}
