import type { Kysely } from 'kysely';
import { newPasswordLength } from '../../contract/bff/password.ts';
import type { Role } from '../../contract/bff/permission.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import { toBase64url } from '../../contract/http/crypto.ts';
import { oneTimePasswordExpiry } from '../auth/one-time-password.ts';
import type { BffTables, StaffTable } from '../schema.ts';

/** Whether there is any account: without one, nobody can get in to make the first. */
export async function hasStaff(db: Kysely<BffTables>): Promise<boolean> {
  return (await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Adds a local account.
 *
 * @throws {Refusal} where the password is too short or too long, or the name is taken
 */
export async function addStaff(
  deps: Pick<BffDeps, 'db' | 'passwords' | 'random' | 'clock'>,
  account: { name: string; role: Role; password: string; oneTime?: boolean },
): Promise<StaffTable> {
  const name = account.name.trim();
  const { least, most } = newPasswordLength;
  if (account.password.length < least || account.password.length > most)
    throw refuse('password', `Choose ${least} to ${most} characters.`);
  const now = deps.clock();
  const row = {
    id: toBase64url(deps.random(16)),
    name,
    name_key: nameKey(name),
    role: account.role,
    password_hash: await deps.passwords.hash(account.password),
    disabled: 0,
    created_at: now,
    must_change_password: account.oneTime ? 1 : 0,
    password_expires_at: account.oneTime ? oneTimePasswordExpiry(now) : null,
    last_sign_in_at: null,
    issuer: null,
    subject: null,
  };
  // Whether the name is free is for the table to say: two may ask for it at the same moment.
  const { numInsertedOrUpdatedRows: inserted } = await deps.db
    .insertInto('staff')
    .values(row)
    .onConflict((conflict) => conflict.column('name_key').doNothing())
    .executeTakeFirst();
  if (inserted === 0n) throw refuse('name', 'This name is taken. Choose another.');
  return row;
}

export async function findStaff(db: Kysely<BffTables>, name: string): Promise<StaffTable | undefined> {
  return db.selectFrom('staff').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst();
}

/** A name as it is compared: without regard to case or to how its accents are written. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function refuse(field: 'name' | 'password', sentence: string): Refusal {
  return new Refusal('invalid-input', sentence, { errors: { [field]: [sentence] } });
}
