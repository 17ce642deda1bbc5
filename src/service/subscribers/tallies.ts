import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { ListQuery } from '../../contract/service/list-query.ts';
import type { ServiceTables } from '../schema.ts';
import { bucketIn, firstOf, type TallyKind } from './tally-buckets.ts';

/** A bucket, and how many of it pass. */
export interface Tally {
  bucket: number;
  amount: number;
  /** The first value that belongs to it, and the first that no longer does; null at the end. */
  from: number | string;
  until: number | string | null;
}

/** Lowest first. Buckets in which nobody passes may be left out. */
export interface Tallies {
  buckets: readonly Tally[];
  /** How many were looked at one by one, because they expired since it was last noted who is past. */
  late: number;
}

/** How many pass the filters that subscribers are counted by ahead, bucket by bucket. */
export async function readTallies(
  db: Kysely<ServiceTables>,
  kind: TallyKind,
  query: ListQuery,
  now: number,
): Promise<Tallies> {
  const counted = sql`select bucket, amount, 0 as late from subscriber_tallies
    where ${sql.join([sql`kind = ${kind}`, ...filters(query), ...(query.Expired === true ? [sql`is_past = 1`] : [])], sql` and `)}`;
  const parts = query.Expired === true ? [counted, ...lately(kind, query, now)] : [counted];
  const summed = sql`select bucket, cast(sum(amount) as bigint) as amount, cast(sum(late) as bigint) as late
    from (${sql.join(parts, sql` union all `)}) as parts group by bucket`;
  const { rows } = await (
    kind === 'name'
      ? sql<Row>`select names.bucket, first, coalesce(amount, 0) as amount, coalesce(late, 0) as late
          from subscriber_name_buckets as names left join (${summed}) as sums on sums.bucket = names.bucket order by first`
      : sql<Row>`${summed} order by bucket`
  ).execute(db);
  const late = rows.reduce((sum, row) => sum + row.late, 0);
  return { buckets: kind === 'name' ? ofNames(rows) : ofNumbers(rows, kind), late };
}

interface Row {
  bucket: number;
  amount: number;
  late: number;
  first?: string;
}

function filters({ StatusId, IsTrial }: ListQuery): RawBuilder<SqlBool>[] {
  return [
    ...(StatusId === undefined ? [] : [sql<SqlBool>`status_id = ${StatusId}`]),
    ...(IsTrial === undefined ? [] : [sql<SqlBool>`is_trial = ${IsTrial ? 1 : 0}`]),
  ];
}

/** Who came to be past since that was noted; where the clock was put back, who is past no more. */
function lately(kind: TallyKind, query: ListQuery, now: number): RawBuilder<unknown>[] {
  const noted = sql`(select past_until from subscriber_tally_state)`;
  const passing = sql.join([sql`1 = 1`, ...filters(query)], sql` and `);
  const between = (after: RawBuilder<unknown>, until: RawBuilder<unknown>, sign: number) =>
    sql`select ${bucketIn[kind]()} as bucket, case when ${passing} then ${sql.lit(sign)} else 0 end as amount, 1 as late
      from subscribers where expires_at > ${after} and expires_at <= ${until}`;
  return [between(noted, sql`${now}`, 1), between(sql`${now}`, noted, -1)];
}

const ofNumbers = (rows: readonly Row[], kind: 'id' | 'expiry'): Tally[] =>
  rows.map(({ bucket, amount }) => ({
    bucket,
    amount,
    from: firstOf(kind, bucket),
    until: firstOf(kind, bucket + 1),
  }));

const ofNames = (rows: readonly Row[]): Tally[] =>
  rows.map(({ bucket, amount, first = '' }, place) => ({
    bucket,
    amount,
    from: first,
    until: rows[place + 1]?.first ?? null,
  }));

export function totalOf({ buckets }: Pick<Tallies, 'buckets'>): number {
  return buckets.reduce((sum, { amount }) => sum + amount, 0);
}

/** Where a row is by its place in a list: in which of the buckets, and behind how many of that bucket. */
export function placeIn(buckets: readonly Tally[], offset: number): { at: number; skip: number } | null {
  let skip = offset;
  for (const [at, { amount }] of buckets.entries()) {
    if (skip < amount) return { at, skip };
    skip -= amount;
  }
  return null;
}
