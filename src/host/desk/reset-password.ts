import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { giveOneTimePassword } from '../../bff/sign-in/one-time-password.ts';
import { findStaff } from '../../bff/staff.ts';
import { deskMigrations } from '../../bff/store/migrations.ts';
import type { DeskTables } from '../../bff/store/schema.ts';
import { CannotStart } from '../cannot-start.ts';
import { placeOf } from '../database-place.ts';
import type { Command } from './command.ts';
import { openDatabase } from '../open-database.ts';
import { createPasswords } from '../passwords.ts';
import { clock, random } from '../place.ts';

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
  const folder = resolve(config.dataDir);
  if (config.databaseUrl === null && !existsSync(join(folder, 'desk.sqlite')))
    throw new CannotStart(`There is no desk in ${folder}. Set DATA_DIR to the folder of yours.`);
  const db = await openDatabase<DeskTables>(await placeOf('desk', config), {
    room: 'desk',
    migrations: deskMigrations,
    // A desk without its first account is for the desk itself to begin.
    fill: async () => {},
  });
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
    say('It is shown this once. The desk asks for a new one at the first sign-in.');
    if (staff.role !== 'manager') say(`The account keeps its role, ${staff.role}: it is no manager's.`);
    return true;
  } finally {
    await db.destroy();
  }
};
