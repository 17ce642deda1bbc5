/** The commands of `npm run desk` that work on the BFF's database. */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql, type Kysely } from 'kysely';
import { giveOneTimePassword, makeOneTimePassword } from '../../bff/auth/one-time-password.ts';
import { removeAllFactors } from '../../bff/auth/second-factor.ts';
import { findOrCreateSecret, findSecret } from '../../bff/auth/secrets.ts';
import type { BffDeps } from '../../bff/http/bff.ts';
import { createMac, JournalKeyError, readHead, writeHead, type Mac } from '../../bff/journal/chain.ts';
import { createRecordEvent, terminal } from '../../bff/journal/events.ts';
import { forgetSubscriber as forget } from '../../bff/journal/forget.ts';
import { leastLetters } from '../../bff/journal/named-person.ts';
import { verifyJournal as verify, type LoggedHead } from '../../bff/journal/verify.ts';
import { bffMigrations } from '../../bff/migrations.ts';
import { noRole, type BffTables, type StaffTable } from '../../bff/schema.ts';
import { findStaff } from '../../bff/staff/store.ts';
import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Config } from '../config/config.ts';
import { requireReadable } from '../data-folder.ts';
import { commandLines } from '../installation.ts';
import { witness } from '../log.ts';
import { databaseConfigOf, openDatabase } from '../open-database.ts';
import { createPasswords } from '../passwords.ts';
import type { Command } from '../run-command.ts';
import { clock, random } from '../runtime.ts';
import { refusalOr } from '../sql/node-sqlite.ts';
import { postgresProblem, openPostgres } from '../sql/postgres.ts';
import { eraseDeletedTexts } from '../sql/search-indexes.ts';

/**
 * `reset-password NAME [--manager]`: lets a person in again when no manager can help. Enables the account, ends its sessions and
 * prints a one-time password. The account loses its second factor. It keeps its role, unless `--manager` makes it a
 * manager's: where none is left who can sign in, nobody else could make one.
 *
 * @throws {CannotStart} if there is no database or no such account; it does not say which names exist
 */
export const resetPassword: Command = async ({ config, options, say }) => {
  const makeManager = options.includes('--manager');
  const [name, ...more] = options.filter((option) => option !== '--manager');
  if (name === undefined || more.length > 0)
    throw new CannotStart(
      `Give the name of one account: ${commandLines.desk} reset-password NAME. Put a name with spaces in quotes.`,
    );
  await using db = await openBffDatabase(config);
  const staff = await findStaff(db, name.trim());
  if (staff && staff.issuer !== null)
    throw new CannotStart(
      'This account signs in with single sign-on and has no password here. Give the name of another account.',
    );
  const key = await findOrCreateSecret(db, 'journal-key', () => toBase64url(random(32)));
  const mac = createMac(key, config.JOURNAL_KEY ?? null);
  const deps = { db, clock, random, passwords: createPasswords(random), mac };
  const password = staff && (await inJournal(() => resetAndRecord(deps, staff, makeManager)));
  if (!staff || !password) throw new CannotStart('There is no account with this name. Check the spelling.');
  say(`Sign in as ${staff.name} with the one-time password ${password.oneTime}`);
  say(
    `The password is shown only once. It works once, within ${oneTimePasswordHours} hours. Choose your own right after signing in.`,
  );
  if (password.secondFactor)
    say('The second factor of the account is removed, too. Set another one up under My account.');
  if (makeManager) say('The account is a manager now.');
  else if (staff.role !== 'manager')
    say(`The account keeps its role ${staff.role}. It is not a manager. To make it one, add --manager.`);
  return true;
};

