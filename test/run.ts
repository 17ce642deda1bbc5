/**
 * `npm test`: the checks, then all tests. Everything runs even if something before it failed, so that one run shows
 * all that is wrong. The last line counts; the exit code is 0 only if nothing failed and nothing was skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from '../src/server/build/build.ts';
import { provideChromium, provideEngines } from './e2e/engines/provide.ts';
import { sumUp, countVitest, type TestTotals } from './support/test-totals.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = join(root, 'node_modules/.bin');
const env: Record<string, string | undefined> = {
  ...process.env,
  PATH: [programs, process.env['PATH']].join(delimiter),
};
const wrong: string[] = [];

const checks = [check('tsc', '-p', '.'), check('oxlint'), check('oxfmt', '--check')];
const missing = [
  await provide('Chromium', async () => {
    env['CHROMIUM_PATH'] = provideChromium(env);
  }),
  // Without them their tests are skipped, which says why.
  await provide('Firefox and WebKit', async () => void provideEngines(env)),
  await provide('the built dashboard', () => buildDashboard({ root, mode: 'app', say })),
  await provide('the built demo', () => buildDashboard({ root, mode: 'demo', say })),
];
const total = sumUp([...checks, ...missing, runVitest(process.argv.slice(2))]);

for (const sentence of wrong) say(sentence);
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed + total.skipped > 0 ? 1 : 0;

/** A check counts as one test. */
function check(program: string, ...options: string[]): TestTotals {
  say(`> ${[program, ...options].join(' ')}`);
  const passed = run(program, options) === 0;
  if (!passed) wrong.push(`The check ${program} failed.`);
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

/** What tests need counts as a failed test only if it cannot be provided. */
async function provide(name: string, get: () => Promise<unknown>): Promise<TestTotals> {
  try {
    await get();
    return { passed: 0, failed: 0, skipped: 0 };
  } catch (error) {
    wrong.push(`Tests lack ${name}. ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** @param filters paths of test files, or the beginnings of them; none for all */
function runVitest(filters: readonly string[]): TestTotals {
  say(`> ${['vitest run', ...filters].join(' ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const exitCode = run('vitest', ['run', ...reporters, ...filters]);
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  rmSync(folder, { recursive: true });
  const totals = countVitest(report, exitCode);
  if (totals.failed > 0) wrong.push('vitest failed.');
  if (totals.skipped > 0) wrong.push('Tests were skipped. Make them run, or remove them.');
  return totals;
}

function run(program: string, options: readonly string[]): number | null {
  const shell = process.platform === 'win32';
  return spawnSync(program, options, { cwd: root, env, shell, stdio: 'inherit' }).status;
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
