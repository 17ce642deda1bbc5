import { overviewLimits, type Overview, type OverviewNumbers } from '../../contract/bff/overview.ts';
import { ApiError } from '../../contract/http/client.ts';
import { Problem } from '../../contract/http/problem.ts';
import { createTokenBucket } from '../../lib/token-bucket.ts';
import { resolveTime } from '../../contract/service/times.ts';
import type { BffDeps } from '../deps.ts';
import type { RequestContext } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import type { Caller } from '../upstream/call.ts';
import { rethrow, withDeadline, within } from '../upstream/exchange.ts';
import { readChanges, type ChangesParts } from './changes.ts';
import { countByFilters, countByScan, countByStatistics, createRead, readsToCount } from './numbers.ts';

export interface OverviewRouteParts extends Pick<BffDeps, 'clock' | 'upstream'>, Omit<ChangesParts, 'clock'> {
  caller: Caller;
  wait: (ms: number) => Promise<void>;
}

export function createOverviewRoutes(parts: OverviewRouteParts) {
  const overview = createOverview(parts);
  const changes = readChanges(parts);
  return {
    getOverview: async (_, context) => await overview(context),
    getOverviewChanges: async ({ query }) => await changes(query),
  } satisfies Partial<BffHandlers>;
}

/** Most time that an answer waits for the numbers, in ms. Counting goes on after it. */
const patience = 10_000;

/** The filters that a service needs for counting by them. */
const neededFilters = ['IsTrial', 'ExpiresFrom', 'ExpiresTo'] as const;

/**
 * The numbers of the overview: counted when somebody asks, kept for a minute and shared by everybody, with a limited
 * number of reads a minute.
 */
function createOverview({ caller, clock, upstream, wait }: OverviewRouteParts) {
  const canCount = upstream.extensions.includes('getStatistics');
  const isQuick = canCount || neededFilters.every((name) => upstream.extensions.includes(name));
  const { readsPerMinute, lifetime } = overviewLimits;
  const budget = createTokenBucket(readsPerMinute, 60_000 / readsPerMinute, clock());
  /** `for`: how long they are kept, in ms. What took long to count is kept as long. */
  let cached: { numbers: OverviewNumbers; at: number; for: number } | null = null;
  let running: Promise<OverviewNumbers> | null = null;
  let counting: Overview['counting'] = null;
  let failure: { error: unknown; at: number } | null = null;

  const pace = async () => {
    for (let ms = budget.take(clock()); ms > 0; ms = budget.take(clock())) await wait(ms);
  };

  const count = async ({ requestId }: RequestContext): Promise<OverviewNumbers> => {
    // It goes on for everybody, also when this client has gone. Reading needs no more than a viewer may.
    const call = { role: 'viewer', requestId, ifMatch: null, fresh: true } as const;
    const at = resolveTime('now', clock());
    if (!isQuick) return countByScan(createRead(caller, call, pace), at, (progress) => (counting = progress));
    // What was counted is kept for a minute, so the budget ends only while counting fails.
    const isSpent = budget.take(clock(), canCount ? 1 : readsToCount) > 0;
    if (isSpent && failure !== null) throw failure.error;
    const read = createRead(caller, call);
    return canCount ? countByStatistics(read, at) : countByFilters(read, at);
  };

  const start = (context: RequestContext): Promise<OverviewNumbers> => {
    const began = clock();
    running ??= count(context)
      .then((numbers) => {
        cached = { numbers, at: clock(), for: Math.max(lifetime, clock() - began) };
        failure = null;
        return numbers;
      })
      .catch((error: unknown) => {
        const reason = error instanceof ApiError ? new Problem('bad-upstream', error.message) : error;
        failure = { error: reason, at: clock() };
        throw reason;
      })
      .finally(() => {
        running = null;
        counting = null;
      });
    return running;
  };

  /** The answer until counting is done: with the numbers of before. */
  const meanwhile = (): Overview => ({
    numbers: cached?.numbers ?? null,
    counting: counting ?? { read: 0, total: isQuick ? null : 0 },
  });

  return async (context: RequestContext): Promise<Overview> => {
    if (cached && clock() - cached.at < cached.for) return { numbers: cached.numbers, counting: null };
    if (isQuick) {
      const counted = start(context);
      try {
        const numbers = await withDeadline(patience, (signal) => within(signal, counted, rethrow));
        return { numbers, counting: null };
      } catch (error) {
        if (running === null) throw error;
        return meanwhile();
      }
    }
    if (failure !== null && !running) {
      const { error, at } = failure;
      failure = null;
      if (clock() - at < lifetime) throw error;
    }
    // Counting goes on by itself.
    start(context).catch(() => {});
    return meanwhile();
  };
}
