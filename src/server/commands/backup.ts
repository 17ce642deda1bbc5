/** The commands `backup FILE` and `restore FILE`, for tables in SQLite. PostgreSQL has its own. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { backup as copyPages, DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { findSecret } from '../../bff/auth/secrets.ts';
import { createMac } from '../../bff/journal/chain.ts';
import { verifyJournal } from '../../bff/journal/verify.ts';
import { bffMigrations } from '../../bff/migrations.ts';
import type { BffTables } from '../../bff/schema.ts';
import { serviceMigrations } from '../../service/migrations.ts';
import type { ServiceTables } from '../../service/schema.ts';
import { CannotStart, systemCode } from '../cannot-start.ts';
import type { Config } from '../config/config.ts';
import { commandLines } from '../installation.ts';
import { openDatabase } from '../open-database.ts';
import type { Command } from '../run-command.ts';

const files = ['desk.sqlite', 'service.sqlite'] as const;
type File = (typeof files)[number];

/** Runs the system's `tar`. @returns what it printed */
async function tar(...options: string[]): Promise<string> {
  try {
    return (await promisify(execFile)('tar', options)).stdout;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    throw new CannotStart('The program tar is missing, which packs and unpacks backups. Install it.', error);
  }
}

/**
 * `backup FILE`: writes the SQLite files of BFF and service into one archive, as both were at one moment. The server may
 * run. The archive is checked before it gets its name.
 *
 * @throws {CannotStart} if there is nothing to back up, or it cannot be written
 */
export const backup: Command = async ({ config, options, say }) => {
  const target = resolve(oneFile(options, 'backup'));
  const present = filesOf(config).filter((file) => existsSync(join(config.DATA_DIR, file)));
  for (const sentence of aboutPostgres(config)) say(sentence);
  if (present.length === 0)
    throw new CannotStart(
      `There is no SQLite file to back up in ${resolve(config.DATA_DIR)}. Set DATA_DIR to the folder of the server.`,
    );
  if (existsSync(target))
    throw new CannotStart(`${target} exists. Give a new name: a backup replaces no file.`);
  // Beside the target, so that the archive can be moved to its name in one step.
  await inFolderBeside(target, async (folder) => {
    await copyAtOneMoment(resolve(config.DATA_DIR), present, folder);
    checkPages(folder, present);
    const archive = join(folder, 'backup.tar');
    await tar('-cf', archive, '-C', folder, ...present);
    await keep(archive);
    await rename(archive, target);
    await keepNames(dirname(target));
    say(`Backed up ${present.join(' and ')} to ${target}.`);
  });
  say('It holds accounts, access tokens and keys. Keep it as safe as the original.');
  return true;
};

/**
 * `restore FILE`: makes the data folder of what `backup` wrote. The folder has to be missing or empty, and gets all files
 * at once after they have been checked.
 *
 * @throws {CannotStart} if the folder has files, or the archive is none of ours or damaged
 */
export const restore: Command = async ({ config, options, say }) => {
  const source = resolve(oneFile(options, 'restore'));
  const target = resolve(config.DATA_DIR);
  if (existsSync(target) && (await readdir(target)).length > 0)
    throw new CannotStart(
      `The folder ${target} is not empty. Stop the server and move its files away, or set DATA_DIR to a new folder.`,
    );
  const present = await listArchive(source);
  await inFolderBeside(target, async (folder) => {
    await unpack(source, folder, present);
    checkPages(folder, present);
    const entries = await checkTables(folder, present, config);
    for (const file of present) await keep(join(folder, file));
    await keepNames(folder);
    await moveFolder(folder, target);
    await keepNames(dirname(target));
    say(`Restored ${present.join(' and ')} to ${target}.${entries}`);
  });
  return true;
};

function oneFile(options: readonly string[], command: string): string {
  const [file, ...more] = options;
  if (file === undefined || file === '' || file.startsWith('-') || more.length > 0)
    throw new CannotStart(`Give the name of one file: ${commandLines.desk} ${command} FILE.`);
  return file;
}

/** The SQLite files that a server with this configuration uses. */
function filesOf({ DATABASE_URL, SERVICE_DATABASE_URL, upstream }: Config): readonly File[] {
  return files.filter((file) =>
    file === 'desk.sqlite'
      ? DATABASE_URL === undefined
      : SERVICE_DATABASE_URL === undefined && upstream === null,
  );
}

function aboutPostgres(config: Config): string[] {
  return (['DATABASE_URL', 'SERVICE_DATABASE_URL'] as const)
    .filter((name) => config[name] !== undefined)
    .map(
      (name) =>
        `The tables of ${name} are in PostgreSQL. Back them up there: pg_dump --format=custom --file=${name === 'DATABASE_URL' ? 'desk' : 'service'}.dump "$${name}"`,
    );
}

/**
 * Copies files as they all were at one moment. Writers wait for the moment in which a reader begins in each of them, and
 * not for the copies.
 */
