import type { Transaction } from 'kysely';
import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import type { BffDeps } from '../deps.ts';
import type { BffTables, StaffTable, BffDb } from '../schema.ts';
import { endAccess } from './record-change.ts';
import { usedUp } from './session-store.ts';
import { sha256 } from '../../lib/crypto.ts';

const [groups, size] = [4, 5];

/** 100 random bits. */
export const makeOneTimePassword = (random: BffDeps['random']): string => makeReadable(random, groups, size);

/** A one-time password as it was made, from one that was told by phone: blanks, hyphens and capitals make no difference. */
export const readOneTimePassword = (typed: string): string =>
  isLikeOneTime(typed) ? inGroups(lettersOf(typed), size) : typed;

/** True if a text could be a one-time password. */
export function isLikeOneTime(typed: string): boolean {
  const letters = lettersOf(typed);
  return letters.length === groups * size && [...letters].every((letter) => alphabet.includes(letter));
}

const lettersOf = (typed: string) => typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll(/[1l]/g, 'i');

/** Random characters in groups, 5 bits each, without those that look alike. */
function makeReadable(random: BffDeps['random'], groups: number, size: number): string {
  const letters = Array.from(random(groups * size), (byte) => alphabet[byte % alphabet.length]);
  return inGroups(letters.join(''), size);
}

const inGroups = (letters: string, size: number) =>
  Array.from({ length: letters.length / size }, (_, group) =>
    letters.slice(group * size, (group + 1) * size),
  ).join('-');

// 32 characters: 256 is a multiple, so all are equally likely.
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

const hour = 60 * 60_000;

/** When a one-time password that is given now expires, in ms since 1970. */
export function oneTimePasswordExpiry(now: number): number {
  return now + oneTimePasswordHours * hour;
}

/** Why the password of an account signs nobody in any more; null where it does. */
export function oneTimePasswordFault(
  { password_expires_at: end }: Pick<StaffTable, 'password_expires_at'>,
  now: number,
): string | null {
  if (end === null) return null;
  if (end === usedUp)
    return 'This one-time password was already used, and works only once. Ask a manager to reset your password.';
  // One that ends too late was given by a clock that was ahead.
  if (end > now && end <= oneTimePasswordExpiry(now) + hour) return null;
  return 'The one-time password has expired. Ask a manager to reset your password.';
}

/**
 * Gives an account a one-time password, which only lets its owner choose another, and ends all ways into it.
 *
 * @param given.hash the password's
 * @param given.change other fields to set
 */
export async function giveOneTimePassword(
  tx: Transaction<BffTables>,
  staffId: string,
  given: { hash: string; now: number; change?: { disabled: 0 } },
): Promise<void> {
  const { hash: password_hash, now, change } = given;
  const password_expires_at = oneTimePasswordExpiry(now);
  await tx
    .updateTable('staff')
    .set({ password_hash, password_expires_at, must_change_password: 1, ...change })
    .where('id', '=', staffId)
    .execute();
  await endAccess(tx, staffId, now);
}

/** Number of recovery codes of an account; each has 60 random bits. */
const recoveryCodeCount = 10;

type Deps = Pick<BffDeps, 'random' | 'secondFactorKey'>;

/** Replaces the recovery codes of an account. @returns the new ones, which are stored as digests only */
export async function replaceRecoveryCodes(
  tx: Transaction<BffTables>,
  staffId: string,
  deps: Deps,
): Promise<string[]> {
  await deleteRecoveryCodes(tx, staffId);
  const codes = Array.from({ length: recoveryCodeCount }, () => makeReadable(deps.random, 3, 4));
  const rows = codes.map(async (code) => ({
    key: await digestOf(code, staffId, deps),
    staff_id: staffId,
    used_at: null,
  }));
  await tx
    .insertInto('recovery_codes')
    .values(await Promise.all(rows))
    .execute();
  return codes;
}

/** Uses a recovery code up. @returns false if it is none of the account, or was used, even at the same moment */
export async function spendRecoveryCode(
  tx: Transaction<BffTables>,
  typed: { code: string; staffId: string; now: number },
  deps: Deps,
): Promise<boolean> {
  const { numUpdatedRows: used } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: typed.now })
    .where('key', '=', await digestOf(typed.code, typed.staffId, deps))
    .where('staff_id', '=', typed.staffId)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return used === 1n;
}

export async function countRecoveryCodes(db: BffDb, staffId: string): Promise<number> {
  const all = db.selectFrom('recovery_codes').select((row) => row.fn.countAll<number>().as('count'));
  const own = all.where('staff_id', '=', staffId).where('used_at', 'is', null);
  return (await own.executeTakeFirstOrThrow()).count;
}

export async function deleteRecoveryCodes(tx: Transaction<BffTables>, staffId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('staff_id', '=', staffId).execute();
}

/** People type capitals, blanks and dashes as they like, and take the only letter that looks like a digit for one. */
const plainOf = (code: string) =>
  code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/[1l]/g, 'i');

const digestOf = (code: string, staffId: string, { secondFactorKey }: Deps) =>
  sha256(`${secondFactorKey} ${staffId} ${plainOf(code)}`);
