import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { fromWallTime, wallTime } from '../../contract/bff/extension.ts';
import { changes, type Change } from '../../contract/bff/journal.ts';
import {
  overviewLimits,
  type OverviewChanges,
  type OverviewChangesQuery,
} from '../../contract/bff/overview.ts';
import type { BffDeps } from '../deps.ts';
import { becamePaid } from '../journal/schema.ts';
import type { BffDb } from '../schema.ts';

export type ChangesParts = Pick<BffDeps, 'db' | 'clock'> & {
  runSlowRead: BffDeps['runSlowRead'] | undefined;
};

const day = 24 * 60 * 60_000;
const iso = (at: number) => new Date(at).toISOString();

/** Most time for a read, in ms, and most zones with stored answers. */
const longest = 30_000;
const zonesAtMost = 100;

/** Reads what was changed, for each zone once a minute. */
export function readChanges({ db, clock, runSlowRead }: ChangesParts) {
  const cached = new Map<string, { at: number; changes: Promise<OverviewChanges> }>();
  return ({ zone: requested = 'UTC' }: z.infer<typeof OverviewChangesQuery>): Promise<OverviewChanges> => {
    // The same zone can be written in many ways.
    const zone = new Intl.DateTimeFormat('en', { timeZone: requested }).resolvedOptions().timeZone;
    const known = cached.get(zone);
    if (known && clock() - known.at < overviewLimits.lifetime) return known.changes;
    const now = clock();
    const read = (from: BffDb) => countChanges(from, zone, now);
    // Others may wait for the same, so it goes on even if this client goes.
    const found = runSlowRead ? runSlowRead(read, AbortSignal.timeout(longest)) : read(db);
    if (cached.size >= zonesAtMost) cached.clear();
    cached.set(zone, { at: now, changes: found });
    found.catch(() => cached.delete(zone));
    return found;
  };
}

/** @param now in ms since 1970 */
async function countChanges(db: BffDb, zone: string, now: number): Promise<OverviewChanges> {
  const { days: daysShown, weeks } = overviewLimits;
  // Midnights by the calendar: a day can have 23 or 25 hours.
  const today = Math.floor(wallTime(now, zone) / day) * day;
  const midnight = (back: number) => fromWallTime(today - back * day, zone);
  const [days, upgrades] = await Promise.all([
    countByDay(
      db,
      Array.from({ length: daysShown + 1 }, (_, index) => midnight(daysShown - 1 - index)),
    ),
    countUpgrades(
      db,
      Array.from({ length: weeks + 1 }, (_, index) => midnight(7 * (weeks - index) - 1)),
    ),
  ]);
  return {
    days: days.map(({ from, to, counts }, index) => {
      const date = new Date(today - (daysShown - 1 - index) * day).toISOString().slice(0, 10);
      return { day: date, from: iso(from), to: iso(to), counts };
    }),
    upgrades: upgrades.map(({ from, to, count }) => ({ from: iso(from), to: iso(to), count })),
  };
}

/** @param limits the beginnings of the periods, and the end of the last, in ms since 1970 */
async function countByDay(db: BffDb, limits: readonly number[]) {
  // As an expression, so that no index by the kind is read: `activity_all` has all the columns, in this order.
  const rows = await countIn(db, limits)
    .select('operation')
    .where(sql<string>`kind || ''`, '=', 'change')
    .where(sql<string>`outcome || ''`, '=', 'done')
    .groupBy('operation')
    .execute();
  return periods(limits).map((range, index) => {
    const counts = Object.fromEntries(changes.map((name) => [name, 0])) as Record<Change, number>;
    for (const row of rows) if (row.period === index) counts[row.operation as Change] = row.count;
    return { ...range, counts };
  });
}

async function countUpgrades(db: BffDb, limits: readonly number[]) {
  const rows = await countIn(db, limits)
    .where(becamePaid)
    // Undoing a change that made somebody a trial converts nobody.
    .where('undo_of', 'is', null)
    .where(
      sql<boolean>`not exists (select 1 from journal as undo where undo.undo_of = journal.id and undo.outcome = 'done')`,
    )
    .execute();
  const counts = new Map(rows.map((row) => [row.period, row.count]));
  return periods(limits).map((range, index) => ({ ...range, count: counts.get(index) ?? 0 }));
}

const periods = (limits: readonly number[]) =>
  limits.slice(0, -1).map((from, index) => ({ from, to: limits[index + 1] ?? from }));

/** Counts entries by the index of the period in which they were made. */
function countIn(db: BffDb, limits: readonly number[]) {
  // The limits are numbers of ours, so they can be in the text.
  const cases = limits.slice(1, -1).map((limit, index) => `when at < ${limit} then ${index}`);
  const last = sql.raw(String(limits.length - 2));
  const period = sql<number>`(case ${sql.raw(cases.join(' '))} else ${last} end)`;
  return db
    .selectFrom('journal')
    .select(period.as('period'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('at', '>=', limits[0] ?? 0)
    .where('at', '<', limits.at(-1) ?? 0)
    .groupBy(period);
}
