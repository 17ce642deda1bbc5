import { overviewLimits, type ExpiryWeek, type OverviewNumbers } from '../../contract/bff/overview.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { OperationInput } from '../../contract/service/api.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { scanById } from '../../contract/service/scan.ts';
import { statusOfActive } from '../../contract/service/limits.ts';
import type { Status, Subscriber } from '../../contract/service/subscriber.ts';
import type { CallContext, Caller, ReplyTo } from '../upstream/call.ts';

/** Makes a read of the service; it may wait, or refuse, to keep to the limit of reads. */
type Read = <N extends 'listSubscribers' | 'listStatuses' | 'getStatistics'>(
  operation: N,
  input: OperationInput<N>,
) => Promise<ReplyTo<N>['data']>;

export const createRead =
  (caller: Caller, context: CallContext, pace?: () => Promise<void>): Read =>
  async (operation, input) => {
    await pace?.();
    return (await caller.call(operation, input, context)).data;
  };

const week = 7 * 24 * 60 * 60_000;
const iso = (at: number) => new Date(at).toISOString();

/** The beginnings of all weeks, the past ones first, and the end of the last. @param at in ms since 1970 */
function limitsOfWeeks(at: number): number[] {
  const { weeks } = overviewLimits;
  return Array.from({ length: 2 * weeks + 1 }, (_, index) => at + (index - weeks) * week);
}

/** Most other statuses that are counted; a service has few. */
const statusesAtMost = 5;

const readStatuses = async (read: Read) => chooseStatuses(await read('listStatuses', {}));

/** Without a status of that name nobody is active: what others mean, the service does not say. */
function chooseStatuses(all: readonly Status[]) {
  const active = all.find(({ name }) => name === statusOfActive)?.id ?? null;
  return { active, others: all.filter(({ id }) => id !== active).slice(0, statusesAtMost) };
}

type Statuses = ReturnType<typeof chooseStatuses>;

/** Most reads of a count by filters. */
export const readsToCount = 7 + statusesAtMost + 4 * overviewLimits.weeks;

/**
 * Counts by filters, for a service that has them all. Every range is between the same instants, so the numbers are of one
 * moment but for what is changed while they are counted, which takes less than a second.
 *
 * @param at in ms since 1970
 */
export async function countByFilters(read: Read, at: number): Promise<OverviewNumbers> {
  const count = async (query: ListQuery | null) => {
    if (query === null) return 0;
    const { totalCount } = await read('listSubscribers', { query: { ...query, PageSize: 1 } });
    return totalCount;
  };
  const { active, others } = await readStatuses(read);
  const now = iso(at);
  const limits = limitsOfWeeks(at);
  const ranges = limits
    .slice(0, -1)
    .map((start, index) => [iso(start), iso(limits[index + 1] ?? 0)] as const);
  const ofActive = active === null ? null : { StatusId: active, ExpiresFrom: now };
  const queries: (ListQuery | null)[] = [
    {},
    ofActive,
    ofActive && { ...ofActive, IsTrial: true },
    { IsTrial: true, ExpiresTo: now },
    { IsTrial: false, ExpiresTo: now },
    { ExpiresFrom: now, ExpiresTo: iso(inThirtyDays(at)) },
    ...others.map(({ id }) => ({ StatusId: id })),
    ...[true, false].flatMap((IsTrial) =>
      ranges.map(([ExpiresFrom, ExpiresTo]) => ({ ExpiresFrom, ExpiresTo, IsTrial })),
    ),
  ];
  // Few at once, so that an embedded service answers others between them.
  const counts = await mapConcurrently(queries, 2, count);
  const take = (some: number) => counts.splice(0, some);
  const [total = 0, canWatch = 0, trials = 0, expiredTrials = 0, expiredPaid = 0, expiringIn30Days = 0] =
    take(6);
  const ofOthers = take(others.length);
  const [ofTrials, ofPaid] = [take(ranges.length), take(ranges.length)];
  const weeks = ranges.map(([from, to], index): ExpiryWeek => {
    return { from, to, trials: ofTrials[index] ?? 0, paid: ofPaid[index] ?? 0 };
  });
  const { trials: nextTrials = 0, paid: nextPaid = 0 } = weeks[overviewLimits.weeks] ?? {};
  const expiringIn7Days = nextTrials + nextPaid;
  const sums = { total, canWatch, trials, expiredTrials, expiredPaid, expiringIn7Days, expiringIn30Days };
  const byStatus = new Map(others.map(({ id }, index) => [id, ofOthers[index] ?? 0]));
  return toNumbers(at, { active, others }, sums, byStatus, weeks);
}

