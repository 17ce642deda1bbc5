import { overviewLimits, type ExpiryWeek, type OverviewNumbers } from '../../contract/bff/overview.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { OperationInput } from '../../contract/service/api.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { scanById } from '../../contract/service/scan.ts';
import { statusOfActive, type Subscriber } from '../../contract/service/subscriber.ts';
import type { CallContext, Caller, ReplyTo } from '../upstream/call.ts';
import { badUpstream } from '../upstream/failures.ts';

/** Makes a read of the service; it may wait, or refuse, to keep to the limit of reads. */
export type Read = <N extends 'listSubscribers' | 'listStatuses'>(
  operation: N,
  input: OperationInput<N>,
) => Promise<ReplyTo<N>['data']>;

export const createRead =
  (caller: Caller, context: CallContext, pace: () => Promise<void>): Read =>
  async (operation, input) => {
    await pace();
    return (await caller.call(operation, input, context)).data;
  };

const week = 7 * 24 * 60 * 60_000;
const iso = (at: number) => new Date(at).toISOString();

/** The beginnings of all weeks, the past ones first, and the end of the last. @param at in ms since 1970 */
function limitsOfWeeks(at: number): number[] {
  const { weeks } = overviewLimits;
  return Array.from({ length: 2 * weeks + 1 }, (_, index) => at + (index - weeks) * week);
}

/** How many other statuses are counted; a service has few. */
const statusesAtMost = 5;

async function readStatuses(read: Read) {
  const all = await read('listStatuses', {});
  const active = all.find(({ name }) => name === statusOfActive) ?? all[0];
  if (!active) throw badUpstream();
  return { active, others: all.filter((one) => one !== active).slice(0, statusesAtMost) };
}

/** How many reads a count by filters takes at most. */
export const readsToCount = 4 + statusesAtMost + 2 + 4 * overviewLimits.weeks;

/**
 * Counts by filters, for a service that has them all. Every range is between the same instants, so the numbers are of one
 * moment but for what is changed while they are counted, which takes less than a second.
 *
 * @param at in ms since 1970
 */
export async function countByFilters(read: Read, at: number): Promise<OverviewNumbers> {
  const count = async (query: ListQuery) => {
    const { totalCount } = await read('listSubscribers', { query: { ...query, PageSize: 1 } });
    return totalCount;
  };
  const { active, others } = await readStatuses(read);
  const now = iso(at);
  const limits = limitsOfWeeks(at);
  const ranges = limits
    .slice(0, -1)
    .map((start, index) => [iso(start), iso(limits[index + 1] ?? 0)] as const);
  const queries: ListQuery[] = [
    {},
    { StatusId: active.id, ExpiresFrom: now },
    { IsTrial: true, ExpiresFrom: now },
    { IsTrial: true, ExpiresTo: now },
    { ExpiresFrom: now, ExpiresTo: iso(at + 30 * 24 * 60 * 60_000) },
    ...others.map(({ id }) => ({ StatusId: id })),
    ...[true, false].flatMap((IsTrial) =>
      ranges.map(([ExpiresFrom, ExpiresTo]) => ({ ExpiresFrom, ExpiresTo, IsTrial })),
    ),
  ];
  // Few at once, so that an embedded service answers others between them.
  const counts = await mapConcurrently(queries, 2, count);
  const take = (some: number) => counts.splice(0, some);
  const [total = 0, canWatch = 0, trials = 0, expiredTrials = 0, expiringIn30Days = 0] = take(5);
  const ofOthers = take(others.length);
  const [ofTrials, ofPaid] = [take(ranges.length), take(ranges.length)];
  const otherStatuses = others.map(({ id, name }, index) => ({ id, name, count: ofOthers[index] ?? 0 }));
  const weeks = ranges.map(([from, to], index): ExpiryWeek => {
    return { from, to, trials: ofTrials[index] ?? 0, paid: ofPaid[index] ?? 0 };
  });
  const next = weeks.slice(overviewLimits.weeks);
  return {
    at: now,
    total,
    canWatch,
    trials,
    expiredTrials,
    expiringIn7Days: (next[0]?.trials ?? 0) + (next[0]?.paid ?? 0),
    expiringIn30Days,
    activeStatus: active.id,
    otherStatuses,
    next,
    last: weeks.slice(0, overviewLimits.weeks),
  };
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
  const { active, others } = await readStatuses(read);
  const limits = limitsOfWeeks(at);
  const weeks = limits.slice(0, -1).map((from, index) => ({
    from: iso(from),
    to: iso(limits[index + 1] ?? 0),
    trials: 0,
    paid: 0,
  }));
  const numbers = {
    total: 0,
    canWatch: 0,
    trials: 0,
    expiredTrials: 0,
    expiringIn7Days: 0,
    expiringIn30Days: 0,
  };
  const byStatus = new Map(others.map(({ id }) => [id, 0]));
  const add = ({ expiresAt, isTrial, status }: Subscriber) => {
    const expiry = Date.parse(expiresAt);
    const isExpired = expiry < at;
    numbers.total += 1;
    if (!isExpired && status === active.id) numbers.canWatch += 1;
    if (isTrial) numbers[isExpired ? 'expiredTrials' : 'trials'] += 1;
    if (!isExpired && expiry < at + week) numbers.expiringIn7Days += 1;
    if (!isExpired && expiry < at + 30 * 24 * 60 * 60_000) numbers.expiringIn30Days += 1;
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    const own = weeks[Math.floor((expiry - (limits[0] ?? 0)) / week)];
    if (own) own[isTrial ? 'trials' : 'paid'] += 1;
  };
  const readPage = (Page: number, PageSize: number) => read('listSubscribers', { query: { Page, PageSize } });
  for await (const { rows, totalCount } of scanById<Subscriber>(readPage)) {
    for (const row of rows) add(row);
    onProgress({ read: numbers.total, total: Math.max(totalCount, numbers.total) });
  }
  return {
    at: iso(at),
    ...numbers,
    activeStatus: active.id,
    otherStatuses: others.map(({ id, name }) => ({ id, name, count: byStatus.get(id) ?? 0 })),
    next: weeks.slice(overviewLimits.weeks),
    last: weeks.slice(0, overviewLimits.weeks),
  };
}
