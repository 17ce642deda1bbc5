/** The commands of `npm run desk` that work on the BFF's database. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { giveOneTimePassword } from '../../bff/auth/one-time-password.ts';
import { findSecret } from '../../bff/auth/secrets.ts';
import { createMac, readHead, writeHead } from '../../bff/journal/chain.ts';
import { verifyJournal as verify } from '../../bff/journal/verify.ts';
import { bffMigrations } from '../../bff/migrations.ts';
import type { BffTables } from '../../bff/schema.ts';
import { findStaff } from '../../bff/staff/store.ts';
import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Config } from '../config/config.ts';
import { databaseConfigOf, openDatabase } from '../open-database.ts';
import { createPasswords } from '../passwords.ts';
import type { Command } from '../run-command.ts';
import { clock, random } from '../runtime.ts';
import { postgresProblem } from '../sql/postgres-problem.ts';
import { openPostgres } from '../sql/postgres.ts';

/**
 * `reset-password NAME`: the way back in when no manager can help. Enables the account, keeps its role, ends its
 * sessions, and prints a one-time password.
 *
 * @throws {CannotStart} where there is no database or no such account; existing names are not told
 */
export const resetPassword: Command = async ({ config, options, say }) => {
  const [name, ...more] = options;
  if (name === undefined || more.length > 0)
    throw new CannotStart('Give one name: npm run desk -- reset-password NAME. Put quotes around blanks.');
  const db = await openBffDatabase(config);
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

/**
 * `verify-journal [HEAD]`: whether anybody edited the journal. The head that it prints, kept elsewhere and given the
 * next time, shows that the end was not cut off either.
 */
export const verifyJournal: Command = async ({ config, options, say }) => {
  const [text, ...more] = options;
  const exported = text === undefined ? null : readHead(text);
  if ((text !== undefined && exported === null) || more.length > 0)
    throw new CannotStart(
      'Give nothing, or one head as this printed it: npm run desk -- verify-journal HEAD.',
    );
  const db = await openBffDatabase(config);
  try {
    const key = await findSecret(db, 'journal-key');
    if (key === null)
      throw new CannotStart('This desk was never started, so it has no journal. Start it first.');
    const result = await verify(db, createMac(key), exported);
    if ('fault' in result) {
      say(`The journal is not as the desk wrote it. ${result.fault}`);
      return false;
    }
    say(`${result.entries} entries, all as the desk wrote them.`);
    say(`Head: ${writeHead(result.head)}`);
    return true;
  } finally {
    await db.destroy();
  }
};

/**
 * The BFF's existing database.
 *
 * @throws {CannotStart} where there is none
 */
async function openBffDatabase(config: Config): Promise<Kysely<BffTables>> {
  const folder = resolve(config.dataDir);
  if (config.databaseUrl === null && !existsSync(join(folder, 'desk.sqlite')))
    throw new CannotStart(`There is no desk in ${folder}. Set DATA_DIR to the folder of yours.`);
  if (config.databaseUrl !== null && !(await hasTables(config.databaseUrl)))
    throw new CannotStart(
      'There is no desk in the database of DATABASE_URL. Name the one of yours, or start a desk there first.',
    );
  return openDatabase<BffTables>(await databaseConfigOf('desk', config), {
    name: 'desk',
    migrations: bffMigrations,
    // The first account is made by `npm start`, never by a command.
    fill: async () => {},
  });
}

/** Only looks: a command must not create the tables. */
async function hasTables(url: string): Promise<boolean> {
  const db = openPostgres(url);
  try {
    const tables = sql`select 1 from information_schema.tables
      where table_schema = current_schema() and table_name = 'desk_migration'`;
    return (await tables.execute(db)).rows.length > 0;
  } catch (error) {
    throw postgresProblem('DATABASE_URL', error);
  } finally {
    await db.destroy();
  }
}