async function resetAndRecord(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'passwords'> & { mac: Mac },
  { id, name, role, disabled }: StaffTable,
  makeManager: boolean,
): Promise<{ oneTime: string; secondFactor: boolean } | null> {
  const recordEvent = createRecordEvent(deps);
  const account = { id, name };
  const oneTime = makeOneTimePassword(random);
  const hash = await deps.passwords.hash(oneTime);
  const secondFactor = await deps.db.transaction().execute(async (tx) => {
    await giveOneTimePassword(tx, id, { hash, now: clock(), change: { disabled: 0 } });
    // Who has lost the password here has nobody else to ask about the second factor.
    const hadFactor = await removeAllFactors(tx, id);
    const details = { ...(disabled !== 0 && { disabled: false }) };
    await recordEvent(tx, { operation: 'resetStaffPassword', ...terminal, account, details });
    if (hadFactor) await recordEvent(tx, { operation: 'resetSecondFactor', ...terminal, account });
    if (makeManager && role !== 'manager') {
      await tx.updateTable('staff').set({ role: 'manager' }).where('id', '=', id).execute();
      const change = { role: { before: role === noRole ? null : role, after: 'manager' as const } };
      await recordEvent(tx, { operation: 'changeStaff', ...terminal, account, details: change });
    }
    return hadFactor;
  });
  return { oneTime, secondFactor };
}

/** Work that writes to the journal. @throws {CannotStart} if the journal is under another key */
async function inJournal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof JournalKeyError ? new CannotStart(error.message) : error;
  }
}

/**
 * `verify-journal [HEAD] [--log FILE]`: checks that nobody edited the journal, and prints its head. An operator keeps the
 * head elsewhere and gives it the next time, or gives the log, where the heads of each hour are. Either shows that the end
 * was not cut off.
 */
export const verifyJournal: Command = async ({ config, options, say }) => {
  const { exported, logFile } = readVerifyOptions(options);
  const logged = logFile === undefined ? [] : await readLoggedHeads(logFile);
  await using db = await openBffDatabase(config);
  const result = await verify(db, await findMac(db, config), exported, logged);
  if ('fault' in result) {
    say(`The journal failed the check. ${result.fault}`);
    return false;
  }
  say(`The journal is intact. Entries: ${result.entries}`);
  if (logged.length > 0)
    say(
      `Heads in the log: ${logged.length}, of which ${result.witnesses} can still be compared. They match.`,
    );
  say(`Head: ${writeHead(result.head)}`);
  return true;
};

/**
 * `forget-subscriber ID [NAME…]`: erases the personal data of a subscriber, and leaves who did what to this id. The service's
 * own record is not touched. Usernames and emails are known from changes that were made here; others may be given.
 */
export const forgetSubscriber: Command = async ({ config, options, say }) => {
  const [text = '', ...names] = options;
  // A shorter name is rather a second ID.
  const isId = /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
  if (!isId || names.some((name) => name.trim().length < leastLetters))
    throw new CannotStart(
      `Give the ID of one subscriber, and its username and email if they may not be known here: ${commandLines.desk} forget-subscriber ID NAME EMAIL.`,
    );
  await using db = await openBffDatabase(config);
  const mac = await findMac(db, config);
  const forgotten = await inJournal(() => forget(db, mac, Number(text), names));
  const byId = `No username or email of this subscriber is known here, so only its ID was looked for. To find views, reasons and files with its names, give them: ${commandLines.desk} forget-subscriber ${text} NAME EMAIL.`;
  if (!forgotten) {
    const hints = [
      ...(names.length === 0 ? [byId] : []),
      ...((await eraseFromFiles(config)) ? [] : [stillInFiles]),
    ];
    throw new CannotStart(
      [`Nothing is stored about a subscriber with the ID ${text}. Check the ID.`, ...hints].join(' '),
    );
  }
  const { entries, drafts, views, recent, rows, jobs, files, open, isNamed } = forgotten;
  if (open > 0) {
    say(
      `Nothing was erased, because ${open === 1 ? 'a change or a job' : `${open} changes or jobs`} with this subscriber has not ended yet. Stop the job, or run the command again in a minute.`,
    );
    return false;
  }
  say(
    `Erased the personal data of subscriber ${text}. Entries: ${entries}. Drafts: ${drafts}. Views: ${views}. Lists of last opened subscribers: ${recent}. Rows of jobs: ${rows}. Texts of jobs: ${jobs}. Files to import: ${files}.`,
  );
  if (!isNamed) say(byId);
  say('The record itself is in the subscriber service. Delete it there or in the dashboard, before this.');
  if (await eraseFromFiles(config)) return true;
  say(stillInFiles);
  return false;
};

const stillInFiles =
  'The newest changes are still in the files of the database. Run the command again in a minute.';

/**
 * Erases deleted texts from the search indexes, and writes what is in the logs of the SQLite files into these, where it was
 * erased.
 *
 * @returns whether nobody held it up
 */
