import type { Kysely } from 'kysely';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import { sha256, toBase64url } from '../../contract/http/crypto.ts';
import type { BffTables } from '../schema.ts';

/**
 * Passwords that may be tried in vain within the window (ms). An office behind one address shares its number; a
 * browser in which the account has been used before has the number of an account to itself.
 */
export const attemptLimits = { window: 30 * 60_000, account: 10, address: 50 } as const;

export interface Attempts {
  /**
   * Counts an attempt before its password is hashed.
   *
   * @returns what forgets the attempts of this account from the same place, once a password was right; those of
   * strangers elsewhere stay, or an account would be the easier to guess at the more it is used
   * @throws {Refusal} `too-many-attempts`, with Retry-After
   */
  begin(from: Origin): Promise<() => Promise<void>>;
}

interface Origin {
  account: string;
  address: string;
  /** The key of a browser that is known for this account: what strangers do does not count against it. */
  browser: string | null;
}

/** How often passwords were tried, kept in the database so that every replica counts alike. */
export function createAttempts(deps: Pick<BffDeps, 'db' | 'clock' | 'random'>): Attempts {
  const { db, clock, random } = deps;
  return {
    async begin({ account, address, browser }) {
      const now = clock();
      const since = now - attemptLimits.window;
      const place = browser
        ? { account: browser, address: browser }
        : { account: await sha256(account), address };
      const attempt = { id: toBase64url(random(16)), ...place, now };
      await db.deleteFrom('sign_in_attempts').where('at', '<=', since).execute();
      await db.deleteFrom('sign_in_turns').where('at', '<=', since).execute();
      if (await mayEnter(db, attempt)) {
        const entered = await db.transaction().execute((transaction) => enterInTurn(transaction, attempt));
        if (entered) return () => forget(db, attempt);
      }
      const free = (await oldestInTheWay(db, attempt)) + attemptLimits.window;
      const seconds = Math.max(1, Math.ceil((free - now) / 1000));
      throw new Refusal('too-many-attempts', `Try again in ${Math.ceil(seconds / 60)} min.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    },
  };
}

interface Attempt {
  id: string;
  account: string;
  address: string;
  now: number;
}

/**
 * Enters an attempt unless a limit is reached. Whoever counts waits for those who are still entering, on any replica:
 * a thousand attempts that come at once must not all see the count from before.
 */
async function enterInTurn(db: Kysely<BffTables>, attempt: Attempt): Promise<boolean> {
  const { id, account, address, now } = attempt;
  // Everybody takes the account's turn first, so that no two wait for each other.
  for (const key of [`account ${account}`, `address ${address}`])
    await db
      .insertInto('sign_in_turns')
      .values({ key, at: now })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ at: now }))
      .execute();
  if (!(await mayEnter(db, attempt))) return false;
  await db.insertInto('sign_in_attempts').values({ id, account, address, at: now }).execute();
  return true;
}

async function mayEnter(db: Kysely<BffTables>, attempt: Attempt): Promise<boolean> {
  const { ofAccount, ofAddress } = await db
    .selectNoFrom([
      countOf(db, 'account', attempt.account).as('ofAccount'),
      countOf(db, 'address', attempt.address).as('ofAddress'),
    ])
    .executeTakeFirstOrThrow();
  return (ofAccount ?? 0) < attemptLimits.account && (ofAddress ?? 0) < attemptLimits.address;
}

async function forget(db: Kysely<BffTables>, { account, address }: Attempt): Promise<void> {
  const ofAccount = db.deleteFrom('sign_in_attempts').where('account', '=', account);
  await ofAccount.where('address', '=', address).execute();
}

const countOf = (db: Kysely<BffTables>, by: 'account' | 'address', value: string) =>
  db
    .selectFrom('sign_in_attempts')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where(by, '=', value);

/** When the attempt was made whose end of turn lets the next one in. */
async function oldestInTheWay(db: Kysely<BffTables>, attempt: Attempt): Promise<number> {
  const times = await Promise.all(
    (['account', 'address'] as const).map(async (by) => {
      const { count } = await countOf(db, by, attempt[by]).executeTakeFirstOrThrow();
      if (count < attemptLimits[by]) return 0;
      const first = db.selectFrom('sign_in_attempts').select('at').where(by, '=', attempt[by]).orderBy('at');
      return (await first.executeTakeFirst())?.at ?? 0;
    }),
  );
  return Math.max(...times);
}
