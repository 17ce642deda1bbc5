import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import { doneStatuses, readProblemCode } from './answer.ts';
import {
  reasonOf,
  within,
  type RequestName,
  type Send,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamLimits,
} from './exchange.ts';
import {
  badUpstream,
  failureFrom,
  GivenUp,
  databaseFault,
  failureOf,
  isDatabaseFault,
  UnusableAnswer,
  upstreamPaused,
  upstreamTimeout,
  type DatabaseFault,
} from './failures.ts';
import type { WrittenCall } from '../../contract/http/endpoint.ts';
import { api } from '../../contract/service/api.ts';
import { createTokenBucket } from '../../lib/token-bucket.ts';
import { problems } from '../../contract/http/problem-codes.ts';

/** The statuses of a success, and the refusals of the contract. Others are logged. */
const usualStatuses = [...doneStatuses, 404, 412, 422];

/** Requests whose answer may be as large as the limit of a list. All others answer at most one record. */
const lists: readonly RequestName[] = ['listSubscribers', 'listBundles'];

/**
 * Makes `Send` from an exchange: with limits of time and size, errors as refusals, and failures in the log.
 *
 * @param deps.onCall called after each request has ended
 */
export function createSend(
  deps: Pick<BffDeps, 'upstream' | 'clock' | 'log'> & {
    limits: UpstreamLimits;
    onCall: (call: UpstreamCall) => void;
  },
): Send {
  const { upstream, clock, log, limits, onCall } = deps;
  return async (operation, call, signal) => {
    const fields = { operation, requestId: call.headers['X-Request-Id'] ?? null };
    const began = clock();
    const end = (outcome: string) => onCall({ ...fields, ms: clock() - began, outcome });
    try {
      const maxBytes = lists.includes(operation) ? limits.bytes : limits.recordBytes;
      const request = { ...call, operation, signal, maxBytes };
      const answer = await within(signal, upstream.exchange(request), failureFrom);
      // We asked for plain bytes, and the exchange has unpacked what it can.
      if (!isPlain(answer.headers)) throw badUpstream();
      const { status } = answer;
      if (!usualStatuses.includes(status)) {
        const code = readProblemCode(answer);
        log('warn', 'upstream-answered', { ...fields, status, ...(code !== null && { code }) });
      }
      end(`${Math.floor(status / 100)}xx`);
      return answer;
    } catch (error) {
      if (error instanceof GivenUp) end('given-up');
      else if (error instanceof Problem) {
        end(error.code);
        log('warn', 'upstream-failed', { ...fields, code: error.code, reason: reasonOf(error.cause) });
      }
      throw error;
    }
  };
}

function isPlain(headers: UpstreamAnswer['headers']): boolean {
  return ['', 'identity'].includes(headers.get('Content-Encoding')?.trim().toLowerCase() ?? '');
}

/**
 * Failures in a row after which the service is asked whether it is down; most time for its answer, and time that the breaker stays
 * open before the next probe, in ms.
 */
export const breakerLimits = { failures: 5, answer: 3_000, pause: 10_000 } as const;

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * A circuit breaker: it relieves a service that does not answer, and the people who would wait for it. While closed it lets all
 * calls through. After some failures in a row it asks the service itself, and opens where that fails, too. Open it refuses calls,
 * and asks again from time to time, when somebody calls.
 *
 * @param isUp asks the service for what it can always answer. Calls that failed may have been too much for it: one person's search
 *   must not keep everybody else away
 */
export function createBreaker({ clock, log }: Pick<BffDeps, 'clock' | 'log'>, isUp: () => Promise<boolean>) {
  let failures = 0;
  let openUntil: number | null = null;
  let asking = false;
  // Counts openings and closings: the result of a call that began before the last one is ignored.
  let generation = 0;

  const switchTo = (until: number | null) => {
    if ((openUntil === null) !== (until === null))
      log('warn', 'upstream-breaker', { state: until === null ? 'closed' : 'open' });
    openUntil = until;
    failures = 0;
    generation += 1;
  };

  const ask = async () => {
    const began = generation;
    asking = true;
    const up = await isUp();
    asking = false;
    if (began === generation) switchTo(up ? null : clock() + breakerLimits.pause);
  };

  const record = (began: number, answered: boolean) => {
    if (began !== generation || openUntil !== null) return;
    failures = answered ? 0 : failures + 1;
    if (failures >= breakerLimits.failures && !asking) void ask();
  };

  const refuse = () => upstreamPaused(Math.max((openUntil ?? 0) - clock(), 0));

  return {
    /** True if all calls are let through. */
    isClosed: () => openUntil === null,
    /** To be called before a call is made. @throws {Problem} `upstream-unreachable` if it is not let through */
    async enter(): Promise<void> {
      if (openUntil !== null && (clock() < openUntil || asking)) throw refuse();
      if (openUntil !== null) await ask();
      if (openUntil !== null) throw refuse();
    },
    /** Makes one call, and counts how it ends. @throws what the call throws */
    async watch(call: () => Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
      const began = generation;
      try {
        const answer = await call();
        record(began, !isDown(answer));
        return answer;
      } catch (error) {
        // An unusable answer still shows that the service is running.
        if (!(error instanceof GivenUp))
          record(began, error instanceof Problem && error.code === 'bad-upstream');
        throw error;
      }
    },
  };
}

