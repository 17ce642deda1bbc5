import { beforeAll, expect, test } from 'vitest';
import { buildDashboard } from '../../src/server/build/build.ts';
import { root } from '../support/server/start-process.ts';
import { stopUnderLoad } from '../support/server/stop-under-load.ts';

beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

test('a server that is told to stop under load fails no request that it began to read', async () => {
  const { failures, answered, logged, exitCode, took } = await stopUnderLoad('SIGTERM');
  expect(failures).toEqual([]);
  expect(answered).toBe(logged);
  expect(exitCode).toBe(0);
  expect(took).toBeLessThan(15_000);
});

test('readiness fails before the server stops listening', async () => {
  const { readiness } = await stopUnderLoad('SIGTERM');
  expect(new Set(readiness)).toEqual(new Set([200, 503]));
  expect(readiness.at(-1)).toBe(503);
});
