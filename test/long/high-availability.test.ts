import { beforeAll, expect, test, vi } from 'vitest';
import { buildDashboard } from '../../src/server/build/build.ts';
import { startDeployment } from '../support/server/deployment.ts';
import { loadDesks, say, seconds, type DeskLoad } from '../support/server/desk-load.ts';
import { root } from '../support/server/start-process.ts';

vi.setConfig({ testTimeout: 40 * 60_000, hookTimeout: 120_000 });

beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

const missing = 'There is no Patroni, etcd or HAProxy. Debian: apt-get install patroni etcd-server haproxy.';

/** Until all who write are served again, in ms. */
const longestOutage = 30_000;

const kills = 20;
test(`with the primary killed ${kills} times while eight write, no acknowledged change is lost or done twice`, async ({
  skip,
}) => {
  const deployment = await startDeployment();
  if (!deployment) return skip(missing);
  const { cluster, servers } = deployment;
  const load = await loadDesks(
    deployment,
    servers.map(({ port }) => port),
  );
  const outages: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const primary = await cluster.whole();
    // By turns: a server that crashes, and a machine that is gone.
    const what = kill % 2 === 0 ? 'postgres' : 'node';
    primary.kill(what);
    outages.push(await load.outage(`${primary.name} killed (${what})`));
    if (what === 'node') primary.start();
  }
  await expectNothingLost(load, outages);
});

async function expectNothingLost(load: DeskLoad, outages: readonly number[]) {
  const { faults, refusals, acknowledged } = await load.end();
  const sorted = outages.toSorted((a, b) => a - b);
  const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  say(`${outages.length} outages: median ${seconds(median)}, at most ${seconds(most)}`);
  expect(faults).toEqual([]);
  // Whatever is refused is said to pass, and when to come again; no connection breaks off.
  expect(Object.keys(refusals).filter((each) => !/^[A-Z]+ 503 [a-z-]+$/.test(each))).toEqual([]);
  expect(acknowledged).toBeGreaterThan(outages.length * 10);
  expect(most).toBeLessThan(longestOutage);
}
