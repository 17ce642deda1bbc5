import { existsSync } from 'node:fs';
import { chmod, link, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { CannotStart, systemCode } from './cannot-start.ts';

export interface DataFolder {
  /** Paths of the SQLite files; both exist and are readable by this user alone. */
  desk: string;
  service: string;
  secrets: Secrets;
}

const Secrets = z.object({ clientSecret: z.string().check(z.minLength(32)) });
type Secrets = z.infer<typeof Secrets>;

/**
 * Opens the folder that holds all that the desk keeps, and makes what is missing: the folder with mode 0700, its
 * files with 0600.
 *
 * @throws {CannotStart} where it cannot be written to or its secrets cannot be read
 */
export async function openDataFolder(
  path: string,
  random: (bytes: number) => Uint8Array,
): Promise<DataFolder> {
  const folder = resolve(path);
  try {
    await makeFolder(folder);
    await closeToOthers(folder);
    // SQLite gives its -wal and -shm files the mode of the database, so it must be right from the start.
    const desk = await ownFile(join(folder, 'desk.sqlite'));
    const service = await ownFile(join(folder, 'service.sqlite'));
    return { desk, service, secrets: await keepSecrets(join(folder, 'secrets.json'), random) };
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    const code = systemCode(error);
    throw new CannotStart(
      `The folder ${folder} cannot be used${code && ` (${code})`}. Set DATA_DIR to one that this program may write to.`,
      error,
    );
  }
}

/** One level at a time: `mkdir` with `recursive` never ends where a parent is there but takes no folders (/proc). */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Another desk that starts at this moment may have made it.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** A folder that was made by other means may be open to all, and whoever can write to it can swap its files. */
async function closeToOthers(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  // On Windows the mode says nothing.
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const others = (await readdir(folder)).filter((name) => !ownName.test(name));
  if (others.length > 0)
    throw new CannotStart(
      `The folder ${folder} is open to other users and holds other things as well. Set DATA_DIR to a folder of its own.`,
    );
  await chmod(folder, 0o700);
}
const ownName = /^((desk|service)\.sqlite|secrets\.json|lost\+found$)/;

async function ownFile(path: string): Promise<string> {
  const file = await open(path, 'a', 0o600);
  await file.close();
  await chmod(path, 0o600);
  return path;
}

/** Reads the secrets, or generates them the first time. */
async function keepSecrets(path: string, random: (bytes: number) => Uint8Array): Promise<Secrets> {
  if (!existsSync(path)) await generateSecrets(path, random);
  await chmod(path, 0o600);
  const read = Secrets.safeParse(parseJson(await readFile(path, 'utf8')));
  if (!read.success) throw new CannotStart(`${path} is damaged. Remove it: the next start makes a new one.`);
  return read.data;
}

async function generateSecrets(path: string, random: (bytes: number) => Uint8Array): Promise<void> {
  const secrets: Secrets = { clientSecret: toBase64Url(random(32)) };
  const draft = `${path}.${toBase64Url(random(6))}`;
  await writeFile(draft, `${JSON.stringify(secrets)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // A link appears whole and only once, so that two desks that start at the same moment share one secret.
    await link(draft, path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
