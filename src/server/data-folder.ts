import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CannotStart, systemCode } from './cannot-start.ts';

/**
 * The path of a SQLite file in the data folder. Creates the folder with mode 0700 and the file with mode 0600 if they
 * are missing, so that only this user can read them, and removes what a `restore` that was killed left beside the folder.
 *
 * @throws {CannotStart} if the folder is not writable, or other users can read it and it contains other files
 */
export async function openDataFile(dataDir: string, name: 'desk' | 'service'): Promise<string> {
  const folder = resolve(dataDir);
  try {
    // It holds keys and tokens.
    await rm(unfinishedBeside(folder), { recursive: true, force: true });
    await makeFolder(folder);
    await closeToOthers(folder);
    // SQLite gives its -wal and -shm files the mode of the database, so it must be right from the start.
    return await ownFile(join(folder, `${name}.sqlite`));
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    const code = systemCode(error);
    throw new CannotStart(
      `Cannot use the folder ${folder}${code && ` (${code})`}. Set DATA_DIR to a folder that this program can write to.`,
      error,
    );
  }
}

/** Where a backup or a restore works until its folder is whole. */
export const unfinishedBeside = (folder: string): string =>
  join(dirname(folder), `.${basename(folder)}-unfinished`);

/** Creates one level at a time: a recursive `mkdir` never ends if a parent exists but takes no folders (/proc). */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same moment may have created it.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Closes a folder that something else created: if others can write to it, they can replace its files. */
async function closeToOthers(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  // On Windows the mode says nothing.
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const others = (await readdir(folder)).filter((name) => !ownName.test(name));
  if (others.length > 0)
    throw new CannotStart(
      `Other users can read the folder ${folder}, and it contains other files. Set DATA_DIR to a folder of its own.`,
    );
  await chmod(folder, 0o700);
}
// Folders of earlier versions hold a `secrets.json`.
const ownName = /^((desk|service)\.sqlite|secrets\.json|lost\+found$)/;

async function ownFile(path: string): Promise<string> {
  const file = await open(path, 'a', 0o600);
  await file.close();
  await chmod(path, 0o600);
  return path;
}
