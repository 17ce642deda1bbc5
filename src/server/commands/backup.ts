/** The commands `backup FOLDER` and `restore FOLDER`, for tables in SQLite. PostgreSQL has its own. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backup as copyPages, DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { endShownCodes } from '../../bff/auth/second-factor.ts';
import { findSecret } from '../../bff/auth/secrets.ts';
import { createMac } from '../../bff/journal/chain.ts';
import { readHeadRow, verifyJournal } from '../../bff/journal/verify.ts';
import { bffMigrations } from '../../bff/migrations.ts';
import type { BffTables } from '../../bff/schema.ts';
import { pauseJobs } from '../../bff/auth/session-store.ts';
import { passingTables } from '../../bff/stored-data.ts';
import { serviceMigrations } from '../../service/migrations.ts';
import type { ServiceTables } from '../../service/schema.ts';
import { CannotStart, systemCode } from '../cannot-start.ts';
import type { Config } from '../config/config.ts';
import {
  giveTo,
  lockFolder,
  ownerOf,
  removeUnfinished,
  requireReadable,
  unfinishedBeside,
} from '../data-folder.ts';
import { commandLines } from '../installation.ts';
import { openDatabase } from '../open-database.ts';
import type { Command } from '../run-command.ts';
import { clock } from '../runtime.ts';
import { isBusy } from '../sql/node-sqlite.ts';
import { eraseDeletedTexts } from '../sql/search-indexes.ts';
import { findFullDisk } from '../sql/write-check.ts';

const files = ['desk.sqlite', 'service.sqlite'] as const;
type File = (typeof files)[number];

/** The file that has the SHA-256 of each other file in a backup, as `sha256sum --check` reads it. */
const sumsFile = 'SHA256SUMS';

/**
 * `backup FOLDER`: copies the SQLite files of BFF and service into a new folder, as both were at one moment. The server
 * may run. The copies are checked before the folder gets its name.
 *
 * @throws {CannotStart} if there is nothing to back up, or it cannot be written
 */
export const backup: Command = async ({ config, options, say }) => {
  const target = resolve(oneFolder(options, 'backup'));
  await requireReadable(resolve(config.DATA_DIR));
  const present = filesOf(config).filter((file) => existsSync(join(config.DATA_DIR, file)));
  for (const sentence of aboutPostgres(config)) say(sentence);
  if (present.length === 0)
    throw new CannotStart(
      `There is no SQLite file to back up in ${resolve(config.DATA_DIR)}. Set DATA_DIR to the folder of the server.`,
    );
  if (existsSync(target))
    throw new CannotStart(`${target} exists. Give a new name: a backup replaces nothing.`);
  await inFolderBeside(target, async (folder) => {
    await copyAtOneMoment(resolve(config.DATA_DIR), present, folder);
    checkPages(folder, present);
    if (present.includes('desk.sqlite')) leaveOutPassing(join(folder, 'desk.sqlite'));
    if (present.includes('service.sqlite')) await leaveOutDeleted(join(folder, 'service.sqlite'));
    const sums = await Promise.all(
      present.map(async (file) => `${await sha256(join(folder, file))}  ${file}\n`),
    );
    await writeFile(join(folder, sumsFile), sums.join(''));
    await moveWhole(folder, [...present, sumsFile], target);
  });
  say(`Backed up ${present.join(' and ')} to ${target}.`);
  say('It holds accounts, access tokens and keys. Keep it as safe as the original.');
  return true;
};

/**
 * `restore FOLDER`: makes the data folder of what `backup` wrote, which has no sessions. The data folder has to be missing or
 * empty, and gets all files at once after they have been checked.
 *
 * @throws {CannotStart} if the data folder has files, or the backup is none of ours or damaged
 */
export const restore: Command = async ({ config, options, say }) => {
  const source = resolve(oneFolder(options, 'restore'));
  const target = resolve(config.DATA_DIR);
  await requireReadable(target);
  if (existsSync(target) && !(await stat(target)).isDirectory())
    throw new CannotStart(`${target} is no folder. Set DATA_DIR to a new one.`);
  if (existsSync(target) && (await readdir(target)).length > 0)
    throw new CannotStart(
      `The folder ${target} is not empty. Stop the server and move its files away, or set DATA_DIR to a new folder.`,
    );
  const sums = await readSums(source);
  const present = [...sums.keys()];
  await inFolderBeside(target, async (folder) => {
    for (const [file, sum] of sums) await copyChecked(join(source, file), join(folder, file), sum);
    const entries = await checkTables(folder, present, config);
    const owner = await ownerOf(existsSync(target) ? target : dirname(target));
    for (const name of [...present, '.']) await giveTo(owner, join(folder, name));
    await moveWhole(folder, present, target);
    say(`Restored ${present.join(' and ')} to ${target}.${entries}`);
  });
  return true;
};

