import { createTokenBucket, type TokenBucket } from '../../lib/token-bucket.ts';
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
  const accounts = new Map<string, TokenBucket>();
  return async ({ requestId }, { staffId }, find) => {
    if (staffId === null) return find();
    const { atOnce, pause } = missLimit;
    const allowance = accounts.get(staffId) ?? createTokenBucket(atOnce, pause, clock());
    // There are few accounts, so none is ever removed.
    accounts.set(staffId, allowance);
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

const tooManyMisses = (ms: number) =>
  new Refusal(
    'too-many-requests',
    'You searched for too many unknown access tokens. Check the token, and try again in a few seconds.',
    { headers: { 'Retry-After': String(Math.ceil(ms / 1000)) } },
  );
