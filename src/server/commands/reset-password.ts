import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import { giveOneTimePassword } from '../../bff/auth/one-time-password.ts';
import { findStaff } from '../../bff/staff/store.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Command } from './command.ts';
import { openDeskDatabase } from './open-desk-database.ts';
import { createPasswords } from '../passwords.ts';
import { clock, random } from '../runtime.ts';

/**
 * `reset-password NAME`: the way back in for somebody whom no manager can help. The account is enabled and keeps its
 * role, its sessions end, and the password is good for choosing another.
 *
 * @throws {CannotStart} where there is no desk or no such account; the names that there are stay untold
 */
export const resetPassword: Command = async ({ config, options, say }) => {
  const [name, ...more] = options;
  if (name === undefined || more.length > 0)
    throw new CannotStart('Give one name: npm run desk -- reset-password NAME. Put quotes around blanks.');
  const db = await openDeskDatabase(config);
  try {
    const staff = await findStaff(db, name.trim());
    if (staff && staff.issuer !== null)
      throw new CannotStart(
        'This account signs in by single sign-on and has no password here. Give the name of another.',
      );
    const deps = { db, clock, random, passwords: createPasswords(random) };
    const password = staff && (await giveOneTimePassword(deps, staff.id, { disabled: 0 }));
    if (!staff || !password) throw new CannotStart('There is no account of this name. Check its spelling.');
    say(`Sign in as ${staff.name} with the one-time password ${password}`);
    say(
      `It is shown this once and good for ${oneTimePasswordHours} hours. The desk asks for a new one at the first sign-in.`,
    );
    if (staff.role !== 'manager') say(`The account keeps its role, ${staff.role}: it is no manager's.`);
    return true;
  } finally {
    await db.destroy();
  }
};
