import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { WebkitPrograms } from './webkit.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The Chromium that tests drive: `CHROMIUM_PATH`, the system's, or Playwright's own; null where there is none. */
export function findChromium(env: Environment): string | null {
  const asked = env['CHROMIUM_PATH'];
  if (asked !== undefined) return isProgram(asked) ? asked : null;
  const system = findProgram(env, 'chromium', 'chromium-browser', 'google-chrome');
  return system ?? [chromium.executablePath()].find(isProgram) ?? null;
}

/**
 * As `findChromium`, after installing one where that is this simple: on Debian, as root.
 *
 * @throws {Error} with a sentence that says how to get one
 */
export function provideChromium(env: Environment): string {
  if (findChromium(env) === null && env['CHROMIUM_PATH'] === undefined) install('chromium');
  const found = findChromium(env);
  if (found !== null) return found;
  throw new Error(
    'There is no Chromium for the browser tests. Install one (Debian: apt-get install chromium; elsewhere: npx playwright-core install chromium), or set CHROMIUM_PATH to yours.',
  );
}

/** What drives the other engines, installed where `provideChromium` would do so; null for what there is none of. */
export function provideEngines(env: Environment): { firefox: string | null; webkit: WebkitPrograms | null } {
  const find = () => ({
    firefox: findProgram(env, 'firefox-esr', 'firefox'),
    driver: findProgram(env, 'WebKitWebDriver'),
    display: findProgram(env, 'Xvfb'),
  });
  const packages = { firefox: 'firefox-esr', driver: 'webkit2gtk-driver', display: 'xvfb' } as const;
  const present = find();
  install(
    ...(['firefox', 'driver', 'display'] as const)
      .filter((each) => !present[each])
      .map((each) => packages[each]),
  );
  const { firefox, driver, display } = find();
  return { firefox, webkit: driver && display ? { driver, display } : null };
}

/** Installs packages where this needs no question: on Debian, as root. One run at a time, since apt knows no queue. */
function install(...packages: string[]): void {
  if (packages.length === 0 || !existsSync('/etc/debian_version') || process.getuid?.() !== 0) return;
  process.stderr.write(`Installing for the browser tests: apt-get install ${packages.join(' ')} ...\n`);
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const apt = (...words: string[]) =>
    execFileSync('flock', ['/run/lock/subscriber-desk-apt', 'apt-get', '-qq', ...words], options);
  try {
    apt('update');
    apt('install', '-y', '--no-install-recommends', ...packages);
  } catch {
    // Whoever looks for the programs says what is missing.
  }
}

function findProgram(env: Environment, ...names: string[]): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
