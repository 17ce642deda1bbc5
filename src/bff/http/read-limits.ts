import { createTokenBucket, type TokenBucket } from '../../lib/token-bucket.ts';
import { createQueue, type Queue } from '../../lib/queue.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps, ReadLimits } from '../deps.ts';
import type { CurrentUser } from '../current-user.ts';
import { RefusedByService } from '../upstream/failures.ts';

/**
 * A person with several tabs stays far below; a script comes down to so many reads a second.
 *
 * @param perSecond above 0
 */
export const readLimitsOf = (perSecond: number): ReadLimits => ({
  reads: { atOnce: 8, mostWaiting: 24, patience: 10_000 },
  lists: 2,
  perSecond,
  burst: 5 * perSecond,
});

/**
 * Runs a read of a user within the limits of the account. After one has waited, its session is looked at again.
 *
 * @throws {Problem} `too-many-requests`, with Retry-After, if too many reads are waiting already
 */
type RunRead = <T>(
  read: {
    isList: boolean;
    user: CurrentUser;
    signal: () => AbortSignal;
    recheckAccess: () => Promise<unknown>;
  },
  task: () => Promise<T>,
) => Promise<T>;

/** Limits the reads of each account before any work begins, so that one script cannot slow down everyone else. */
export function createReadLimits(
  { clock, wait }: Pick<BffDeps, 'clock'> & { wait: (ms: number) => Promise<void> },
  limits: ReadLimits,
): RunRead {
  const accounts = new Map<string, Account>();
  return (read, task) => {
    const { isList, user } = read;
    if (user.staffId === null) return task();
    let account = accounts.get(user.staffId);
    // There are few accounts, so none is ever removed.
    if (!account) accounts.set(user.staffId, (account = createAccount(limits, clock())));
    const { reads, listing, rate } = account;
    const signal = read.signal();
    let hasWaited = false;
    const begin = async () => {
      if (hasWaited) await read.recheckAccess();
      return task();
    };
    const result = reads.run(async () => {
      const ms = rate.borrow(clock());
      if (ms > 0) await wait(ms);
      if (signal.aborted) throw tooManyRequests();
      return isList ? listing.run(begin, signal) : begin();
    }, signal);
    // One that has its turn at once has begun by now.
    hasWaited = true;
    return result;
  };
}

interface Account {
  reads: Queue;
  listing: Queue;
  /** Each read takes one token. */
  rate: TokenBucket;
}

function createAccount({ reads, lists: atOnce, perSecond, burst }: ReadLimits, began: number): Account {
  return {
    reads: createQueue({ ...reads, refusal: tooManyRequests }),
    // A read that may run may also wait here, so this queue refuses none.
    listing: createQueue({ ...reads, atOnce, mostWaiting: reads.atOnce, refusal: tooManyRequests }),
    rate: createTokenBucket(burst, 1000 / perSecond, began),
  };
}

const tooManyRequests = () =>
  new Problem(
    'too-many-requests',
    'Your account sends too many requests. Nothing was changed. Try again in a few seconds.',
    { headers: { 'Retry-After': '5' } },
  );

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
