import { sql, type Kysely, type Transaction } from 'kysely';
import { isPostgres } from '../engine.ts';
import type { ServiceTables } from '../schema.ts';
import { bucketSizes } from './tally-buckets.ts';
import { addCounts } from './tally-triggers.ts';

/** What a list found out about its tallies. */
export interface Wear {
  /** How many it had to look at one by one. */
  late: number;
  /** The stretch of usernames in which its page began. */
  nameBucket: number | null;
}

interface Limits {
  /** From more than so many on, those who came to be past are noted. */
  mostLate: number;
  /** So many rows are counted anew at once, lest whoever asked waits long; the next who asks goes on. */
  atOnce: number;
  /** How many usernames a stretch has when it is cut; with twice as many it is cut again. */
  nameSize: number;
}

const usual: Limits = { mostLate: 500, atOnce: 65_536, nameSize: bucketSizes.name };

/**
 * Keeps the tallies short, after a list that found them long. They are right either way: nothing depends on when, or
 * whether, this is done.
 *
 * @param now ms since 1970
 */
export async function keepTallies(
  db: Kysely<ServiceTables>,
  { late, nameBucket }: Wear,
  now: number,
  limits: Limits = usual,
): Promise<void> {
  if (late > limits.mostLate) await db.transaction().execute((alone) => notePast(alone, now, limits));
  if (nameBucket !== null && (await sizeOf(db, nameBucket)) > 2 * limits.nameSize)
    await db.transaction().execute((alone) => cutNames(alone, nameBucket, limits));
}

async function sizeOf(db: Kysely<ServiceTables>, bucket: number): Promise<number> {
  const { size } = await db
    .selectFrom('subscriber_tallies')
    .select(sql<number>`cast(coalesce(sum(amount), 0) as bigint)`.as('size'))
    .where('kind', '=', 'name')
    .where('bucket', '=', bucket)
    .executeTakeFirstOrThrow();
  return size;
}

/** Waits for all whose changes are counted and not yet committed, and keeps others from beginning. */
async function holdTallies(alone: Transaction<ServiceTables>): Promise<number> {
  const held = alone
    .updateTable('subscriber_tally_state')
    .set((row) => ({ past_until: row.ref('past_until') }));
  return (await held.returning('past_until').executeTakeFirstOrThrow()).past_until;
}

async function notePast(alone: Transaction<ServiceTables>, now: number, { atOnce }: Limits): Promise<void> {
  const noted = await holdTallies(alone);
  const forward = noted < now;
  const [after, until] = forward ? [noted, now] : [now, noted];
  const furthest = await alone
    .selectFrom('subscribers')
    .select('expires_at')
    .where('expires_at', '>', after)
    .where('expires_at', '<=', until)
    .orderBy('expires_at', forward ? 'asc' : 'desc')
    .offset(atOnce)
    .limit(1)
    .executeTakeFirst();
  const next = furthest ? furthest.expires_at - 1 : now;
  // Of so many who expire in one and the same ms there are none but by mischief; they stay late.
  if (forward ? next <= noted : next >= noted) return;
  const rows = sql`(select * from subscribers
    where expires_at > ${Math.min(noted, next)} and expires_at <= ${Math.max(noted, next)}) as turned`;
  await addCounts(isPostgres(alone), [
    { rows, sign: 1, isPast: forward ? 1 : 0 },
    { rows, sign: -1, isPast: forward ? 0 : 1 },
  ]).execute(alone);
  await alone.updateTable('subscriber_tally_state').set({ past_until: next }).execute();
}

/** Cuts the begin of a long stretch into short ones; its end keeps the number. */
async function cutNames(
  alone: Transaction<ServiceTables>,
  bucket: number,
  { atOnce, nameSize }: Limits,
): Promise<void> {
  await holdTallies(alone);
  const names = await alone.selectFrom('subscriber_name_buckets').selectAll().orderBy('first').execute();
  const place = names.findIndex((name) => name.bucket === bucket);
  const [long, next] = [names[place], names[place + 1]];
  if (!long) return;
  const within = sql`username_search >= ${long.first}
    ${next ? sql`and username_search < ${next.first}` : sql``}`;
  const cuts = await sql<{ name: string }>`select username_search as name from
    (select username_search, row_number() over (order by username_search) - 1 as place from
      (select username_search from subscribers where ${within} order by username_search limit ${atOnce + 1}) as begin) as placed
    where place > 0 and place % ${sql.lit(nameSize)} = 0 order by username_search`.execute(alone);
  const last = cuts.rows.at(-1);
  if (!last) return;
  await alone
    .updateTable('subscriber_name_buckets')
    .set({ first: last.name })
    .where('bucket', '=', bucket)
    .execute();
  const free = Math.max(...names.map((name) => name.bucket)) + 1;
  const firsts = [long.first, ...cuts.rows.slice(0, -1).map(({ name }) => name)];
  await alone
    .insertInto('subscriber_name_buckets')
    .values(firsts.map((first, index) => ({ bucket: free + index, first })))
    .execute();
  const rows = sql`(select * from subscribers
    where username_search >= ${long.first} and username_search < ${last.name}) as moved`;
  await addCounts(isPostgres(alone), [
    { rows, sign: 1, kind: 'name' },
    { rows, sign: -1, kind: 'name', nameBucket: bucket },
  ]).execute(alone);
}
