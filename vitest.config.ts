import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const long = {
  extends: true as const,
  test: {
    name: 'long',
    environment: 'node' as const,
    include: ['test/long/**/*.test.ts'],
    isolate: true,
  },
};

const start = 'test/app/main.test.ts';
const browser = {
  environment: 'jsdom' as const,
  setupFiles: ['test/support/setup/fixed-time.ts', 'test/support/setup/page.ts'],
  // The browser's time zone decides what people read, and so does its language: see `page.ts` there.
  env: { TZ: 'Europe/Oslo' },
};

// Apart from `vite.config.ts`, so that running the product needs no test packages.
export default defineConfig({
  plugins: [react()],
  test: {
    // On two processors vitest would let one idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
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
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/{contract,service,bff,server,demo,support}/**/*.test.ts', 'test/*.test.ts'],
          // These are about PostgreSQL alone.
          exclude: ['test/server/postgres/**', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          environment: 'node',
          include: ['test/{service,bff}/**/*.test.ts', 'test/server/postgres/*.test.ts'],
          // These are about no database, so they are the same on every engine.
          exclude: [
            'test/bff/{metrics,proxy,auth/openid-account,auth/openid-provider}.test.ts',
            'test/bff/middleware/{csrf,host,navigation,policy,security-headers,paths,request-log,tab}.test.ts',
            'test/bff/upstream/{answer,breaker,caller,exchange,expiry-range,retry,share,token}.test.ts',
            'test/service/router.test.ts',
          ],
          globalSetup: ['test/support/setup/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'app',
          include: ['test/app/**/*.test.{ts,tsx}'],
          exclude: [start, '**/node_modules/**'],
          ...browser,
        },
      },
      {
        extends: true,
        // It starts the page as a browser does, and only the end of the process ends that.
        test: { name: 'app-start', include: [start], isolate: true, ...browser },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/setup/dashboards.ts'],
          // The browser takes most of their time, not the imports.
          isolate: true,
          // After the others: a browser beside them would slow down both.
          sequence: { groupOrder: 1 },
        },
      },
      // Takes minutes, so it runs only when asked for by name.
      ...(process.argv.includes('--project=long') ? [long] : []),
    ],
  },
});
