import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { WebkitPrograms } from '../../e2e/more/engines/webkit.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const chromiums = ['chromium', 'chromium-browser', 'google-chrome'];
/** Chromium without anything to show takes a fifth less processor time, over `test/e2e`. */
const headless = 'chromium-headless-shell';

/** The Chromium of `CHROMIUM_PATH`, else the first of these of the system, else Playwright's own; null where there is none. */
function findChromium(env: Environment, names: readonly string[]): string | null {
  const requested = env['CHROMIUM_PATH'];
  if (requested !== undefined) return isProgram(requested) ? requested : null;
  return findProgram(env, ...names) ?? [chromium.executablePath()].find(isProgram) ?? null;
}

/**
 * The Chromium that benches drive, after installing one where that is this simple: on Debian, as root.
 *
 * @throws {Error} with a sentence that says how to get one
 */
export const provideChromium = (env: Environment): string => provide(env, chromiums);

/** The same for tests. */
export const provideTestChromium = (env: Environment): string => provide(env, [headless, ...chromiums]);

function provide(env: Environment, names: readonly string[]): string {
  const [best = ''] = names;
  if (env['CHROMIUM_PATH'] === undefined && findProgram(env, best) === null) install(best);
  const found = findChromium(env, names);
  if (found !== null) return found;
  throw new Error(
    'There is no Chromium for the browser tests. Install one (Debian: apt-get install chromium; elsewhere: npx playwright-core install chromium), or set CHROMIUM_PATH to yours.',
  );
}

/** Programs that drive the other engines, installed where `provideChromium` would do so; null where there are none. */
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
