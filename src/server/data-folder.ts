import { existsSync, rmSync } from 'node:fs';
import { chmod, lchown, mkdir, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotStart, systemCode } from './cannot-start.ts';
import { isBusy } from './sql/node-sqlite.ts';

/**
 * The path of a SQLite file in the data folder. Creates the folder with mode 0700 and the file with mode 0600 if they
 * are missing, so that only this user can read them, and removes what a `restore` that was killed left beside the folder.
 *
 * @throws {CannotStart} if the folder is not writable, or other users can read it and it contains other files
 */
export async function openDataFile(dataDir: string, name: 'desk' | 'service'): Promise<string> {
  const folder = resolve(dataDir);
  try {
    removeKilledRestore(folder);
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

/**
 * For commands that use a data folder only if it is there.
 *
 * @throws {CannotStart} if this user may not look into it: then its files seem to be missing
 */
export async function requireReadable(folder: string): Promise<void> {
  const code = await readdir(folder).then(() => '', systemCode);
  if (code !== 'EACCES') return;
  throw new CannotStart(
    `This user may not read the folder ${folder}. Run the command as the user of the server.`,
  );
}

/** Where a backup or a restore works until its folder is whole. */
export const unfinishedBeside = (folder: string): string =>
  join(dirname(folder), `.${basename(folder)}-unfinished`);

/**
 * Takes a folder for this process alone: a lock of SQLite ends with its process, also where that is killed.
 *
 * @param timeout ms to wait for another that has it
 * @throws SQLite's error, as of `isBusy` if another has it
 */
export function lockFolder(place: string, timeout = 0): DatabaseSync {
  const lock = new DatabaseSync(join(place, 'lock'), { timeout });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Removes such a folder of a run that was killed: it holds keys and tokens. @throws as `lockFolder` */
export function removeUnfinished(place: string, timeout?: number): void {
  // Windows removes no open file.
  lockFolder(place, timeout).close();
  rmSync(place, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes what a restore that was killed has left. @throws {CannotStart} if it is still at work, or was another user's */
function removeKilledRestore(folder: string): void {
  const place = unfinishedBeside(folder);
  if (!existsSync(place)) return;
  try {
    // Another server that starts at the same moment takes it for a moment.
    removeUnfinished(place, 1000);
  } catch (error) {
    // The other server was faster.
    if (!existsSync(place)) return;
    throw new CannotStart(
      isBusy(error)
        ? `A restore is filling ${folder} right now. Wait until it has ended.`
        : `Cannot remove ${place}, which a restore by another user has made. Wait until it has ended. If it was killed, remove this folder as that user.`,
      error,
    );
  }
}

/** The user and the group that a file or a folder belongs to. */
export async function ownerOf(path: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(path);
  return { uid, gid };
}

/** Gives what root has made to the server's user, who could not use it, as SQLite does with its own files. */
export async function giveTo({ uid, gid }: { uid: number; gid: number }, path: string): Promise<void> {
  // Where somebody has put a link in its place, that gets the owner, and not the file that it leads to.
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
}

/** Creates one level at a time: a recursive `mkdir` never ends if a parent exists but takes no folders (/proc). */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
    await giveTo(await ownerOf(dirname(path)), path);
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
  if (!existsSync(path)) {
    const file = await open(path, 'a', 0o600);
    await file.close();
    await giveTo(await ownerOf(dirname(path)), path);
  }
  await chmod(path, 0o600);
  return path;
}
