import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { isTimeZone } from './extension.ts';
import { ValueStatistics } from '../service/statistics.ts';
import { changes } from './journal.ts';

/**
 * Weeks and days that the overview covers, in each direction; ms that its numbers are kept for everybody; and reads of
 * the service that a server makes for it a minute.
 */
export const overviewLimits = { weeks: 12, days: 30, lifetime: 60_000, readsPerMinute: 60 } as const;

/** A number of subscribers. */
const count = z.int();

/** Those who expire in seven days. `from` is included, `to` is not; both in UTC. */
const Week = z.object({ from: z.string(), to: z.string(), trials: count, paid: count });
export type ExpiryWeek = z.infer<typeof Week>;

export const OverviewNumbers = z.object({
  /** When they were counted, in UTC: the ms after it, because who expires this ms has expired. Weeks begin then. */
  at: z.string(),
  total: count,
  /** Active and not expired. */
  canWatch: count,
  /** Trials that can watch. */
  trials: count,
  expiredTrials: count,
  expiredPaid: count,
  expiringIn7Days: count,
  expiringIn30Days: count,
  /** The id of the status of those who can watch; null where no status has its name. */
  activeStatus: z.nullable(z.int()),
  /** Number with each of the other statuses, of which the first five are counted. */
  otherStatuses: z.array(z.object({ id: z.int(), name: z.string(), count })),
  /** The weeks to come, the next one first, and the weeks that have passed, the latest one last. */
  next: z.array(Week),
  last: z.array(Week),
  /** By bundle and by country; null while the service prepares this, and left out for one that can't count so. */
  values: z.optional(z.nullable(ValueStatistics)),
});
export type OverviewNumbers = z.infer<typeof OverviewNumbers>;

export const Overview = z.object({
  /** Null until they have been counted for the first time. */
  numbers: z.nullable(OverviewNumbers),
  /**
   * Progress of counting, for a service that cannot count by expiry and plan: everybody is read, a page a second. `total`
   * is null for one that can, but takes long.
   */
  counting: z.nullable(z.object({ read: count, total: z.nullable(count) })),
});
export type Overview = z.infer<typeof Overview>;

export const OverviewChangesQuery = z.object({
  /** The zone in which days begin; UTC unless given. */
  zone: z.optional(
    z.string().check(z.maxLength(64), z.refine(isTimeZone, 'Use UTC or a time zone such as Europe/Oslo.')),
  ),
});

/** Changes made here, by the journal. Changes that were not made do not count. */
export const OverviewChanges = z.object({
  /** The last days, today last. `day` such as `2026-11-22`; `from` and `to` in UTC. */
  days: z.array(
    z.object({
      day: z.string(),
      from: z.string(),
      to: z.string(),
      counts: z.record(z.enum(changes), count),
    }),
  ),
  /** Trials that became paid, in periods of seven days, of which the last ends with today. Undone ones do not count. */
  upgrades: z.array(z.object({ from: z.string(), to: z.string(), count })),
});
export type OverviewChanges = z.infer<typeof OverviewChanges>;
