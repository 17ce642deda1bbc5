import { beforeAll, expect, test, vi } from 'vitest';
import { buildDashboard } from '../../src/server/build/build.ts';
import { startDeployment } from '../support/server/deployment.ts';
import { loadDesks } from '../support/server/desk-load.ts';
import { root } from '../support/server/start-process.ts';

vi.setConfig({ testTimeout: 20 * 60_000, hookTimeout: 120_000 });

beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

const missing = 'There is no Patroni, etcd or HAProxy. Debian: apt-get install patroni etcd-server haproxy.';
const rounds = 3;

test(`three servers that are replaced one by one, ${rounds} times, fail no request of eight people who write`, async ({
  skip,
}) => {
  const deployment = await startDeployment();
  if (!deployment) return skip(missing);
  const load = await loadDesks(deployment, [Number(new URL(deployment.publicUrl).port)]);
  for (let round = 0; round < rounds; round += 1)
    for (const server of deployment.servers)
      await load.outage(`${server.port} replaced`, async () => {
        server.process.signal('SIGTERM');
        expect((await server.process.ended).code).toBe(0);
        await deployment.restart(server);
      });
  const { faults, refusals, acknowledged } = await load.end();
  expect({ faults, refusals }).toEqual({ faults: [], refusals: {} });
  expect(acknowledged).toBeGreaterThan(rounds * deployment.servers.length * 8);
});
