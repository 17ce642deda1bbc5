/**
 * `npm test`: the checks, and the tests that a change has to pass; with `--all` all tests, with `--changed` those that
 * a change since the last commit can affect, and with paths those in these files. Everything runs even if something
 * before it failed, so that one run shows all that is wrong. The last line counts; the exit code is 0 only if nothing
 * failed and nothing was skipped.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from '../src/server/build/build.ts';
import { provideEngines, provideTestChromium } from './support/e2e/provide.ts';

interface TestTotals {
  passed: number;
  failed: number;
  skipped: number;
}

/** The part of vitest's JSON report that counts. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** By file; times in ms. */
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    status: string;
    assertionResults: { status: string }[];
  }[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = join(root, 'node_modules/.bin');
const env: Record<string, string | undefined> = {
  ...process.env,
  PATH: [programs, process.env['PATH']].join(delimiter),
};
const options = process.argv.slice(2);
const isAll = options.includes('--all');
const wrong: string[] = [];
const files: Report['testResults'] = [];

const checks = [check('tsc', '-p', '.'), check('oxlint'), check('oxfmt', '--check')];
const missing = [
  await provide('Chromium', async () => {
    env['CHROMIUM_PATH'] = provideTestChromium(env);
  }),
  // Without them their tests are skipped, which says why.
  ...(isAll ? [await provide('Firefox and WebKit', async () => void provideEngines(env))] : []),
  await provide('the built dashboard', () => buildDashboard({ root, mode: 'app', say })),
  await provide('the built demo', () => buildDashboard({ root, mode: 'demo', say })),
];
// Another run than the usual ones is about something else.
const size = isAll || options.length === 0 ? [check('node', 'test/bench/size.ts')] : [];
const total = sumUp([...checks, ...missing, ...size, ...runs().map((run) => runVitest(run))]);

sayTimes();
for (const sentence of wrong) say(sentence);
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed + total.skipped > 0 ? 1 : 0;

/** The options of each run of vitest; `vitest.config.ts` has the projects. */
function runs(): string[][] {
  const usual = ['node', 'postgres', 'app', 'app-start', 'e2e'].map((name) => `--project=${name}`);
  if (isAll) return [[...usual, '--project=postgres-more', '--project=e2e-more']];
  const changed = options.find((option) => /^--changed(=|$)/.test(option));
  if (changed === undefined) return [options.length > 0 ? options : usual];
  // No import leads from these tests to what they read: the code, the documents, the built dashboard.
  const readers = readdirSync(join(root, 'test')).filter((name) => name.endsWith('.test.ts'));
  const [, since = 'HEAD'] = changed.split('=');
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' });
  const paths = git('diff', '--name-only', since) + git('ls-files', '--others', '--exclude-standard');
  const isPageChanged = /^(index\.html|vite\.config\.ts|public\/|src\/(app|contract|demo)\/)/m.test(paths);
  return [
    [...usual, ...options],
    [...readers.map((name) => `test/${name}`), ...(isPageChanged ? ['test/e2e/'] : []), ...usual],
  ];
}

/** A check counts as one test. */
function check(program: string, ...words: string[]): TestTotals {
  say(`> ${[program, ...words].join(' ')}`);
  const passed = run(program, words) === 0;
  if (!passed) wrong.push(`The check ${[program, ...words].join(' ')} failed.`);
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

/** Provides a need of tests; it counts as a failed test only if it cannot be provided. */
async function provide(name: string, get: () => Promise<unknown>): Promise<TestTotals> {
  try {
    await get();
    return { passed: 0, failed: 0, skipped: 0 };
  } catch (error) {
    wrong.push(`Tests lack ${name}. ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function runVitest(words: readonly string[]): TestTotals {
  say(`> ${['vitest run', ...words].join(' ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const exitCode = run('vitest', ['run', ...reporters, ...words]);
  const report: Report | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  rmSync(folder, { recursive: true });
  files.push(...(report?.testResults ?? []));
  const totals = countVitest(report, exitCode);
  if (totals.failed > 0) wrong.push('vitest failed.');
  if (totals.skipped > 0) wrong.push('Tests were skipped. Make them run, or remove them.');
  return totals;
}

/** The slowest test files, and how long everything took. */
function sayTimes(): void {
  const seconds = ({ startTime, endTime }: Report['testResults'][number]) => (endTime - startTime) / 1000;
  const slowest = files.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, 10);
  say('The slowest test files, in seconds:');
  for (const each of slowest) say(`${seconds(each).toFixed(1).padStart(7)} ${relative(root, each.name)}`);
  const processor = processorSeconds();
  say(
    `It took ${Math.round(process.uptime())} s${processor === null ? '' : `, and ${processor} s of processor time`}.`,
  );
}

/** Processor time of this process and all ended ones that it started, in s; null where the system has none. */
function processorSeconds(): number | null {
  const file = '/proc/self/stat';
  if (!existsSync(file)) return null;
  // See proc_pid_stat(5): utime, stime, cutime and cstime follow the name, which ends with the last bracket, by 12.
  const [, fields = ''] = readFileSync(file, 'utf8').split(') ');
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  return Math.round(ticks.reduce((sum, each) => sum + each, 0) / 100);
}

function run(program: string, words: readonly string[]): number | null {
  const shell = process.platform === 'win32';
  return spawnSync(program, words, { cwd: root, env, shell, stdio: 'inherit' }).status;
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

/**
 * Counts a run of vitest so that nothing that went wrong stays out of the sum.
 *
 * @param report null where vitest wrote none, which it does not when it crashes
 * @param exitCode what vitest ended with; null where a signal ended it
 */
function countVitest(report: Report | null, exitCode: number | null): TestTotals {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  // A file that fails before its first test has no failed tests, and would otherwise not be seen at all.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  ).length;
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + brokenFiles;
  const skipped = report.numPendingTests + report.numTodoTests;
  // An error outside of any test, or a run without tests: no test failed, and yet nothing is proved.
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: unexplained ? 1 : failed, skipped };
}

function sumUp(runs: readonly TestTotals[]): TestTotals {
  const sum = (key: keyof TestTotals) => runs.reduce((total, run) => total + run[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
