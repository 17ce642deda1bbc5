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
  const cache = join(root, '.cache');
  const folder = join(cache, name);
  const unpacked = join(folder, path);
  if (existsSync(unpacked)) return unpacked;
  try {
    mkdirSync(cache, { recursive: true });
    // Only a whole one gets the name: a test that was stopped leaves no half of it.
    const fresh = mkdtempSync(`${folder}-`);
    try {
      const options = { cwd: fresh, stdio: 'ignore' } as const;
      try {
        execFileSync('apt-get', ['-qq', 'download', name], options);
      } catch {
        execFileSync('apt-get', ['-qq', 'update'], options);
        execFileSync('apt-get', ['-qq', 'download', name], options);
      }
      const [file = ''] = readdirSync(fresh).filter((each) => each.endsWith('.deb'));
      execFileSync('dpkg', ['-x', file, fresh], options);
      rmSync(join(fresh, file));
      rmSync(folder, { recursive: true, force: true });
      renameSync(fresh, folder);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    return existsSync(unpacked) ? unpacked : null;
  } catch {
    process.stderr.write(
      `There is no ${name}, so what needs it is left out. Debian: apt-get install ${name}.\n`,
    );
    return null;
  }
}
