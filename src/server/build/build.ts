import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CannotStart } from '../cannot-start.ts';
import { lockFolder } from '../data-folder.ts';
import { isBusy } from '../sql/node-sqlite.ts';

export type BuildMode = 'app' | 'demo';

interface BuildOptions {
  root: string;
  mode: BuildMode;
  /** Prints a line for the person who waits. */
  say: (sentence: string) => void;
  bundle?: WriteBundle;
}
type WriteBundle = (root: string, mode: BuildMode, folder: string) => Promise<void>;

/**
 * Builds the dashboard if its sources changed since the last build. Where there are no sources, it is built already.
 *
 * @returns the folder with the built files
 * @throws {CannotStart} if the build fails
 */
export async function buildDashboard({
  root,
  mode,
  say,
  bundle = bundleInProcess,
}: BuildOptions): Promise<string> {
  const folder = join(root, 'dist', mode);
  // The package has no sources, and the dashboard comes built.
  if (!existsSync(join(root, 'index.html'))) return folder;
  const stampFile = join(folder, '.stamp');
  const stamp = await hashSources(root, sources[mode]);
  const isBuilt = async () => existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp;
  if (await isBuilt()) return folder;
  say(mode === 'app' ? 'Building the dashboard ...' : 'Building the demo ...');
  using _ = await lockBuilds(dirname(folder));
  if (await isBuilt()) return folder;
  await bundle(root, mode, folder);
  // Written last, into a folder that the build has emptied, so an interrupted build leaves no stamp.
  await writeFile(stampFile, stamp);
  return folder;
}

/** Most time that a build takes, in ms. */
const longestBuild = 120_000;

/**
 * Waits for another server that builds: each would empty the folder that the other writes and reads.
 *
 * @throws {CannotStart} if this user may not build
 */
async function lockBuilds(place: string): Promise<DatabaseSync | null> {
  for (let waited = 0; waited < longestBuild; waited += 100) {
    try {
      mkdirSync(place, { recursive: true });
      return lockFolder(place);
    } catch (error) {
      if (!isBusy(error))
        throw new CannotStart(
          `Cannot build in the folder ${place}. Start as the user who may write to it.`,
          error,
        );
    }
    await pause(100);
  }
  // A network folder without locks says that they are taken (ENOLCK).
  return null;
}

const shared = [
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'public',
  'src/app',
  'src/contract',
  'src/lib',
  'src/server/build/bundle.ts',
  'src/server/build/compile-hint.ts',
  'src/server/build/licences.ts',
  'src/server/build/pack-files.ts',
];
const sources: Readonly<Record<BuildMode, readonly string[]>> = {
  app: shared,
  demo: [...shared, 'src/bff', 'src/service', 'src/demo', 'src/server/embedded-service.ts', 'src/server/sql'],
};

/** One hash over names and contents, so that renaming a file changes it as well. */
async function hashSources(root: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of await listFiles(root, path)) {
      const content = await readFile(join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

async function listFiles(root: string, path: string): Promise<string[]> {
  if (!existsSync(join(root, path))) return [];
  if (!(await stat(join(root, path))).isDirectory()) return [path];
  const names = (await readdir(join(root, path))).toSorted();
  return (await Promise.all(names.map((name) => listFiles(root, `${path}/${name}`)))).flat();
}

/** Runs the bundler in its own process, so that its memory and NODE_ENV do not stay in the server. */
async function bundleInProcess(root: string, mode: BuildMode, folder: string): Promise<void> {
  const script = fileURLToPath(new URL('bundle.ts', import.meta.url));
  const child = spawn(process.execPath, [script, root, mode, folder], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0)
    throw new CannotStart('The dashboard could not be built. Correct the errors above and try again.');
}