function oneFolder(options: readonly string[], command: string): string {
  const [folder, ...more] = options;
  if (folder === undefined || folder === '' || folder.startsWith('-') || more.length > 0)
    throw new CannotStart(`Give the name of one folder: ${commandLines.desk} ${command} FOLDER.`);
  return folder;
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
  using opened = new DisposableStack();
  const openAll = () =>
    present.map((file) => opened.use(new DatabaseSync(join(from, file), { timeout: 5000 })));
  const [writers, readers] = [openAll(), openAll()];
  for (const [at, writer] of writers.entries()) await holdWriters(writer, join(from, present[at] ?? ''));
  // A transaction that has only begun sees what others commit until it reads.
  for (const reader of readers) reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  for (const writer of writers) writer.exec('ROLLBACK');
  for (const [at, file] of present.entries()) {
    const reader = readers[at];
    if (reader) await copyPages(reader, join(to, file));
  }
}

async function holdWriters(database: DatabaseSync, file: string): Promise<void> {
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    throw new CannotStart(
      isBusy(error)
        ? 'The server writes without a pause. Nothing was written. Try again later.'
        : `Cannot use ${file}. ${await faultOf(file, error)}`,
      error,
    );
  }
}

/** Why a file cannot be used: without room for its log, SQLite only says that the disk fails. */
async function faultOf(file: string, error: unknown): Promise<string> {
  const full = await findFullDisk(file);
  return (
    full?.message ?? `Nothing was written (${error instanceof Error ? error.message : 'unknown reason'}).`
  );
}

/** Empties the tables that nobody may restore, and writes the rest anew, so that nothing deleted is in it. */
function leaveOutPassing(file: string): void {
  using database = new DatabaseSync(file);
  for (const table of passingTables) database.exec(`DELETE FROM ${table}`);
  database.exec('VACUUM');
}

/** In the copy, so that no server waits. */
async function leaveOutDeleted(file: string): Promise<void> {
  using database = new DatabaseSync(file);
  await eraseDeletedTexts(database);
}

/** @throws {CannotStart} if a copy is damaged */
function checkPages(folder: string, present: readonly File[]): void {
  for (const file of present) {
    try {
      using database = new DatabaseSync(join(folder, file));
      const fault = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {})[0];
      if (fault !== 'ok') throw new Error(String(fault));
    } catch (error) {
      throw new CannotStart(`${file} is damaged, so nothing was written. Use another backup.`, error);
    }
  }
}

/**
 * Opens copies as a server does, which brings them up to date, checks the journal and ends the codes that apps show.
 *
 * @returns a sentence about the journal, or nothing where there is none
 * @throws {CannotStart} if this version cannot read them, or the journal was edited
 */