async function eraseFromFiles({ DATA_DIR }: Config): Promise<boolean> {
  for (const name of ['desk', 'service']) {
    const file = join(resolve(DATA_DIR), `${name}.sqlite`);
    if (!existsSync(file)) continue;
    using database = new DatabaseSync(file, { timeout: 5000 });
    try {
      if (name === 'service') await eraseDeletedTexts(database, () => pause(10));
    } catch (error) {
      if (refusalOr(error, false) !== error) return false;
      throw error;
    }
    if (database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] !== 0) return false;
  }
  return true;
}

/** @throws {CannotStart} if no server has made a key yet */
async function findMac(db: Kysely<BffTables>, config: Config): Promise<Mac> {
  const key = await findSecret(db, 'journal-key');
  if (key === null) throw new CannotStart(`There is no journal yet. Run ${commandLines.start} first.`);
  return createMac(key, config.JOURNAL_KEY ?? null);
}

function readVerifyOptions(options: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...options],
      options: { log: { type: 'string' } },
      allowPositionals: true,
    });
    const [text, ...more] = positionals;
    const exported = text === undefined ? null : readHead(text);
    if ((text === undefined || exported !== null) && more.length === 0)
      return { exported, logFile: values.log };
  } catch {
    // An option that there is not.
  }
  throw new CannotStart(
    `Give no option, or one head that an earlier run printed, or a log, or both: ${commandLines.desk} verify-journal HEAD --log FILE.`,
  );
}

/**
 * Reads the heads in a log of JSON lines, each once. All other lines are skipped.
 *
 * @throws {CannotStart} if the file cannot be read or has none
 */
async function readLoggedHeads(file: string): Promise<LoggedHead[]> {
  const heads = new Map<string, LoggedHead>();
  try {
    await using opened = await open(file);
    for await (const line of opened.readLines()) {
      const head = line.includes(witness) ? readLoggedHead(line) : null;
      if (head && !heads.has(writeHead(head))) heads.set(writeHead(head), head);
    }
  } catch (error) {
    throw new CannotStart(`Cannot read ${file}. Give a file with the log of a server.`, error);
  }
  if (heads.size === 0)
    throw new CannotStart(
      `There is no head of a journal in ${file}. Give the log of a server, in lines of JSON. It has one each hour, with the event ${witness}.`,
    );
  return [...heads.values()];
}

function readLoggedHead(line: string): LoggedHead | null {
  try {
    const { event, time, seq, mac }: Record<string, unknown> = JSON.parse(line);
    const head = event === witness ? readHead(`${String(seq)}-${String(mac)}`) : null;
    return head && { ...head, time: String(time) };
  } catch {
    return null;
  }
}

/**
 * Opens the existing database of the BFF.
 *
 * @throws {CannotStart} if there is none
 */
async function openBffDatabase(config: Config): Promise<Kysely<BffTables>> {
  const folder = resolve(config.DATA_DIR);
  if (config.DATABASE_URL === undefined) await requireReadable(folder);
  if (config.DATABASE_URL === undefined && !existsSync(join(folder, 'desk.sqlite')))
    throw new CannotStart(
      `There is no desk.sqlite in ${folder}. Set DATA_DIR to the folder that contains it.`,
    );
  if (config.DATABASE_URL !== undefined && !(await hasTables(config.DATABASE_URL)))
    throw new CannotStart(
      `The database in DATABASE_URL has no tables of Subscriber Desk. Correct DATABASE_URL, or run ${commandLines.start} with it first.`,
    );
  return openDatabase<BffTables>(await databaseConfigOf('desk', config), {
    name: 'desk',
    migrations: bffMigrations,
    // `npm start` creates the first account, never a command.
    fill: async () => {},
  });
}

/** Only looks for the tables, because a command must not create them. */
async function hasTables(url: string): Promise<boolean> {
  // It says why it can't be reached, as at a start.
  await using db = openPostgres(url, { patient: true });
  try {
    const tables = sql`select 1 from information_schema.tables
      where table_schema = current_schema() and table_name = 'desk_migration'`;
    return (await tables.execute(db)).rows.length > 0;
  } catch (error) {
    throw postgresProblem('DATABASE_URL', error);
  }
}
