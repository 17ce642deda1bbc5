import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './start-process.ts';

/**
 * A program of the system, or else Debian's, unpacked into `.cache` and not installed: an installed one would begin to
 * serve.
 *
 * @param name of Debian's package
 * @param path where the package puts the program
 * @returns the program's path, or null where there is neither
 */
export function findDebianProgram(name: string, path: string): string | null {
  if (existsSync(path)) return path;
  const folder = unpackOnce(name, () => ['download', name]);
  const unpacked = join(folder ?? '', path);
  return folder !== null && existsSync(unpacked) ? unpacked : null;
}

/**
 * Debian's packages with all that they need and the system lacks, unpacked into one folder in `.cache`.
 *
 * @returns the folder, which stands for `/`; null where they cannot be had
 */
export function unpackDebianPackages(name: string, packages: readonly string[]): string | null {
  return unpackOnce(name, (to) => {
    mkdirSync(join(to, 'partial'));
    // It only downloads, so it needs no lock, and nothing is installed.
    const options = ['-o', `Dir::Cache::Archives=${to}`, '-o', 'Debug::NoLocking=1', '--download-only'];
    return ['-y', '--no-install-recommends', ...options, 'install', ...packages];
  });
}

/** @param download what to tell apt-get so that the packages are in this folder then */
function unpackOnce(name: string, download: (to: string) => string[]): string | null {
  const cache = join(root, '.cache');
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  try {
    mkdirSync(cache, { recursive: true });
    // Only a whole one gets the name: a test that was stopped leaves no half of it.
    const fresh = mkdtempSync(`${folder}-`);
    const archives = mkdtempSync(`${folder}-`);
    try {
      const options = { cwd: archives, stdio: 'ignore' } as const;
      const words = ['-qq', ...download(archives)];
      try {
        execFileSync('apt-get', words, options);
      } catch {
        execFileSync('apt-get', ['-qq', 'update'], options);
        execFileSync('apt-get', words, options);
      }
      for (const file of readdirSync(archives).filter((each) => each.endsWith('.deb')))
        execFileSync('dpkg', ['-x', join(archives, file), fresh], options);
      renameSync(fresh, folder);
    } finally {
      for (const each of [fresh, archives]) rmSync(each, { recursive: true, force: true });
    }
    return folder;
  } catch {
    process.stderr.write(
      `There is no ${name}, so what needs it is left out. Debian: apt-get install ${name}.\n`,
    );
    return null;
  }
}
