import { beforeEach, describe, expect, it, test } from 'vitest';
import { rowsAtOnce } from '../../../src/bff/jobs/prepare.ts';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import { prepare, untilJob } from '../../support/bff/jobs.ts';
import { createTestDesk, journalKey, runningTime, type TestDesk } from '../../support/desk.ts';
import { person } from '../../support/people.ts';

const people = Array.from({ length: 24 }, (_, index) => person(`user-${index + 1}`));
const ids = people.map((_, index) => index + 1);

let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
/** Number of changes that were sent; what lets the ninth be answered, and what those after it. */
let sent: number;
let goOn: () => void;
let letOthers: () => void;

beforeEach(async () => {
  desk = await createTestDesk({ people, time: runningTime() });
  manager = await desk.signIn('manager');
  sent = 0;
  const [ninth, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  letOthers = others.resolve;
  goOn = () => {
    ninth.resolve();
    others.resolve();
  };
  desk.upstream.operation = async ({ method }, next) => {
    if (method === 'GET') return next();
    sent += 1;
    if (sent > 8) await (sent === 9 ? ninth : others).promise;
    return next();
  };
});

const update = { kind: 'update', change: { set: { maxConnections: 9 } }, targets: { ids } } as const;

async function runUntilHeld(what: Parameters<typeof prepare>[1] = update) {
  const { id } = await prepare(manager, what);
  await manager.bff.startJob({ params: { id }, body: {} });
  // All that are under way at once: one that is sent later, after a test has put the time on, would not be made.
  await expect.poll(() => sent).toBe(8 + rowsAtOnce);
  return { params: { id } };
}

/** As where the server is killed: what it would write about the job from now on is not written. */
const killServer = () =>
  desk.db
    .updateTable('jobs')
    .set((row) => ({ fence: row('fence', '+', 1) }))
    .execute();

const subscribers = async () => (await desk.service.listSubscribers({ query: { PageSize: 200 } })).data.items;
const changed = async () => (await subscribers()).filter(({ maxConnections }) => maxConnections === 9).length;

describe('a job paused while rows are under way', () => {
  it('goes on, and knows of each of its changes, where it is continued before they are made', async () => {
    const job = await runUntilHeld();
    await manager.bff.pauseJob(job);
    // The rows after these are not begun any more.
    letOthers();
    const open = async () => (await desk.rows('journal')).filter((row) => row.outcome === null);
    await expect.poll(open).toHaveLength(1);
    await manager.bff.startJob({ ...job, body: {} });
    goOn();
    const { state, counts } = await untilJob(manager, job.params.id, 'done', 'paused', 'stopped');
    expect([state, counts.done, await changed()]).toEqual(['done', 24, 24]);
  });

  it('pauses again after them where it is continued for fewer rows than these', async () => {
    const job = await runUntilHeld();
    await manager.bff.pauseJob(job);
    await manager.bff.startJob({ ...job, body: { limit: 1 } });
    goOn();
    const { pause, counts } = await untilJob(manager, job.params.id, 'done', 'paused', 'stopped');
    expect([pause, counts.done, counts.done + counts.change]).toEqual(['limit', await changed(), 24]);
  });

  it('pauses again where it is continued for fewer rows than these, and the service fails meanwhile', async () => {
    const job = await runUntilHeld();
    await manager.bff.pauseJob(job);
    await manager.bff.startJob({ ...job, body: { limit: 1 } });
    desk.upstream.operation = ({ method }, next) =>
      method === 'GET' ? next() : new Response(null, { status: 503 });
    goOn();
    const { pause, counts } = await untilJob(manager, job.params.id, 'done', 'paused', 'stopped');
    expect([pause, counts.done, counts.done + counts.change]).toEqual(['limit', await changed(), 24]);
  });

  it('keeps a person in its rows from being forgotten until they are made', async () => {
    const job = await runUntilHeld();
    await manager.bff.pauseJob(job);
    const forget = async () => (await forgetSubscriber(desk.db, createMac(journalKey), 24))?.open;
    expect(await forget()).toBe(1);
    goOn();
    await expect.poll(forget).toBe(0);
  });
});

test('a job that is stopped after its server died knows of the changes that this one had made', async () => {
  const job = await runUntilHeld({ kind: 'delete', targets: { ids } });
  await killServer();
  await manager.bff.stopJob(job);
  goOn();
  await expect
    .poll(async () => (await desk.rows('journal')).filter((row) => row.outcome === null))
    .toEqual([]);
  desk.time.now += 60_000;
  await desk.runMaintenance();
  const made = 24 - (await subscribers()).length;
  await expect
    .poll(async () => (await manager.bff.getJob(job)).data)
    .toMatchObject({ state: 'stopped', isHeld: false, counts: { done: made, change: 24 - made } });
  expect(made).toBeGreaterThan(8);
});

test('a job that is stopped after its server died says of which changes nobody can find out whether they were made', async () => {
  const job = await runUntilHeld();
  await killServer();
  await manager.bff.stopJob(job);
  const open = (await desk.rows('journal')).filter((row) => row.outcome === null);
  // The service has made something else of what was sent, and the next server reads so before it looks at the job.
  for (const row of open)
    await desk.service.updateSubscriber({
      params: { id: row.subscriber_id ?? 0 },
      body: { maxConnections: 7 },
    });
  desk.time.now += 60_000;
  await desk.openReplica().runMaintenance();
  await expect
    .poll(async () => (await manager.bff.getJob(job)).data)
    .toMatchObject({
      isHeld: false,
      counts: { done: 8, unconfirmed: open.length, change: 16 - open.length },
    });
  goOn();
});

test('a job that is paused while another server takes it over knows of all changes that the first one had made', async () => {
  const job = await runUntilHeld();
  await killServer();
  goOn();
  const outcomes = async () => (await desk.rows('journal')).map(({ outcome }) => outcome);
  await expect.poll(outcomes).not.toContain(null);
  await desk.stop();
  const reads = Promise.withResolvers<void>();
  let held = 0;
  desk.upstream.lookup = async (_, next) => {
    held += 1;
    await reads.promise;
    return next();
  };
  desk.time.now += 60_000;
  void desk.openReplica().runMaintenance();
  await expect.poll(() => held).toBe(4);
  await manager.bff.pauseJob(job);
  // The rows after these are not begun any more.
  desk.time.now += 2000;
  reads.resolve();
  const made = await changed();
  expect(made).toBeGreaterThan(8);
  await expect
    .poll(async () => (await manager.bff.getJob(job)).data)
    .toMatchObject({ state: 'paused', isHeld: false, counts: { done: made, change: 24 - made } });
});