/** The longest pause before each retry, and the longest pause that a service may ask for, in ms. */
const retryPauses = { before: [200, 400], requested: 5_000 } as const;

/** Ten calls earn one retry, and a few can be saved up. So retries never make an overload much worse. */
const retryBudget = { callsForOne: 10, most: 10, atStart: 2 } as const;

/** Statuses after which a retry may succeed. */
const transient = [429, 502, 503, 504];

interface Deps extends Pick<BffDeps, 'clock' | 'random'> {
  send: Send;
  breaker: Breaker;
  wait: (ms: number) => Promise<void>;
  limits: UpstreamLimits;
}

/** Sends a failed read again if that may help. Never repeats a change, because the first request may have made it. */
export function createRetryingSend(deps: Deps): Send {
  const { send, breaker, clock, wait, limits } = deps;
  const { callsForOne, most: mostSaved, atStart } = retryBudget;
  const budget = createTokenBucket(mostSaved, callsForOne, 0, atStart);
  let calls = 0;
  return async (operation, call, signal) => {
    const deadline = clock() + limits.total;
    const tryOnce = () => outcomeOf(breaker.watch(() => send(operation, call, signal)));
    calls += 1;
    let outcome = await tryOnce();
    for (const most of isRead(operation, call) ? retryPauses.before : []) {
      const requested = requestedPause(outcome, clock());
      if (requested === null || !breaker.isClosed()) break;
      const pause = requested + most * fraction(deps.random);
      if (requested > retryPauses.requested || clock() + pause >= deadline || budget.take(calls) > 0) break;
      await within(signal, wait(pause), upstreamTimeout);
      outcome = await tryOnce();
    }
    return answerOf(outcome, clock());
  };
}

/** Checks the operation as well as the method, because another service may make changes by GET. */
function isRead(operation: RequestName, { method }: WrittenCall): boolean {
  return method === 'GET' && (operation === 'listBundles' || api[operation].method === 'GET');
}

type AnswerOrProblem = UpstreamAnswer | Problem;

async function outcomeOf(answer: Promise<UpstreamAnswer>): Promise<AnswerOrProblem> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Pause before a retry, as the service asks, in ms; null if a retry would not help. */
function requestedPause(outcome: AnswerOrProblem, now: number): number | null {
  if (!(outcome instanceof Problem))
    return transient.includes(outcome.status) ? (readRetryAfter(outcome.headers, now) ?? 0) : null;
  const brokenOff = outcome.cause instanceof UnusableAnswer && outcome.cause.code === 'BROKEN_OFF';
  return outcome.code === 'upstream-unreachable' || brokenOff ? 0 : null;
}

function answerOf(outcome: AnswerOrProblem, now: number): UpstreamAnswer {
  if (outcome instanceof Problem) throw outcome;
  if (!transient.includes(outcome.status)) return outcome;
  const retryAfter = readRetryAfter(outcome.headers, now);
  const fault = faultOf(outcome);
  throw fault === null ? failureOf(outcome.status, retryAfter) : databaseFault(fault, retryAfter);
}

function faultOf(answer: UpstreamAnswer): DatabaseFault | null {
  if (answer.status !== problems.busy[0]) return null;
  const code = readProblemCode(answer) ?? '';
  return isDatabaseFault(code) ? code : null;
}

/** True if the service is down, or a gateway says so. One that only cannot write right now can still be read. */
export function isDown(answer: UpstreamAnswer): boolean {
  return [502, 503, 504].includes(answer.status) && !['busy', 'disk-full'].includes(faultOf(answer) ?? '');
}

/** A random number, at least 0 and below 1. */
export function fraction(random: BffDeps['random']): number {
  return random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32;
}

/**
 * Reads `Retry-After`, in seconds or as a date (RFC 9110 section 10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns how long to wait, in ms, at most one day; null if the header is missing or cannot be read
 */
export function readRetryAfter(headers: Pick<Headers, 'get'>, now: number): number | null {
  const text = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longest);
  // A date begins with a weekday. Date.parse alone would read `-1` and `1.5` as years and months.
  const time = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.min(Math.max(0, time - now), longest);
}

/** One day. */
const longest = 24 * 60 * 60_000;
