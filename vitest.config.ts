import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const start = 'test/app/main.test.ts';
const browser = {
  environment: 'jsdom' as const,
  setupFiles: ['test/support/setup/fixed-time.ts', 'test/support/setup/page.ts'],
  // The browser's time zone decides what people read, and so does its language: see `page.ts` there.
  env: { TZ: 'Europe/Oslo' },
};

/** Tests of the service and the BFF that run once more on PostgreSQL, because SQL or locks differ there. */
const onPostgres = Object.entries({
  'bff/auth': ['known-browsers', 'session', 'sign-in'],
  'bff/imports': ['import'],
  'bff/jobs': ['run', 'targets'],
  'bff/journal': [
    'activity',
    'conflict',
    'events',
    'forget',
    'idempotency',
    'odd-subscriber',
    'previous-token',
    'reconcile',
    'retention',
    'search',
    'undo',
    'verify',
  ],
  'bff/staff': ['store'],
  'bff/views': ['views'],
  service: ['conformance', 'idempotency', 'ledger', 'replicas'],
  'service/oauth': ['api-clients'],
  'service/subscribers': ['list-model', 'list-pages', 'values'],
}).flatMap(([folder, names]) => names.map((name) => `test/${folder}/${name}.test.ts`));
// A path without a file would be a test that nobody misses.
const lost = onPostgres.filter((path) => !existsSync(new URL(path, import.meta.url)));
if (lost.length > 0) throw new Error(`onPostgres names tests that do not exist: ${lost.join(', ')}.`);

const postgres = { environment: 'node' as const, globalSetup: ['test/support/setup/postgres.ts'] };

const dashboards = ['test/support/setup/dashboards.ts'];

const chromium = {
  environment: 'node' as const,
  globalSetup: dashboards,
  setupFiles: ['test/support/setup/browser.ts'],
  // After the others: a browser beside them would slow down both.
  sequence: { groupOrder: 1 },
  // They wait for pages as long as they compute.
  maxWorkers: availableParallelism() + 2,
};

/** Long tests in short files. Begun last, as vitest does by the size of a file, one of them runs alone for two minutes. */
const longest = /\/(states|manager-phone|other-deployments|demo-(scenarios|values)|engines)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const long = files.filter(({ moduleId }) => longest.test(moduleId));
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own
    return [...long, ...(await super.sort(files.filter((file) => !long.includes(file))))];
  }
}

/** Those that call `roundsOf`: with as many rounds as are promised, they are long tests too. */
const inRounds = [
  'test/bff/auth/sign-in.test.ts',
  'test/bff/http/odd-text.test.ts',
  'test/bff/journal/conflict.test.ts',
  'test/server/stop.test.ts',
  'test/service/{odd-values,replicas}.test.ts',
];

/** Run only when they are asked for by name. */
const onRequest = {
  'postgres-more': {
    ...postgres,
    include: ['test/{service,bff}/**/*.test.ts'],
    // These are about no database, so they are the same on every engine.
    exclude: [
      ...onPostgres,
      'test/bff/{metrics,proxy,auth/browser-label,auth/openid/provider,auth/openid/provider-account}.test.ts',
      'test/bff/imports/{csv-rows,json-lines}.test.ts',
      'test/bff/http/{csrf,host,navigation,policy,security-headers,paths,request-log,tab}.test.ts',
      'test/bff/upstream/*.test.ts',
      'test/service/router.test.ts',
    ],
  },
  long: {
    environment: 'node' as const,
    globalSetup: dashboards,
    include: ['test/long/**/*.test.ts', ...inRounds],
    provide: { hasTime: true },
    // Only a hanging test waits so long; those of an hour say so themselves.
    testTimeout: 20 * 60_000,
    isolate: true,
  },
};

const projects = {
  node: {
    environment: 'node' as const,
    include: ['test/{lib,contract,service,bff,server,demo,support}/**/*.test.ts', 'test/*.test.ts'],
    // These are about PostgreSQL alone.
    exclude: ['test/server/postgres/**', '**/node_modules/**'],
  },
  postgres: { ...postgres, include: [...onPostgres, 'test/server/postgres/*.test.ts'] },
  app: { ...browser, include: ['test/app/**/*.test.{ts,tsx}'], exclude: [start, '**/node_modules/**'] },
  // It starts the page as a browser does, and only the end of the process ends that.
  'app-start': { ...browser, include: [start], isolate: true },
  e2e: { ...chromium, include: ['test/e2e/*.test.ts'] },
  'e2e-more': { ...chromium, include: ['test/e2e/more/**/*.test.ts'] },
};

const isRequested = ([name]: [string, unknown]) => process.argv.includes(`--project=${name}`);

// Apart from `vite.config.ts`, so that running the product needs no test packages.
export default defineConfig({
  plugins: [react()],
  test: {
    // A third of their time they wait: for PostgreSQL, the hashing of passwords, or what a page does a moment after a key.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ['test/support/setup/no-console.ts'],
    // Only a hanging test waits so long; a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Importing everything and opening a page anew for each file took about as long as the tests do. What a test could
    // leave to the next file of its process is undone before each test.
    isolate: false,
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    projects: [...Object.entries(projects), ...Object.entries(onRequest).filter(isRequested)].map(
      ([name, test]): TestProjectConfiguration => ({ extends: true, test: { name, ...test } }),
    ),
  },
});