/** @param weeks the past ones first */
const toNumbers = (
  at: number,
  { active, others }: Statuses,
  sums: Pick<OverviewNumbers, keyof typeof noSums>,
  byStatus: ReadonlyMap<number, number>,
  weeks: ExpiryWeek[],
): OverviewNumbers => ({
  at: iso(at),
  ...sums,
  activeStatus: active,
  otherStatuses: others.map(({ id, name }) => ({ id, name, count: byStatus.get(id) ?? 0 })),
  next: weeks.slice(overviewLimits.weeks),
  last: weeks.slice(0, overviewLimits.weeks),
});

const noSums = {
  total: 0,
  canWatch: 0,
  trials: 0,
  expiredTrials: 0,
  expiredPaid: 0,
  expiringIn7Days: 0,
  expiringIn30Days: 0,
};

/** The counted part of a subscriber. */
type Counted = Pick<Subscriber, 'expiresAt' | 'isTrial' | 'status'>;

/** Adds up the numbers of one moment. @param at in ms since 1970 */
function createNumbers(at: number, statuses: Statuses) {
  const limits = limitsOfWeeks(at);
  const weeks = limits.slice(0, -1).map((from, index) => ({
    from: iso(from),
    to: iso(limits[index + 1] ?? 0),
    trials: 0,
    paid: 0,
  }));
  const numbers = { ...noSums };
  const byStatus = new Map<number, number>();
  return {
    /** Adds subscribers that are alike. */
    add({ expiresAt, isTrial, status }: Counted, count = 1) {
      const expiry = Date.parse(expiresAt);
      // Neither holds where the expiry can't be read.
      const [isExpired, isValid] = [expiry < at, expiry >= at];
      numbers.total += count;
      const canWatch = isValid && status === statuses.active;
      if (canWatch) numbers.canWatch += count;
      if (canWatch && isTrial) numbers.trials += count;
      if (isExpired) numbers[isTrial ? 'expiredTrials' : 'expiredPaid'] += count;
      if (isValid && expiry < at + week) numbers.expiringIn7Days += count;
      if (isValid && expiry < inThirtyDays(at)) numbers.expiringIn30Days += count;
      byStatus.set(status, (byStatus.get(status) ?? 0) + count);
      const own = weeks[Math.floor((expiry - (limits[0] ?? 0)) / week)];
      if (own) own[isTrial ? 'trials' : 'paid'] += count;
    },
    result: () => toNumbers(at, statuses, numbers, byStatus, weeks),
  };
}

const inThirtyDays = (at: number) => at + 30 * 24 * 60 * 60_000;

/** Counts by one request, for a service that can count. @param at in ms since 1970 */
export async function countByStatistics(read: Read, at: number): Promise<OverviewNumbers> {
  const limits = [...limitsOfWeeks(at), inThirtyDays(at)].toSorted((one, other) => one - other);
  const { statuses, groups, values } = await read('getStatistics', { query: { Limits: limits.map(iso) } });
  const numbers = createNumbers(at, chooseStatuses(statuses));
  // Before the first limit, nobody's week is shown.
  for (const { from, count, ...group } of groups)
    numbers.add({ ...group, expiresAt: from ?? iso((limits[0] ?? at) - 1) }, count);
  return { ...numbers.result(), ...(values !== undefined && { values }) };
}

/**
 * Counts by reading everybody, for a service that cannot filter by expiry or plan.
 *
 * @param at in ms since 1970
 * @param onProgress called after each page
 */
export async function countByScan(
  read: Read,
  at: number,
  onProgress: (progress: { read: number; total: number }) => void,
): Promise<OverviewNumbers> {
  const numbers = createNumbers(at, await readStatuses(read));
  const readPage = (Page: number, PageSize: number) => read('listSubscribers', { query: { Page, PageSize } });
  let done = 0;
  for await (const { rows, totalCount } of scanById<Subscriber>(readPage)) {
    for (const row of rows) numbers.add(row);
    done += rows.length;
    onProgress({ read: done, total: Math.max(totalCount, done) });
  }
  return numbers.result();
}
