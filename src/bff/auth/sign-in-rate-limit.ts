import type { Kysely } from 'kysely';
import { isRecent } from '../../lib/recent.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import { networkOf } from '../../lib/client-network.ts';
import { sha256, toBase64url } from '../../lib/crypto.ts';
import type { BffTables } from '../schema.ts';

/**
 * How many wrong passwords are allowed within the window (ms), for an account and for an address, of which an IPv6 client
 * has a whole network. An office behind one address shares its number; a browser in which the account has been used before has the account's number to itself.
 * Of a second factor's codes there are only a million, so fewer wrong ones are allowed for an account.
 */
export const signInRateLimit = { window: 30 * 60_000, account: 10, address: 50, codes: 5 } as const;

interface SignInRateLimit {
  /**
   * Refuses at once what is over a limit, before it waits for anything. It only reads.
   *
   * @returns how many passwords were tried from the same address within the window
   * @throws {Problem} `too-many-attempts`, with Retry-After
   */
  check(from: Origin): Promise<number>;
  /**
   * Counts a password before it is hashed.
   *
   * @returns a function to call once the password was right: it forgets those counted for this account from the same
   * origin. Those from elsewhere stay, or an account would be easier to guess the more it is used
   * @throws {Problem} `too-many-attempts`, with Retry-After
   */
  count(from: Origin): Promise<() => Promise<void>>;
}

export interface Origin {
  account: string;
  /** The client's IP address. */
  address: string;
  /** The key of a browser that is known for this account: wrong passwords from elsewhere do not count against it. */
  browser: string | null;
}

/** How often old attempts are deleted, in ms. */
const cleanEvery = 60_000;

/**
 * Counts passwords that are tried, in the database, so that all replicas share the count; or codes of second factors,
 * or passkeys without a password, apart from passwords.
 */
export function createSignInRateLimit(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random'>,
  tried: 'password' | 'code' | 'passkey' = 'password',
): SignInRateLimit {
  const { db, clock, random } = deps;
  const { account: ofPasswords, codes, address } = signInRateLimit;
  const limits = { account: { password: ofPasswords, code: codes, passkey: address }[tried], address };
  // No digest and no address begins with it.
  const prefix = tried === 'password' ? '' : `${tried} `;
  let cleanedAt = -Infinity;
  const read = async (from: Origin): Promise<Counter> => {
    const { browser } = from;
    const account = browser ?? (await sha256(from.account));
    const origin = browser ?? networkOf(from.address);
    return { account: prefix + account, address: prefix + origin, limits, now: clock() };
  };
  return {
    async check(from) {
      const counter = await read(from);
      const counts = await countsOf(db, counter);
      if (isBelow(limits, counts)) return counts.ofAddress;
      throw await tooManyAttempts(db, counter);
    },
    async count(from) {
      const counter = await read(from);
      if (!isRecent(cleanedAt, counter.now, cleanEvery)) {
        cleanedAt = counter.now;
        await deleteOld(db, counter.now);
      }
      const row = { id: toBase64url(random(16)), ...counter };
      const counted = await db.transaction().execute((transaction) => countInTurn(transaction, row));
      if (counted) return () => forget(db, row);
      throw await tooManyAttempts(db, counter);
    },
  };
}

/** What a password counts for, how many are allowed, and when it is tried. */
interface Counter {
  account: string;
  address: string;
  limits: { account: number; address: number };
  now: number;
}

/**
 * Adds one to the count unless a limit is reached. The rows in `sign_in_turns` are locks: a thousand passwords that are
 * tried at once, on any replica, must not all see the count from before.
 */
async function countInTurn(db: Kysely<BffTables>, tried: Counter & { id: string }): Promise<boolean> {
  const { id, account, address, limits, now } = tried;
  // Always the account's lock first, so that no two wait for each other.
  for (const key of [`account ${account}`, `address ${address}`])
    await db
      .insertInto('sign_in_turns')
      .values({ key, at: now })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ at: now }))
      .execute();
  if (!isBelow(limits, await countsOf(db, tried))) return false;
  await db.insertInto('sign_in_attempts').values({ id, account, address, at: now }).execute();
  return true;
}

async function countsOf(db: Kysely<BffTables>, counter: Counter) {
  const { ofAccount, ofAddress } = await db
    .selectNoFrom([
      countOf(db, 'account', counter).as('ofAccount'),
      countOf(db, 'address', counter).as('ofAddress'),
    ])
    .executeTakeFirstOrThrow();
  return { ofAccount: ofAccount ?? 0, ofAddress: ofAddress ?? 0 };
}

const isBelow = (limits: Counter['limits'], { ofAccount, ofAddress }: Awaited<ReturnType<typeof countsOf>>) =>
  ofAccount < limits.account && ofAddress < limits.address;

async function forget(
  db: Kysely<BffTables>,
  { account, address }: Pick<Counter, 'account' | 'address'>,
): Promise<void> {
  const ofAccount = db.deleteFrom('sign_in_attempts').where('account', '=', account);
  await ofAccount.where('address', '=', address).execute();
}

const countOf = (db: Kysely<BffTables>, by: 'account' | 'address', counter: Counter) =>
  db
    .selectFrom('sign_in_attempts')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where(by, '=', counter[by])
    .where('at', '>', counter.now - signInRateLimit.window)
    .where('at', '<=', latest(counter.now));

/** Until when attempts count. The clocks of replicas differ a little, and none that was ahead may lock anybody out. */
const latest = (now: number) => now + 60_000;

/** Deletes those that count no more, and those of a clock that was ahead. */
async function deleteOld(db: Kysely<BffTables>, now: number): Promise<void> {
  for (const table of ['sign_in_attempts', 'sign_in_turns'] as const)
    await db
      .deleteFrom(table)
      .where((row) => row.or([row('at', '<=', now - signInRateLimit.window), row('at', '>', latest(now))]))
      .execute();
}

async function tooManyAttempts(db: Kysely<BffTables>, counter: Counter): Promise<Problem> {
  const free = (await oldestCounted(db, counter)) + signInRateLimit.window;
  const seconds = Math.max(1, Math.ceil((free - counter.now) / 1000));
  const minutes = Math.ceil(seconds / 60);
  return new Problem(
    'too-many-attempts',
    `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** When the oldest one was counted that has to leave the window before the next is allowed. */
async function oldestCounted(db: Kysely<BffTables>, counter: Counter): Promise<number> {
  const times = await Promise.all(
    (['account', 'address'] as const).map(async (by) => {
      const counted = countOf(db, by, counter);
      if ((await counted.executeTakeFirstOrThrow()).count < counter.limits[by]) return 0;
      const first = counted.clearSelect().select('at').orderBy('at');
      return (await first.executeTakeFirst())?.at ?? 0;
    }),
  );
  return Math.max(...times);
}
