import { sql } from 'kysely';
import { Problem } from '../../contract/http/problem.ts';
import { networkOf } from '../../lib/client-network.ts';
import { sha256 } from '../../lib/crypto.ts';
import { errorFields } from '../../lib/log.ts';
import type { BffDeps } from '../deps.ts';
import type { AttemptTable, BffDb } from '../schema.ts';

/**
 * Attempts to sign in that an account and an address have at once; each comes back after its part of an hour. There are
 * only a million codes, so an account has fewer. Nobody guesses a one-time password, so of those an account has many. The
 * owner of a passkey shows only when it is right. An office behind one address shares its attempts; a browser in which the
 * account has been used has the account's to itself.
 */
export const attemptLimits = {
  password: { account: 10, address: 50 },
  'one-time-password': { account: 1000, address: 50 },
  code: { account: 5, address: 50 },
  'recovery-code': { account: 5, address: 50 },
  passkey: { account: 50, address: 50 },
} as const;

export const attemptWindow = 60 * 60_000;

/** Largest difference between the clocks of replicas, in ms. Later times were written by a clock that was ahead. */
const skew = 60_000;

export interface Origin {
  /** The key of the account's name. */
  account: string;
  /** The client's IP address; an IPv6 client has a whole network. */
  address: string;
  /** The key of a browser that is known for this account: what is tried elsewhere does not count against it. */
  browser: string | null;
}

export type Tried = keyof typeof attemptLimits;

/**
 * Takes back what was counted.
 *
 * @param only `address` where it is right so far and goes on in another request: others share the address, and the account
 * stays as hard to guess. A known browser shares nothing
 */
type Forget = (only?: 'address') => Promise<void>;

/** Counts what people try to sign in with, in the database, so that all replicas share the count. */
export interface Attempts {
  /**
   * Refuses at once what is over a limit, before it waits for anything. It only reads.
   *
   * @returns true if something was tried from the same place lately
   * @throws {Problem} `too-many-attempts`, with Retry-After
   */
  check(tried: Tried, from: Origin): Promise<boolean>;
  /**
   * Counts an attempt before it is looked at.
   *
   * @returns a function to call once it was right. It takes back this one and, in a known browser, those before. Those
   * of strangers stay, or an account would be easier to guess the more it is used. It never fails, because what the
   * attempt was for is done by then
   * @throws {Problem} `too-many-attempts`, with Retry-After
   */
  count(tried: Tried, from: Origin): Promise<Forget>;
  /** Deletes what counts no more. */
  deleteOld(): Promise<void>;
}

export function createAttempts({ db, clock, log }: Pick<BffDeps, 'db' | 'clock' | 'log'>): Attempts {
  async function takeBack(
    counters: readonly Counter[],
    { browser }: Origin,
    only: 'address' | undefined,
  ): Promise<void> {
    const [first, ...others] = counters;
    if (browser !== null) {
      if (first && !only) await db.deleteFrom('attempts').where('key', '=', first.key).execute();
      return;
    }
    for (const { key, step } of only ? others : counters)
      await db
        .updateTable('attempts')
        .set((row) => ({ until: row('until', '-', step) }))
        .where('key', '=', key)
        .execute();
  }
  return {
    async check(tried, from) {
      const now = clock();
      const counters = await countersOf(tried, from);
      const keys = counters.map(({ key }) => key);
      const rows = await db.selectFrom('attempts').selectAll().where('key', 'in', keys).execute();
      const used = rows.filter((row) => row.until > now && row.until <= now + attemptWindow + skew);
      for (const { key, step } of counters) {
        const row = used.find((each) => each.key === key);
        if (row && row.until > now + attemptWindow - step) throw tooManyAttempts(row.until, step, now);
      }
      const { key: place } = counters.at(-1) ?? {};
      return used.some(({ key }) => key === place);
    },

    async count(tried, from) {
      const now = clock();
      const counters = await countersOf(tried, from);
      await db.transaction().execute(async (tx) => {
        for (const counter of counters) await countOne(tx, counter, now);
      });
      return (only) =>
        takeBack(counters, from, only).catch((error: unknown) =>
          log('warn', 'attempt-not-taken-back', errorFields(error)),
        );
    },

    async deleteOld() {
      const now = clock();
      const isOver = db
        .deleteFrom('attempts')
        .where((row) => row.or([row('until', '<=', now), row('until', '>', now + attemptWindow + skew)]));
      await isOver.execute();
    },
  };
}

/** Counters of an attempt, the place where it is made last, and how long each takes to come back, in ms. */
async function countersOf(tried: Tried, { account, address, browser }: Origin): Promise<Counter[]> {
  const limits = attemptLimits[tried];
  const counter = (key: string, limit: number) => ({ key: `${tried} ${key}`, step: attemptWindow / limit });
  if (browser !== null) return [counter(`browser ${browser}`, limits.account)];
  return [
    // Digests, because people type passwords into the wrong field, and an address tells where somebody is.
    counter(`account ${await sha256(account)}`, limits.account),
    counter(`address ${await sha256(networkOf(address))}`, limits.address),
  ];
}

type Counter = Pick<AttemptTable, 'key'> & { step: number };

/** Adds one in one statement: a thousand that are tried at once, on any replica, must not all see the count from before. */
async function countOne(tx: BffDb, { key, step }: Counter, now: number): Promise<void> {
  const end = now + attemptWindow;
  const isUsed = sql<boolean>`attempts.until > ${now} and attempts.until <= ${end + skew}`;
  const counted = await tx
    .insertInto('attempts')
    .values({ key, until: now + step })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          until: sql<number>`case when ${isUsed} then attempts.until else ${now} end + ${step}`,
        })
        .where(sql<boolean>`not (${isUsed} and attempts.until > ${end - step})`),
    )
    .executeTakeFirst();
  if (counted.numInsertedOrUpdatedRows === 1n) return;
  const full = tx.selectFrom('attempts').select('until').where('key', '=', key);
  throw tooManyAttempts((await full.executeTakeFirstOrThrow()).until, step, now);
}

function tooManyAttempts(until: number, step: number, now: number): Problem {
  const seconds = Math.max(1, Math.ceil((until + step - attemptWindow - now) / 1000));
  const minutes = Math.ceil(seconds / 60);
  return new Problem(
    'too-many-attempts',
    `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
