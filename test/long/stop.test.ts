import { expect, test } from 'vitest';
import { stopUnderLoad } from '../support/server/stop-under-load.ts';

test.each(Array.from({ length: 50 }, (_, round) => [round + 1]))(
  'stop %i of 50 under load fails no request that the server began to read',
  async () => {
    const { failures, answered, logged, exitCode, took, readiness } = await stopUnderLoad('SIGTERM');
    expect({ failures, exitCode, unanswered: logged - answered }).toEqual({
      failures: [],
      exitCode: 0,
      unanswered: 0,
    });
    expect(took).toBeLessThan(15_000);
    expect(readiness.at(-1)).toBe(503);
  },
);
