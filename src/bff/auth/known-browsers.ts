import type { Transaction } from 'kysely';
import { lockRow } from '../lock-row.ts';
import type { BffDeps } from '../deps.ts';
import type { RequestHeaders } from '../http/context.ts';
import { sha256, toBase64url } from '../../lib/crypto.ts';
import type { BffTables, StaffTable, BffDb } from '../schema.ts';
import { createBrowserCookie, knownDays } from './cookies.ts';

/**
 * Browsers in which an account has been used before. Somebody who guesses passwords locks the account for all other
 * browsers; a known browser is counted separately, so that the owner still gets in. Its cookie signs nobody in and is
 * no second factor.
 */
export interface KnownBrowsers {
  /** The key of the browser that sent a request, if it is known for the account; else null. */
  find(headers: RequestHeaders, account: string): Promise<string | null>;
  /**
   * Makes the browser known for an account that has just signed in there, or was changed there. Call it in a transaction
   * that holds the account.
   *
   * @returns the `Set-Cookie`; none in a tab
   */
  remember(tx: Transaction<BffTables>, headers: RequestHeaders, staff: StaffTable): Promise<string[]>;
}

const life = knownDays * 24 * 60 * 60_000;

/** Most browsers of an account. */
const most = 20;

/** Forgets all browsers of an account: with a password that others have seen, they would make guessing easier. */
export async function forgetBrowsers(db: BffDb, staffId: string): Promise<void> {
  await db.deleteFrom('known_browsers').where('staff_id', '=', staffId).execute();
}

export function createKnownBrowsers(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'transport'>,
): KnownBrowsers {
  const { db, clock, random, transport } = deps;
  if (transport.kind === 'tab') return { find: async () => null, remember: async () => [] };
  const cookie = createBrowserCookie(transport.publicUrl);

  const find = async (headers: RequestHeaders, account: string, on: BffDb = db) => {
    const id = cookie.read(headers);
    if (id === null) return null;
    const known = await on
      .selectFrom('known_browsers')
      .innerJoin('staff', 'staff.id', 'known_browsers.staff_id')
      .select('known_browsers.key')
      .where('known_browsers.key', '=', await sha256(id))
      .where('known_browsers.seen_at', '>', clock() - life)
      .where('staff.name_key', '=', account)
      .executeTakeFirst();
    return known?.key ?? null;
  };

  return {
    find: (headers, account) => find(headers, account),
    async remember(tx, headers, staff) {
      const now = clock();
      const known = await find(headers, staff.name_key, tx);
      // A new id for another account: two people never share one.
      const id = (known === null ? null : cookie.read(headers)) ?? toBase64url(random(32));
      const row = { key: await sha256(id), staff_id: staff.id, seen_at: now };
      await tx
        .insertInto('known_browsers')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ seen_at: now }))
        .execute();
      await forgetOldest(tx, row);
      return [cookie.set(id)];
    },
  };
}

/** Locks the account until the transaction ends. @returns false if it was disabled or its password was changed */
export async function lockAccount(tx: Transaction<BffTables>, staff: StaffTable): Promise<boolean> {
  const { id, password_hash } = staff;
  return (await lockRow(tx, 'staff', { id, password_hash, disabled: 0 })) !== undefined;
}

/** Forgets the account's browsers that are too old or too many, and never the one that is in use. */
async function forgetOldest(
  tx: Transaction<BffTables>,
  used: { key: string; staff_id: string; seen_at: number },
): Promise<void> {
  const { key, staff_id: account, seen_at: now } = used;
  const own = tx.selectFrom('known_browsers').select('key').where('staff_id', '=', account);
  const others = await own.where('key', '<>', key).orderBy('seen_at', 'desc').orderBy('key').execute();
  // What a clock of the future has seen was used now at the latest.
  const early = tx.updateTable('known_browsers').set({ seen_at: now }).where('staff_id', '=', account);
  await early.where('seen_at', '>', now).execute();
  const surplus = others.slice(most - 1).map((row) => row.key);
  await tx
    .deleteFrom('known_browsers')
    .where((row) =>
      row.or([row('seen_at', '<=', now - life), ...(surplus.length > 0 ? [row('key', 'in', surplus)] : [])]),
    )
    .execute();
}