async function copyAtOneMoment(from: string, present: readonly File[], to: string): Promise<void> {
  const openAll = () => present.map((file) => new DatabaseSync(join(from, file), { timeout: 5000 }));
  const [writers, readers] = [openAll(), openAll()];
  try {
    for (const writer of writers) holdWriters(writer);
    // A transaction that has only begun sees what others commit until it reads.
    for (const reader of readers) reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    for (const writer of writers) writer.exec('ROLLBACK');
    for (const [at, file] of present.entries()) {
      const reader = readers[at];
      if (reader) await copyPages(reader, join(to, file));
    }
  } finally {
    for (const database of [...writers, ...readers]) database.close();
  }
}

function holdWriters(database: DatabaseSync): void {
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    throw new CannotStart('The server writes without a pause. Nothing was written. Try again later.', error);
  }
}

/** @throws {CannotStart} if a copy is damaged */
function checkPages(folder: string, present: readonly File[]): void {
  for (const file of present) {
    const database = new DatabaseSync(join(folder, file));
    try {
      const fault = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {})[0];
      if (fault !== 'ok') throw new Error(String(fault));
    } catch (error) {
      throw new CannotStart(`${file} is damaged, so nothing was written. Use another backup.`, error);
    } finally {
      database.close();
    }
  }
}

/**
 * Opens copies as a server does, which brings them up to date, and checks the journal.
 *
 * @returns a sentence about the journal, or nothing where there is none
 * @throws {CannotStart} if this version cannot read them, or the journal was edited
 */
async function checkTables(folder: string, present: readonly File[], config: Config): Promise<string> {
  if (present.includes('service.sqlite'))
    await (await openCopy<ServiceTables>(folder, 'service', serviceMigrations)).destroy();
  if (!present.includes('desk.sqlite')) return '';
  const desk = await openCopy<BffTables>(folder, 'desk', bffMigrations);
  try {
    const key = await findSecret(desk, 'journal-key');
    if (key === null) return '';
    const result = await verifyJournal(desk, createMac(key, config.JOURNAL_KEY ?? null));
    if ('fault' in result)
      throw new CannotStart(`The journal failed the check, so nothing was written. ${result.fault}`);
    return ` The journal is intact. Entries: ${result.entries}.`;
  } finally {
    await desk.destroy();
  }
}

async function openCopy<Tables>(
  folder: string,
  name: 'desk' | 'service',
  migrations: Readonly<Record<string, Migration>>,
): Promise<Kysely<Tables>> {
  try {
    const file = join(folder, `${name}.sqlite`);
    return await openDatabase<Tables>({ file }, { name, migrations, fill: async () => {} });
  } catch (error) {
    throw new CannotStart(
      `This version cannot read ${name}.sqlite, so nothing was written. Restore with the version that made the backup, or a newer one.`,
      error,
    );
  }
}

/** @throws {CannotStart} if it is no archive of `backup` */
async function listArchive(source: string): Promise<readonly File[]> {
  try {
    const names = (await tar('-tf', source)).split('\n').filter((name) => name !== '');
    const present = files.filter((file) => names.includes(file));
    if (present.length > 0 && present.length === names.length) return present;
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    throw new CannotStart(`Cannot read ${source} as a backup. Give a file that backup has written.`, error);
  }
  throw new CannotStart(`${source} is no backup of Subscriber Desk. Give a file that backup has written.`);
}

async function unpack(source: string, folder: string, present: readonly File[]): Promise<void> {
  try {
    await tar('-xf', source, '-C', folder, ...present);
  } catch (error) {
    throw new CannotStart(
      `${source} is cut off or damaged, so nothing was written. Use another backup.`,
      error,
    );
  }
  for (const file of present)
    if (!(await lstat(join(folder, file))).isFile())
      throw new CannotStart(
        `${source} is no backup of Subscriber Desk. Give a file that backup has written.`,
      );
}

/** Works in a folder that only this user can read, and that is gone afterwards. */
async function inFolderBeside(path: string, work: (folder: string) => Promise<void>): Promise<void> {
  let folder: string;
  try {
    folder = await mkdtemp(join(dirname(path), `.${basename(path)}-`));
  } catch (error) {
    throw new CannotStart(`Cannot write to the folder ${dirname(path)} (${systemCode(error)}).`, error);
  }
  try {
    await work(folder);
  } catch (error) {
    const code = systemCode(error);
    if (['ENOSPC', 'EDQUOT'].includes(code))
      throw new CannotStart(`There is no space left beside ${path}. Nothing was written.`, error);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function moveFolder(folder: string, target: string): Promise<void> {
  try {
    await rename(folder, target);
  } catch (error) {
    throw new CannotStart(
      `Cannot move the files to ${target} (${systemCode(error)}). Set DATA_DIR to a folder that is missing or empty, and is no mounted disk itself: a folder inside it will do.`,
      error,
    );
  }
}

/** Makes a file safe from a power cut, and readable to this user alone. */
async function keep(path: string): Promise<void> {
  await chmod(path, 0o600);
  await using file = await open(path, 'r+');
  await file.sync();
}

/** The same for the names in a folder, which Windows does by itself. */
async function keepNames(folder: string): Promise<void> {
  if (process.platform === 'win32' || !(await stat(folder)).isDirectory()) return;
  await using opened = await open(folder, 'r');
  await opened.sync();
}
