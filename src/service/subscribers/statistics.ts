import { sql } from 'kysely';
import type { Statistics } from '../../contract/service/statistics.ts';
import { inSnapshot } from '../database.ts';
import type { ServiceDb } from '../schema.ts';
import { countByValue } from './values.ts';

/** Counts subscribers by status, plan and expiry, and by bundle and country. Each range is read from the index by expiry, so each row once. */
export function countSubscribers(db: ServiceDb, limits: readonly string[]): Promise<Statistics> {
  const from = [Number.MIN_SAFE_INTEGER, ...limits.map((limit) => Date.parse(limit))];
  const ranges = from.map(
    (start, index) =>
      sql`(${sql.lit(index)}, ${sql.lit(start)}, ${sql.lit(from[index + 1] ?? Number.MAX_SAFE_INTEGER)})`,
  );
  return inSnapshot(db, async (snapshot) => {
    const { rows } = await sql<{ range: number; status: number; trial: number; count: number }>`
      with ranges ("range", "start", "stop") as (values ${sql.join(ranges)})
      select "range", status_id as status, is_trial as trial, count(*) as count
      from ranges join subscribers on expires_at >= "start" and expires_at < "stop"
      group by "range", status_id, is_trial order by "range", status_id, is_trial`.execute(snapshot);
    const statuses = await snapshot
      .selectFrom('subscriber_statuses')
      .select(['id', 'name'])
      .orderBy('id')
      .execute();
    const groups = rows.map(({ range, status, trial, count }) => ({
      status,
      isTrial: trial === 1,
      from: limits[range - 1] ?? null,
      count,
    }));
    return { statuses, groups, values: await countByValue(snapshot) };
  });
}