async function checkTables(folder: string, present: readonly File[], config: Config): Promise<string> {
  if (present.includes('service.sqlite'))
    await (await openCopy<ServiceTables>(folder, 'service', serviceMigrations)).destroy();
  if (!present.includes('desk.sqlite')) return '';
  await using db = await openCopy<BffTables>(folder, 'desk', bffMigrations);
  const key = await findSecret(db, 'journal-key');
  if (key === null) return '';
  if (config.JOURNAL_KEY !== undefined && (await readHeadRow(db)).key_id === null)
    throw new CannotStart(
      'The journal of this backup is not under the key in JOURNAL_KEY, so nothing was written. If the backup is older than the key, restore it without JOURNAL_KEY, and start the server with it. Else somebody took the key out of the backup.',
    );
  const result = await verifyJournal(db, createMac(key, config.JOURNAL_KEY ?? null));
  if ('fault' in result)
    throw new CannotStart(`The journal failed the check, so nothing was written. ${result.fault}`);
  await endShownCodes(db, clock());
  // Somebody may have stopped or discarded one since.
  await pauseJobs(db);
  return ` The journal is intact. Entries: ${result.entries}.`;
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

/** The files of a backup with their checksums. @throws {CannotStart} if it is no backup */
async function readSums(source: string): Promise<Map<File, string>> {
  const text = await readFile(join(source, sumsFile), 'utf8').catch(() => '');
  const rows = text.split('\n').map((line) => /^([\da-f]{64}) {2}(.+)$/.exec(line));
  const sums = new Map(
    files.flatMap((file) => {
      const sum = rows.find((row) => row?.[2] === file)?.[1];
      return sum === undefined ? [] : [[file, sum] as const];
    }),
  );
  if (sums.size === 0)
    throw new CannotStart(
      `${source} is no backup of Subscriber Desk. Give a folder that backup has written.`,
    );
  return sums;
}

/** @throws {CannotStart} if the file is missing, or one bit of it is not as it was */
async function copyChecked(from: string, to: string, sum: string): Promise<void> {
  await copyFile(from, to).catch((error: unknown) => {
    if (outOfSpace.includes(systemCode(error))) throw error;
    throw new CannotStart(
      `Cannot read ${from} (${systemCode(error)}), so nothing was written. Use another backup.`,
      error,
    );
  });
  if ((await sha256(to)) !== sum)
    throw new CannotStart(`${from} is damaged, so nothing was written. Use another backup.`);
}

async function sha256(path: string): Promise<string> {
  await using file = await open(path);
  const hash = createHash('sha256');
  for await (const part of file.createReadStream()) hash.update(part);
  return hash.digest('hex');
}

const outOfSpace = ['ENOSPC', 'EDQUOT'];

/**
 * Works in a folder that only this user can read, and that is gone afterwards. A run that is killed leaves it behind: the next
 * one beside it removes it.
 */
async function inFolderBeside(path: string, work: (folder: string) => Promise<void>): Promise<void> {
  const place = unfinishedBeside(path);
  const folder = join(place, 'files');
  const lock = await holdAlone(place, path);
  try {
    await removeAbandoned(dirname(path), place);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    await work(folder);
  } catch (error) {
    if (outOfSpace.includes(systemCode(error)))
      throw new CannotStart(`There is no space left beside ${path}. Nothing was written.`, error);
    throw error;
  } finally {
    lock.close();
    await rm(place, { recursive: true, force: true });
  }
}

/** Removes what killed runs with other names have left, such as that of yesterday: nobody looks for personal data there. */
async function removeAbandoned(parent: string, own: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const place = join(parent, name);
    if (place === own || !/^\..+-unfinished$/.test(name)) continue;
    try {
      // Another program may call its own folder so.
      const names = await readdir(place);
      if (/^(files,)?lock(,lock-journal)?$/.test(names.toSorted().join())) removeUnfinished(place);
    } catch {
      // A run is at work there, or it is another user's.
    }
  }
}

/** Two runs at once would mix their files. */
async function holdAlone(place: string, path: string): Promise<DatabaseSync> {
  try {
    if (!existsSync(place)) await mkdir(place, { mode: 0o700 });
    return lockFolder(place);
  } catch (error) {
    if (isBusy(error))
      throw new CannotStart(`Another run is writing ${path} right now. Wait until it has ended.`, error);
    throw new CannotStart(
      `Cannot write to the folder ${dirname(path)}. ${await faultOf(place, error)}`,
      error,
    );
  }
}

/** Gives a folder its name after its files are safe from a power cut, and readable to this user alone. */
async function moveWhole(folder: string, names: readonly string[], target: string): Promise<void> {
  for (const name of names) {
    await chmod(join(folder, name), 0o600);
    await sync(join(folder, name));
  }
  await sync(folder);
  try {
    await rename(folder, target);
  } catch (error) {
    throw new CannotStart(
      `Cannot move the files to ${target} (${systemCode(error)}). It has to be missing or empty, and no mounted disk itself: a folder inside it will do.`,
      error,
    );
  }
  await sync(dirname(target));
}

/** Windows keeps the names in a folder safe by itself, and opens no folder. */
async function sync(path: string): Promise<void> {
  const isFolder = (await stat(path)).isDirectory();
  if (isFolder && process.platform === 'win32') return;
  await using opened = await open(path, isFolder ? 'r' : 'r+');
  await opened.sync();
}
