import type { Kysely } from 'kysely';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import { sha256, toBase64url } from '../../contract/http/crypto.ts';
import type { BffTables } from '../schema.ts';

/**
 * How many wrong passwords are allowed within the window (ms), for an account and for an address. An office behind one
 * address shares its number; a browser in which the account has been used before has the account's number to itself.
 */
export const signInRateLimit = { window: 30 * 60_000, account: 10, address: 50 } as const;

interface SignInRateLimit {
  /**
   * Counts a password before it is hashed.
   *
   * @returns a function to call once the password was right: it forgets those counted for this account from the same
   * origin. Those from elsewhere stay, or an account would be easier to guess the more it is used
   * @throws {Refusal} `too-many-attempts`, with Retry-After
   */
  count(from: Origin): Promise<() => Promise<void>>;
}

interface Origin {
  account: string;
  address: string;
  /** The key of a browser that is known for this account: wrong passwords from elsewhere do not count against it. */
  browser: string | null;
}

/** Counts passwords that are tried, in the database, so that all replicas share the count. */
export function createSignInRateLimit(deps: Pick<BffDeps, 'db' | 'clock' | 'random'>): SignInRateLimit {
  const { db, clock, random } = deps;
  return {
    async count({ account, address, browser }) {
      const now = clock();
      const since = now - signInRateLimit.window;
      const counter = browser
        ? { account: browser, address: browser }
        : { account: await sha256(account), address };
      const tried = { id: toBase64url(random(16)), ...counter, now };
      await db.deleteFrom('sign_in_attempts').where('at', '<=', since).execute();
      await db.deleteFrom('sign_in_turns').where('at', '<=', since).execute();
      if (await isBelowLimit(db, tried)) {
        const counted = await db.transaction().execute((transaction) => countInTurn(transaction, tried));
        if (counted) return () => forget(db, tried);
      }
      const free = (await oldestCounted(db, tried)) + signInRateLimit.window;
      const seconds = Math.max(1, Math.ceil((free - now) / 1000));
      const minutes = Math.ceil(seconds / 60);
      throw new Refusal(
        'too-many-attempts',
        `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    },
  };
}

interface TriedPassword {
  id: string;
  account: string;
  address: string;
  now: number;
}

/**
 * Adds one to the count unless a limit is reached. The rows in `sign_in_turns` are locks: a thousand passwords that are
 * tried at once, on any replica, must not all see the count from before.
 */
async function countInTurn(db: Kysely<BffTables>, tried: TriedPassword): Promise<boolean> {
  const { id, account, address, now } = tried;
  // Always the account's lock first, so that no two wait for each other.
  for (const key of [`account ${account}`, `address ${address}`])
    await db
      .insertInto('sign_in_turns')
      .values({ key, at: now })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ at: now }))
      .execute();
  if (!(await isBelowLimit(db, tried))) return false;
  await db.insertInto('sign_in_attempts').values({ id, account, address, at: now }).execute();
  return true;
}

async function isBelowLimit(db: Kysely<BffTables>, tried: TriedPassword): Promise<boolean> {
  const { ofAccount, ofAddress } = await db
    .selectNoFrom([
      countOf(db, 'account', tried.account).as('ofAccount'),
      countOf(db, 'address', tried.address).as('ofAddress'),
    ])
    .executeTakeFirstOrThrow();
  return (ofAccount ?? 0) < signInRateLimit.account && (ofAddress ?? 0) < signInRateLimit.address;
}

async function forget(db: Kysely<BffTables>, { account, address }: TriedPassword): Promise<void> {
  const ofAccount = db.deleteFrom('sign_in_attempts').where('account', '=', account);
  await ofAccount.where('address', '=', address).execute();
}

const countOf = (db: Kysely<BffTables>, by: 'account' | 'address', value: string) =>
  db
    .selectFrom('sign_in_attempts')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where(by, '=', value);

/** When the oldest one was counted that has to leave the window before the next is allowed. */
async function oldestCounted(db: Kysely<BffTables>, tried: TriedPassword): Promise<number> {
  const times = await Promise.all(
    (['account', 'address'] as const).map(async (by) => {
      const { count } = await countOf(db, by, tried[by]).executeTakeFirstOrThrow();
      if (count < signInRateLimit[by]) return 0;
      const first = db.selectFrom('sign_in_attempts').select('at').where(by, '=', tried[by]).orderBy('at');
      return (await first.executeTakeFirst())?.at ?? 0;
    }),
  );
  return Math.max(...times);
}
