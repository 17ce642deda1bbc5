import { sql, type Kysely } from 'kysely';
import type { ListQuery } from '../../contract/list-query.ts';
import type { ServiceTables } from './schema.ts';
import { bucketOf, firstOf, type TallyKind } from './tally-tables.ts';

/** The filters that subscribers are counted by ahead. */
export type TalliedFilters = Pick<ListQuery, 'StatusId' | 'IsTrial'>;

/** How many pass, bucket by bucket, lowest first. Buckets in which nobody passes may be left out. */
export type Tallies = readonly { bucket: number; amount: number }[];

export async function readTallies(
  db: Kysely<ServiceTables>,
  kind: TallyKind,
  filters: TalliedFilters,
): Promise<Tallies> {
  const { StatusId, IsTrial } = filters;
  return (
    db
      .selectFrom('subscriber_tallies')
      // A sum of 64-bit integers is at PostgreSQL a number of any length, which comes as text.
      .select(['bucket', sql<number>`cast(sum(amount) as bigint)`.as('amount')])
      .where('kind', '=', kind)
      .$if(StatusId !== undefined, (query) => query.where('status_id', '=', StatusId ?? 0))
      .$if(IsTrial !== undefined, (query) => query.where('is_trial', '=', IsTrial ? 1 : 0))
      .groupBy('bucket')
      .orderBy('bucket')
      .execute()
  );
}

/**
 * Of the buckets of expiry what is over: whole ones as they are counted, and the current one row by row.
 *
 * @param now ms since 1970
 */
export async function expiredOf(
  db: Kysely<ServiceTables>,
  all: Tallies,
  filters: TalliedFilters,
  now: number,
): Promise<Tallies> {
  const current = bucketOf('expiry', now);
  const over = all.filter(({ bucket }) => bucket < current);
  if (!all.some(({ bucket }) => bucket === current)) return over;
  const { StatusId, IsTrial } = filters;
  const { amount } = await db
    .selectFrom('subscribers')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('expires_at', '>=', firstOf('expiry', current))
    .where('expires_at', '<=', now)
    .$if(StatusId !== undefined, (query) => query.where(sql.raw<number>('+status_id'), '=', StatusId ?? 0))
    .$if(IsTrial !== undefined, (query) => query.where(sql.raw<number>('+is_trial'), '=', IsTrial ? 1 : 0))
    .executeTakeFirstOrThrow();
  return [...over, { bucket: current, amount }];
}

export function totalOf(tallies: Tallies): number {
  return tallies.reduce((sum, { amount }) => sum + amount, 0);
}

/** Where a row is by its place in a list: in which bucket, and behind how many of that bucket. */
export function placeIn(tallies: Tallies, offset: number): { bucket: number; skip: number } | null {
  let skip = offset;
  for (const { bucket, amount } of tallies) {
    if (skip < amount) return { bucket, skip };
    skip -= amount;
  }
  return null;
}
