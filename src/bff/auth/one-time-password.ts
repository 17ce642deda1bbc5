import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import type { Transaction } from 'kysely';
import type { BffDeps } from '../deps.ts';
import type { BffTables, StaffTable } from '../schema.ts';
import { endAccess } from './record-change.ts';
import { usedUp } from './session-store.ts';

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
export function makeReadable(random: BffDeps['random'], groups: number, size: number): string {
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
