import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import type { CurrentUser, RequestContext } from '../request-context.ts';
import type { ProblemCode } from '../../contract/http/problem-codes.ts';

/**
 * How many unknown access tokens an account may search for: `atOnce`, and one more after each pause (in ms). People
 * mistype a few tokens a day; guessing one takes millions. Every replica counts separately.
 */
export const missLimit = { atOnce: 20, pause: 3000 } as const;

/**
 * Finds something for a user, within the limit of the account.
 *
 * @throws {Refusal} `too-many-requests`, with Retry-After, before the search
 */
export type LimitMisses = <T>(
  context: Pick<RequestContext, 'requestId'>,
  user: CurrentUser,
  find: () => Promise<T>,
) => Promise<T>;

/** The codes of answers to an unknown token, and to a text that is no token. */
const misses: readonly ProblemCode[] = ['no-such-subscriber', 'invalid-input'];

/** Limits how often an account searches in vain. Successful searches and failures of the service do not count. */
export function createMissLimit({ clock, log }: Pick<BffDeps, 'clock' | 'log'>): LimitMisses {
  const accounts = new Map<string, Allowance>();
  return async ({ requestId }, { staffId }, find) => {
    if (staffId === null) return find();
    let allowance = accounts.get(staffId);
    // There are few accounts, so none is ever removed.
    if (!allowance) accounts.set(staffId, (allowance = createAllowance(clock())));
    // Taken before, or many requests at once would all see the same number left.
    const wait = allowance.take(clock());
    if (wait > 0) {
      log('warn', 'token-misses-limited', { requestId, staffId });
      throw tooManyMisses(wait);
    }
    let isMiss = false;
    try {
      return await find();
    } catch (error) {
      isMiss = error instanceof Refusal && misses.includes(error.code);
      throw error;
    } finally {
      if (!isMiss) allowance.giveBack();
    }
  };
}

interface Allowance {
  /** Takes one. @returns 0, or how long it takes until there is one, in ms */
  take(now: number): number;
  giveBack(): void;
}

function createAllowance(began: number): Allowance {
  const { atOnce, pause } = missLimit;
  let left: number = atOnce;
  let countedAt = began;
  const giveBack = () => void (left = Math.min(atOnce, left + 1));
  return {
    giveBack,
    take(now) {
      // A clock that is set back must not remove any.
      left = Math.min(atOnce, left + Math.max(0, now - countedAt) / pause);
      countedAt = now;
      if (left < 1) return (1 - left) * pause;
      left -= 1;
      return 0;
    },
  };
}

const tooManyMisses = (ms: number) =>
  new Refusal(
    'too-many-requests',
    'You searched for too many unknown access tokens. Check the token, and try again in a few seconds.',
    { headers: { 'Retry-After': String(Math.ceil(ms / 1000)) } },
  );
