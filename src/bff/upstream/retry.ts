import { api, type OperationName } from '../../contract/service/api.ts';
import type { WrittenCall } from '../../contract/http/client.ts';
import { problems } from '../../contract/http/problem-answer.ts';
import { codeOf } from '../../contract/http/problem.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import type { Breaker } from './breaker.ts';
import { failureOf, UnusableAnswer, upstreamBusy, upstreamTimeout } from './failures.ts';
import type { UpstreamLimits } from './limits.ts';
import { readProblem } from './read-problem.ts';
import { readRetryAfter } from './retry-after.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { within, type Send } from './send.ts';

/** The longest pause before each further attempt, the longest that a service may ask for, all in ms. */
export const retryPauses = { before: [200, 400], asked: 5_000 } as const;

/** One retry is earned by ten calls, and a few may be saved up, so that retries never make a bad hour worse. */
export const retryBudget = { share: 0.1, most: 10, atStart: 2 } as const;

/** Statuses after which another attempt may do better. */
const passing = [429, 502, 503, 504];

interface Deps extends Pick<BffDeps, 'clock' | 'random'> {
  send: Send;
  breaker: Breaker;
  wait: (ms: number) => Promise<void>;
  limits: UpstreamLimits;
}

/** Sends a read again where that may help, and a write never: its first attempt may have done its work. */
export function createRetryingSend(deps: Deps): Send {
  const { send, breaker, clock, wait, limits } = deps;
  const budget = createBudget();
  return async (operation, call, signal) => {
    const deadline = clock() + limits.total;
    const attempt = () => settled(breaker.run(() => send(operation, call, signal)));
    budget.earn();
    let outcome = await attempt();
    for (const most of isRead(operation, call) ? retryPauses.before : []) {
      const asked = askedFor(outcome, clock());
      if (asked === null || !breaker.isClosed()) break;
      const pause = asked + most * fraction(deps.random);
      if (asked > retryPauses.asked || clock() + pause >= deadline || !budget.spend()) break;
      await within(signal, wait(pause), upstreamTimeout);
      outcome = await attempt();
    }
    return answerOf(outcome, clock());
  };
}

/** By what the operation does as well as by its method: another service may change things by GET. */
function isRead(operation: OperationName, { method }: WrittenCall): boolean {
  return method === 'GET' && api[operation].method === 'GET';
}

type Outcome = UpstreamAnswer | Refusal;

async function settled(attempt: Promise<UpstreamAnswer>): Promise<Outcome> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** How long the service asks to wait before another attempt, in ms; null where another would not help. */
function askedFor(outcome: Outcome, now: number): number | null {
  if (!(outcome instanceof Refusal))
    return passing.includes(outcome.status) ? (readRetryAfter(outcome.headers, now) ?? 0) : null;
  const brokenOff = outcome.cause instanceof UnusableAnswer && outcome.cause.code === 'BROKEN_OFF';
  return outcome.code === 'upstream-unreachable' || brokenOff ? 0 : null;
}

function answerOf(outcome: Outcome, now: number): UpstreamAnswer {
  if (outcome instanceof Refusal) throw outcome;
  if (!passing.includes(outcome.status)) return outcome;
  const retryAfter = readRetryAfter(outcome.headers, now);
  throw isBusy(outcome) ? upstreamBusy(retryAfter) : failureOf(outcome.status, retryAfter);
}

/** Whether the service is there and only too busy, as where another process writes to its SQLite file. */
function isBusy(answer: UpstreamAnswer): boolean {
  const problem = readProblem(answer);
  return answer.status === problems.busy[0] && problem !== null && codeOf(problem) === 'busy';
}

function createBudget() {
  let saved: number = retryBudget.atStart;
  return {
    earn: () => void (saved = Math.min(saved + retryBudget.share, retryBudget.most)),
    spend() {
      if (saved < 1) return false;
      saved -= 1;
      return true;
    },
  };
}

/** From 0 to just below 1. */
function fraction(random: BffDeps['random']): number {
  return random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32;
}
