import { createTokenBucket, type TokenBucket } from '../../lib/token-bucket.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import { RefusedByService } from '../upstream/failures.ts';
import type { CurrentUser } from '../current-user.ts';

/**
 * Unknown access tokens that an account may search for: `atOnce`, and one more after each pause (in ms). People mistype
 * a few tokens a day; guessing one takes millions. Every replica counts separately.
 */
export const enumerationLimit = { atOnce: 20, pause: 3000 } as const;

/**
 * Finds something for a user, within the limit of the account for the operation.
 *
 * @throws {Problem} `too-many-requests`, with Retry-After, before the search
 */
type LimitEnumeration = <T>(
  search: { operation: string; requestId: string; user: CurrentUser },
  find: () => Promise<T>,
) => Promise<T>;

/** True if nobody has the token, or the service takes the text for none. */
const isUnknown = (error: unknown) =>
  error instanceof Problem &&
  (error.code === 'no-such-subscriber' ||
    (error.code === 'invalid-input' && error instanceof RefusedByService));

/** Limits how often an account searches in vain. Successful searches and failures of the service do not count. */
export function createEnumerationLimit({ clock, log }: Pick<BffDeps, 'clock' | 'log'>): LimitEnumeration {
  const accounts = new Map<string, TokenBucket>();
  return async ({ operation, requestId, user: { staffId } }, find) => {
    if (staffId === null) return find();
    const key = `${operation} ${staffId}`;
    const { atOnce, pause } = enumerationLimit;
    const allowance = accounts.get(key) ?? createTokenBucket(atOnce, pause, clock());
    // There are few accounts, so none is ever removed.
    accounts.set(key, allowance);
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
      isMiss = isUnknown(error);
      throw error;
    } finally {
      if (!isMiss) allowance.giveBack();
    }
  };
}

const tooManyMisses = (ms: number) =>
  new Problem(
    'too-many-requests',
    'You searched for too many unknown access tokens. Check the token, and try again in a few seconds.',
    { headers: { 'Retry-After': String(Math.ceil(ms / 1000)) } },
  );
