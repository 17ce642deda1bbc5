import { expect, test, vi } from 'vitest';
import { startDeployment } from '../support/server/deployment.ts';
import { loadDesks, say, seconds, type DeskLoad } from '../support/server/desk-load.ts';

vi.setConfig({ testTimeout: 40 * 60_000 });

const missing = 'There is no Patroni, etcd or HAProxy. Debian: apt-get install patroni etcd-server haproxy.';

/** Until a change is made that begins before a node fails, or while none is the primary, in ms. */
const longestOutage = 30_000;

/** The deployment under load, whose people send their changes to each of the three servers in turn, or to the proxy. */
async function arrange(to: 'servers' | 'proxy' = 'servers') {
  const deployment = await startDeployment();
  if (!deployment) return null;
  const { publicUrl, servers } = deployment;
  const ports = to === 'proxy' ? [Number(new URL(publicUrl).port)] : servers.map(({ port }) => port);
  return { ...deployment, load: await loadDesks(deployment, ports) };
}

const kills = 20;
test(`no acknowledged change is lost or done twice while the primary is killed ${kills} times and eight write`, async ({
  skip,
}) => {
  const desk = await arrange();
  if (!desk) return skip(missing);
  const outages: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const primary = await desk.cluster.whole();
    // By turns: a server that crashes, and a machine that is gone.
    const what = kill % 2 === 0 ? 'postgres' : 'node';
    outages.push(await desk.load.outage(`${primary.name} killed (${what})`, () => primary.kill(what)));
    if (what === 'node') primary.start();
  }
  await expectNothingLost(desk.load, outages);
});

const cuts = 3;
test(`no acknowledged change is lost or done twice while the primary is cut off from all others ${cuts} times`, async ({
  skip,
}) => {
  const desk = await arrange();
  if (!desk) return skip(missing);
  const outages: number[] = [];
  for (let cut = 0; cut < cuts; cut += 1) {
    const primary = await desk.cluster.whole();
    const ways = Object.values(primary.ways);
    const cutOff = () => ways.forEach((way) => way.cut());
    outages.push(await desk.load.outage(`${primary.name} cut off`, cutOff));
    ways.forEach((way) => way.mend());
  }
  await expectNothingLost(desk.load, outages);
});

const switches = 5;
test(`no acknowledged change is lost or done twice while the primary is exchanged as planned ${switches} times`, async ({
  skip,
}) => {
  const desk = await arrange();
  if (!desk) return skip(missing);
  const outages: number[] = [];
  for (let turn = 0; turn < switches; turn += 1) {
    const { name } = await desk.cluster.whole();
    const exchange = async () => {
      const answer = await desk.cluster.ask('/switchover', 'POST', { leader: name });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('switched over')]);
    };
    outages.push(await desk.load.outage(`${name} exchanged`, exchange));
  }
  await expectNothingLost(desk.load, outages);
});

const rounds = 3;
test(`three servers that are replaced one by one, ${rounds} times, fail no request of eight people who write`, async ({
  skip,
}) => {
  const desk = await arrange('proxy');
  if (!desk) return skip(missing);
  for (let round = 0; round < rounds; round += 1)
    for (const server of desk.servers)
      await desk.load.outage(`${server.port} replaced`, async () => {
        server.process.signal('SIGTERM');
        expect((await server.process.ended).code).toBe(0);
        await desk.restart(server);
      });
  const { faults, refusals, acknowledged } = await desk.load.end();
  expect({ faults, refusals }).toEqual({ faults: [], refusals: {} });
  expect(acknowledged).toBeGreaterThan(rounds * desk.servers.length * 8);
});

async function expectNothingLost(load: DeskLoad, outages: readonly number[]) {
  const { faults, refusals, acknowledged } = await load.end();
  const sorted = outages.toSorted((a, b) => a - b);
  const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  say(`${outages.length} outages: median ${seconds(median)}, at most ${seconds(most)}`);
  expect(faults).toEqual([]);
  // Whatever is refused is said to pass, and when to come again; no connection breaks off. A change whose answer an outage
  // has kept waits for it no longer than 30 s.
  expect(
    Object.keys(refusals).filter((each) => !/^[A-Z]+ (503 [a-z-]+|409 change-under-way)$/.test(each)),
  ).toEqual([]);
  expect(acknowledged).toBeGreaterThan(outages.length * 8);
  expect(most).toBeLessThan(longestOutage);
}
