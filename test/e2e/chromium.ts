import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** The Chromium that tests drive: `CHROMIUM_PATH`, the system's, or Playwright's own; null where there is none. */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string | null {
  const asked = env['CHROMIUM_PATH'];
  if (asked !== undefined) return isProgram(asked) ? asked : null;
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const system = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  return system ?? [chromium.executablePath()].find(isProgram) ?? null;
}

/**
 * As `findChromium`, after installing one where that is this simple: on Debian, as root.
 *
 * @throws {Error} with a sentence that says how to get one
 */
export function provideChromium(env: Readonly<Record<string, string | undefined>>): string {
  const found = findChromium(env) ?? (env['CHROMIUM_PATH'] === undefined ? installChromium(env) : null);
  if (found !== null) return found;
  throw new Error(
    'There is no Chromium for the browser tests. Install one (Debian: apt-get install chromium; elsewhere: npx playwright-core install chromium), or set CHROMIUM_PATH to yours.',
  );
}

function installChromium(env: Readonly<Record<string, string | undefined>>): string | null {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return null;
  process.stderr.write('Installing Chromium for the browser tests (apt-get install chromium) ...\n');
  try {
    const options: ExecFileSyncOptions = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    execFileSync('apt-get', ['-qq', 'update'], options);
    execFileSync('apt-get', ['-qq', 'install', '-y', 'chromium'], options);
  } catch {
    return null;
  }
  return findChromium(env);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
