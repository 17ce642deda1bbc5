import { sql } from 'kysely';
import { expect } from 'vitest';
import { listSubscribers } from '../../../src/service/subscribers/list.ts';
import type { TestService } from './harness.ts';

/** Compares the service's count with a plain one, for each combination of filters and each sort order. */
export async function checkCounts({ db, time }: TestService): Promise<void> {
  for (const StatusId of [undefined, 1, 2, 3])
    for (const IsTrial of [undefined, true, false])
      for (const Expired of [undefined, true] as const) {
        const query = { StatusId, IsTrial, Expired };
        const conditions = [
          sql`1 = 1`,
          ...(StatusId === undefined ? [] : [sql`status_id = ${StatusId}`]),
          ...(IsTrial === undefined ? [] : [sql`is_trial = ${IsTrial ? 1 : 0}`]),
          ...(Expired ? [sql`expires_at <= ${time.now}`] : []),
        ];
        const counted = sql<{ count: number }>`select count(*) as count from subscribers
          where ${sql.join(conditions, sql` and `)}`;
        const count = (await counted.execute(db)).rows[0]?.count;
        for (const SortBy of [undefined, 'username', 'expiresAt'] as const) {
          const { totalCount } = await listSubscribers(db, { ...query, SortBy }, time.now);
          expect(totalCount, JSON.stringify({ ...query, SortBy })).toBe(count);
        }
      }
}
