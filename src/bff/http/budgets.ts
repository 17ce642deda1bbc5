import { budgetOf, type Budget, type ReadBudget, type WriteBudget } from '../../contract/bff/permission.ts';
import type { Answer } from '../../contract/http/answer.ts';
import { Problem } from '../../contract/http/problem.ts';
import { createTokenBucket, type TokenBucket } from '../../lib/token-bucket.ts';
import type { CurrentUser } from '../current-user.ts';
import type { BffDeps } from '../deps.ts';
import { pause } from '../upstream/exchange.ts';
import type { RequestContext } from './context.ts';
import { createEnumerationLimit, createReadLimits } from './read-limits.ts';
import type { Route } from './router.ts';

/**
 * The size of each budget of an account, and how much comes back in a minute. Nobody presses two buttons a second for a
 * minute; a script that does fills a journal which nobody can empty. Every replica counts for itself.
 */
export const writeLimits = {
  write: { atOnce: 120, perMinute: 120 },
  note: { atOnce: 240, perMinute: 240 },
  part: { atOnce: 1200, perMinute: 1200 },
  job: { atOnce: 20, perMinute: 20 },
  export: { atOnce: 10, perMinute: 10 },
  password: { atOnce: 10, perMinute: 10 },
  signIn: { atOnce: 60, perMinute: 20 },
} satisfies Record<WriteBudget, { atOnce: number; perMinute: number }>;

/**
 * Takes one from a budget of an account.
 *
 * @throws {Problem} `too-many-requests`, with Retry-After
 */
export type Spend = (budget: WriteBudget, staffId: string) => void;

/** Does the work of a route within what its account still has of the budget that the row names, before anything waits or is read. */
interface Budgets {
  run(
    route: Pick<Route, 'row' | 'operation'>,
    context: RequestContext,
    user: CurrentUser,
    work: () => Promise<Answer>,
  ): Promise<Answer>;
  spend: Spend;
}

export function createBudgets(deps: Pick<BffDeps, 'clock' | 'log' | 'wait' | 'accountLimits'>): Budgets {
  const { clock, wait = pause, accountLimits } = deps;
  const limitEnumeration = createEnumerationLimit(deps);
  const runRead = accountLimits && createReadLimits({ clock, wait }, accountLimits);
  const spend = accountLimits ? createSpend(clock) : () => undefined;
  return {
    spend,
    async run({ row, operation }, { requestId, signal, recheckAccess }, user, work) {
      const budget = budgetOf(row);
      if (budget === null) return work();
      if (!isRead(budget)) {
        if (user.staffId !== null) spend(budget, user.staffId);
        return work();
      }
      const read =
        budget === 'tokenSearch' ? () => limitEnumeration({ operation, requestId, user }, work) : work;
      return runRead ? runRead({ isList: budget === 'list', user, signal, recheckAccess }, read) : read();
    },
  };
}

const isRead = (budget: Budget): budget is ReadBudget => !(budget in writeLimits);

function createSpend(clock: () => number): Spend {
  // There are few accounts, so none is ever removed.
  const buckets = new Map<string, TokenBucket>();
  return (budget, staffId) => {
    const { atOnce, perMinute } = writeLimits[budget];
    const key = `${budget} ${staffId}`;
    const bucket = buckets.get(key) ?? createTokenBucket(atOnce, 60_000 / perMinute, clock());
    buckets.set(key, bucket);
    const ms = bucket.take(clock());
    if (ms > 0) throw tooMuch(Math.ceil(ms / 1000));
  };
}

const tooMuch = (seconds: number) =>
  new Problem(
    'too-many-requests',
    `Your account does too much at once. Nothing was changed. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
