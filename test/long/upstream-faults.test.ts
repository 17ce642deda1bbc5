import { beforeAll, expect, test, vi } from 'vitest';
import { buildDashboard } from '../../src/server/build/build.ts';
import { root } from '../support/server/start-process.ts';
import { faults, mebibyte } from '../support/server/faults.ts';
import { openServerWithFaultyService } from '../support/server/server-with-faulty-service.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

test('every fault is answered within 15 s, in 256 MiB, without a secret, and the server keeps running', async () => {
  const server = await openServerWithFaultyService();
  const times: number[] = [];
  for (const [index, [name, , status]] of faults.entries()) {
    const path = `/api/subscribers/${index + 1}`;
    for (const { took, ...outcome } of await Promise.all([
      server.ask('GET', path),
      server.ask('DELETE', path),
    ])) {
      expect({ name, ...outcome }).toEqual({ name, status });
      times.push(took);
    }
    expect((await server.askWell()).status).toBe(200);
  }
  const [slowest, memory] = [Math.max(...times), await server.memory()];
  process.stdout.write(
    `${faults.length} faults: the slowest answer after ${(slowest / 1000).toFixed(2)} s, ${(memory / mebibyte).toFixed(0)} MiB at most\n`,
  );
  // The limit is the BFF's; the way back to the caller comes on top.
  expect(slowest).toBeLessThan(15_250);
  expect(memory).toBeLessThanOrEqual(256 * mebibyte);
  expect(server.everything()).not.toMatch(/canary/i);
  expect(server.everything()).not.toContain(server.sessionId());
});
