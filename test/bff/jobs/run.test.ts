import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { Job } from '../../../src/contract/bff/job.ts';
import { claimJob, LeaseLost, writeFenced } from '../../../src/bff/jobs/store.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import type { Answer } from '../../support/bff/upstream.ts';
import { prepare, rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { person } from '../../support/people.ts';

const people = Array.from({ length: 24 }, (_, index) => person(`user-${index + 1}`, { note: 'Old.' }));
const ids = people.map((_, index) => index + 1);

/** Time that each wait would have taken, in ms. */
const waited: number[] = [];
let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  // Time passes for the job only where a test says so.
  const wait = (ms: number) => {
    waited.push(ms);
    return delay(1);
  };
  desk = await createTestDesk({ people, wait });
  manager = await desk.signIn('manager');
});

const update = { kind: 'update', change: { set: { maxConnections: 9 } } } as const;
const prepared = (targets: { ids: number[] } = { ids }) => prepare(manager, { ...update, targets });
const start = (id: string) => manager.bff.startJob({ params: { id }, body: {} });
const changed = async () =>
  (await desk.service.listSubscribers({ query: { PageSize: 200 } })).data.items
    .filter(({ maxConnections }) => maxConnections === 9)
    .map(({ id }) => id);
const isChange: Parameters<Answer>[0]['method'][] = ['PUT', 'POST', 'DELETE'];
/** Answers changes, in their order. */
const answerChanges = (answer: (count: number, ...rest: Parameters<Answer>) => ReturnType<Answer>) => {
  let count = 0;
  desk.upstream.operation = (seen, next) =>
    isChange.includes(seen.method) ? answer((count += 1), seen, next) : next();
};
const unavailable = () => new Response(null, { status: 503 });

describe('a job that is started', () => {
  it('changes as many as its limit, waits, and then goes on with the others', async () => {
    const { id } = await prepared();
    const first = await runToEnd(manager, id, 10);
    expect(first).toMatchObject({ state: 'paused', pause: 'limit', counts: { done: 10, change: 14 } });
    expect(await changed()).toEqual(ids.slice(0, 10));
    const rest = await runToEnd(manager, id);
    expect(rest).toMatchObject({ state: 'done', pause: null, counts: { done: 24, change: 0 } });
    expect(await changed()).toEqual(ids);
  });

  it('can be paused and continued; what is under way is made, and nothing is made twice', async () => {
    const { id } = await prepared();
    const gate = Promise.withResolvers<void>();
    answerChanges(async (_count, _seen, next) => {
      await gate.promise;
      return next();
    });
    await start(id);
    await expect.poll(() => desk.upstream.calls.length).toBeGreaterThan(3);
    const { data: paused } = await manager.bff.pauseJob({ params: { id } });
    expect(paused).toMatchObject({ state: 'paused', pause: 'asked', isHeld: true });
    // It would leave out what is under way.
    const undo = manager.bff.undoJob({ params: { id } });
    await expect(undo).rejects.toMatchObject({ code: 'wrong-job-state' });
    gate.resolve();
    const read = async () => (await manager.bff.getJob({ params: { id } })).data;
    await expect.poll(async () => (await read()).isHeld).toBe(false);
    expect((await read()).counts.done).toBe((await changed()).length);
    await expect.poll(async () => (await changed()).length).toBeGreaterThan(3);
    expect(await runToEnd(manager, id)).toMatchObject({ state: 'done', counts: { done: 24 } });
    expect(await changed()).toEqual(ids);
    const puts = desk.upstream.calls.filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(24);
  });

  it('can be stopped, which changes no more, and undone', async () => {
    const { id } = await prepared();
    await runToEnd(manager, id, 5);
    const { data: stopped } = await manager.bff.stopJob({ params: { id } });
    expect(stopped).toMatchObject({ state: 'stopped', counts: { done: 5, change: 19 } });
    const read = async () => (await manager.bff.getJob({ params: { id } })).data;
    await expect.poll(async () => (await read()).isHeld).toBe(false);
    const { data: undo } = await manager.bff.undoJob({ params: { id } });
    await untilJob(manager, undo.id, 'ready');
    expect(await runToEnd(manager, undo.id)).toMatchObject({ state: 'done', counts: { done: 5 } });
    expect(await changed()).toEqual([]);
    expect((await read()).undoneBy).toBe(undo.id);
    // What it does when it goes on is undone by another one.
    desk.time.now += 1;
    expect(await runToEnd(manager, id)).toMatchObject({ counts: { done: 24 }, undoneBy: null });
    const { data: again } = await manager.bff.undoJob({ params: { id } });
    expect(await untilJob(manager, again.id, 'ready')).toMatchObject({ counts: { change: 19, skipped: 5 } });
  });

  it('is not started by trying its rows again, which nobody would have seen', async () => {
    const { id } = await prepared();
    const retry = manager.bff.retryJob({ params: { id } });
    await expect(retry).rejects.toMatchObject({ code: 'wrong-job-state' });
    await manager.bff.stopJob({ params: { id } });
    await expect(manager.bff.retryJob({ params: { id } })).rejects.toMatchObject({ code: 'wrong-job-state' });
    expect((await manager.bff.getJob({ params: { id } })).data.state).toBe('stopped');
    expect(await changed()).toEqual([]);
  });

  it('is not tried again if no row failed', async () => {
    const { id } = await prepared({ ids: [1] });
    const { endedAt } = await runToEnd(manager, id);
    desk.time.now += 1000;
    await expect(manager.bff.retryJob({ params: { id } })).rejects.toThrow('No row of this job failed');
    expect((await manager.bff.getJob({ params: { id } })).data).toMatchObject({ state: 'done', endedAt });
  });

  it('leaves whoever was changed since it was prepared, and lists them', async () => {
    const { id } = await prepared();
    await desk.service.updateSubscriber({ params: { id: 3 }, body: { note: 'New.' } });
    await desk.service.deleteSubscriber({ params: { id: 4 } });
    const done = await runToEnd(manager, id);
    expect(done.counts).toMatchObject({ done: 22, skipped: 2, failed: 0 });
    expect(await rowsOf(manager, id, 'skipped')).toMatchObject([
      { subscriberId: 3, why: 'changed-meanwhile' },
      { subscriberId: 4, why: 'no-such-subscriber' },
    ]);
    // "Prepare again for these".
    const again = await prepare(manager, { ...update, targets: { job: id, result: 'skipped' } });
    expect(again.counts).toMatchObject({ change: 1, skipped: 1 });
    expect(await runToEnd(manager, again.id)).toMatchObject({ counts: { done: 1 } });
    expect(await changed()).toContain(3);
  });

  it('writes an entry for each change, with its reason, and one for the job, which is all that a list without a filter shows', async () => {
    const { id } = await prepare(manager, { ...update, targets: { ids: [1, 2] }, reason: 'Outage' });
    await runToEnd(manager, id);
    const { data: all } = await manager.bff.listActivity({ query: {} });
    expect(all.items.map(({ operation }) => operation)).toEqual(['startJob', 'signIn']);
    const { data: jobs } = await manager.bff.listActivity({ query: { kind: 'job' } });
    expect(jobs.items).toMatchObject([
      { operation: 'startJob', details: { job: { id, kind: 'update', change: 2 }, reason: 'Outage' } },
    ]);
    const { data: entries } = await manager.bff.listActivity({ query: { job: id } });
    expect(entries.items).toMatchObject([
      { jobId: id, reason: 'Outage', outcome: 'done', staff: { name: 'manager' } },
      { jobId: id, reason: 'Outage', outcome: 'done' },
    ]);
    const { data: own } = await manager.bff.listActivity({ query: { subscriberId: 1 } });
    expect(own.items).toMatchObject([{ jobId: id }]);
  });
});

describe('a job whose service fails', () => {
  it('tries rows again that fail now and then, three times each, and gives up none', async () => {
    const { id } = await prepared();
    const tries = new Map<string, number>();
    answerChanges((_count, { url }, next) => {
      tries.set(url, (tries.get(url) ?? 0) + 1);
      // Otherwise five in a row would mean that the service is down.
      const isFaulty = Number(/\d+$/.exec(url)?.[0]) % 3 === 0;
      return isFaulty && (tries.get(url) ?? 0) <= 3 ? unavailable() : next();
    });
    expect(await runToEnd(manager, id)).toMatchObject({ state: 'done', counts: { done: 24 } });
    expect(await changed()).toEqual(ids);
  });

  it('has a failed row if the service fails for one subscriber, and can try it again', async () => {
    const { id } = await prepared();
    desk.upstream.operation = (seen, next) =>
      seen.method === 'PUT' && seen.url.endsWith('/7') ? new Response(null, { status: 500 }) : next();
    const done = await runToEnd(manager, id);
    expect(done.counts).toMatchObject({ done: 23 });
    expect(done.counts.failed + done.counts.unconfirmed).toBe(1);
    desk.upstream.operation = (_, next) => next();
    // In the name of the person who retries, and the journal says so.
    await desk.hire('manager', 'other');
    const other = await desk.signIn('other');
    await other.bff.retryJob({ params: { id } });
    const again = await untilJob(manager, id, 'done');
    expect(again).toMatchObject({
      counts: { done: 24, failed: 0, unconfirmed: 0 },
      staff: { name: 'other' },
    });
    expect(await changed()).toEqual(ids);
    const { items } = (await manager.bff.listActivity({ query: { kind: 'job' } })).data;
    expect(items.map(({ staff }) => staff?.name)).toEqual(['other', 'manager']);
  });

  it('waits as long as the service says', async () => {
    const { id } = await prepared({ ids: [1] });
    answerChanges((count, _seen, next) =>
      count === 1 ? new Response(null, { status: 503, headers: { 'Retry-After': '7' } }) : next(),
    );
    waited.length = 0;
    expect(await runToEnd(manager, id)).toMatchObject({ counts: { done: 1 } });
    expect(Math.max(...waited)).toBe(7_000);
  });

  it('fails a row that the service refuses, and really sends it again when somebody tries again', async () => {
    const { id } = await prepared({ ids: [1, 2] });
    const refused = { errors: { maxConnections: ['Not today.'] } };
    answerChanges((_count, { url }, next) =>
      url.endsWith('/2') ? Response.json(refused, { status: 422 }) : next(),
    );
    expect(await runToEnd(manager, id)).toMatchObject({ counts: { done: 1, failed: 1 } });
    expect(await rowsOf(manager, id, 'failed')).toMatchObject([{ why: 'invalid-input' }]);
    desk.upstream.operation = (_, next) => next();
    await manager.bff.retryJob({ params: { id } });
    expect(await untilJob(manager, id, 'done')).toMatchObject({ counts: { done: 2, failed: 0 } });
    expect(await changed()).toEqual([1, 2]);
  });

  it('pauses if all fails and goes on by itself, with no row given up', async () => {
    const { id } = await prepared();
    desk.upstream.operation = unavailable;
    desk.upstream.lookup = unavailable;
    await start(id);
    const paused = await untilJob(manager, id, 'paused');
    expect(paused).toMatchObject({ pause: 'service', counts: { done: 0, failed: 0, change: 24 } });
    await expect(manager.bff.undoJob({ params: { id } })).rejects.toThrow('Stop it first, then undo it.');
    // The breaker of the calls lets the service recover, and opens after half a minute.
    desk.upstream.operation = (_, next) => next();
    desk.upstream.lookup = (_, next) => next();
    desk.time.now += 60_000;
    const done = await untilJob(manager, id, 'done');
    expect(done.counts).toMatchObject({ done: 24, failed: 0 });
    expect(await changed()).toEqual(ids);
  });

  it('says so if it fails while it is prepared, and goes on by itself', async () => {
    desk.upstream.lookup = unavailable;
    const { data } = await manager.bff.createJob({ body: { ...update, targets: { ids } } });
    await expect
      .poll(async () => (await manager.bff.getJob({ params: { id: data.id } })).data.pause)
      .toBe('service');
    desk.upstream.lookup = (_, next) => next();
    desk.time.now += 60_000;
    expect(await untilJob(manager, data.id, 'ready')).toMatchObject({ pause: null, counts: { change: 24 } });
  });

  it('finds out about a lost answer, and does not make the change twice', async () => {
    const { id } = await prepared({ ids: [1, 2, 3] });
    answerChanges(async (count, _, next) => {
      const answer = await next();
      if (count === 2) throw new TypeError('broken off');
      return answer;
    });
    expect(await runToEnd(manager, id)).toMatchObject({ counts: { done: 3 } });
    const puts = desk.upstream.calls.filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(3);
  });
});

describe('the rights of a job', () => {
  let colleague: typeof manager;
  let job: Job;
  beforeEach(async () => {
    await desk.changeAccount('colleague', { role: 'manager' });
    colleague = await desk.signIn('colleague');
    job = await prepare(colleague, { ...update, targets: { ids } });
    await runToEnd(colleague, job.id, 5);
  });

  const withoutRights: Record<string, (staffId: string) => Promise<unknown>> = {
    'the role of a viewer': () => desk.changeAccount('colleague', { role: 'viewer' }),
    'a disabled account': () => desk.changeAccount('colleague', { disabled: 1 }),
    'another password': (id) => manager.bff.resetStaffPassword({ params: { id } }),
    'ended sessions': (id) => manager.bff.endStaffSessions({ params: { id } }),
  };
  test.each(Object.entries(withoutRights))(
    'the rights of whoever started it count at each row: with %s it pauses, and a manager can go on',
    async (_, setBack) => {
      let isSetBack: Promise<unknown> | null = null;
      answerChanges(async (count, _seen, next) => {
        if (count >= 3) await (isSetBack ??= setBack(job.staff?.id ?? ''));
        return next();
      });
      await colleague.bff.startJob({ params: { id: job.id }, body: {} });
      const paused = await untilJob(manager, job.id, 'paused', 'done');
      expect(paused).toMatchObject({ state: 'paused', pause: 'rights', counts: { failed: 0 } });
      const read = async () => (await manager.bff.getJob({ params: { id: job.id } })).data;
      await expect.poll(async () => (await read()).isHeld).toBe(false);
      // Four are under way at once.
      expect((await read()).counts.done).toBeLessThan(5 + 3 + 4);
      const rest = await runToEnd(manager, job.id);
      expect(rest).toMatchObject({ state: 'done', counts: { done: 24 }, staff: { name: 'manager' } });
    },
  );
});

describe('a job that is to start later', () => {
  const soon = 20 * 60_000;
  const later = (ms: number) => new Date(desk.time.now + ms).toISOString();
  const schedule = (id: string, at: string) => manager.bff.startJob({ params: { id }, body: { at } });
  const read = async (id: string) => (await manager.bff.getJob({ params: { id } })).data;

  it('waits for its time, starts once on whichever server looks first, and stays started if clocks go back', async () => {
    const { id } = await prepared();
    const { data } = await schedule(id, later(soon));
    expect(data).toMatchObject({ state: 'ready', startsAt: later(soon), startedAt: null });
    const replica = desk.openReplica();
    const look = () => Promise.all([desk.runMaintenance(), replica.runMaintenance()]);
    desk.time.now += soon - 1;
    await look();
    expect((await read(id)).isHeld).toBe(false);
    desk.time.now += 1;
    await look();
    expect(await untilJob(manager, id, 'done')).toMatchObject({ startsAt: null, counts: { done: 24 } });
    desk.time.now -= soon;
    await look();
    expect((await read(id)).state).toBe('done');
    expect(desk.upstream.calls.filter(({ method }) => method === 'PUT')).toHaveLength(24);
    const { items } = (await manager.bff.listActivity({ query: { kind: 'job' } })).data;
    expect(items).toMatchObject([{ details: { job: { id, at: data.startsAt } } }]);
  });

  it.each([0, -1, 31 * 24 * 60 * 60_000])('starts at no time that is %d ms from now', async (ms) => {
    const { id } = await prepared();
    await expect(schedule(id, later(ms))).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('can be started at once, or be discarded', async () => {
    const { id } = await prepared({ ids: [1] });
    await schedule(id, later(soon));
    expect(await runToEnd(manager, id)).toMatchObject({ state: 'done', startsAt: null });
    const { id: other } = await prepared({ ids: [2] });
    await schedule(other, later(soon));
    await manager.bff.stopJob({ params: { id: other } });
    desk.time.now += soon;
    await desk.runMaintenance();
    expect(await read(other)).toMatchObject({ state: 'stopped', startsAt: null, startedAt: null });
    expect(await changed()).toEqual([1]);
  });

  it('starts for nobody more than it was scheduled for', async () => {
    const { id } = await prepared({ ids: [1, 2, 3] });
    const leave = (leaveOut: boolean, number: number) =>
      manager.bff.leaveOutRows({ params: { id }, body: { leaveOut, rows: { numbers: [number] } } });
    await leave(true, 1);
    await schedule(id, later(soon));
    await expect(leave(false, 1)).rejects.toMatchObject({ code: 'wrong-job-state' });
    await leave(true, 2);
    desk.time.now += soon;
    await desk.runMaintenance();
    await untilJob(manager, id, 'done');
    expect(await changed()).toEqual([3]);
  });

  it.each([
    ['whose sessions were all ended', (id: string) => manager.bff.endStaffSessions({ params: { id } })],
    ['who is a viewer by then', () => desk.changeAccount('colleague', { role: 'viewer' })],
  ])('does not start in the name of somebody %s', async (_, setBack) => {
    await desk.changeAccount('colleague', { role: 'manager' });
    const colleague = await desk.signIn('colleague');
    const { id, staff } = await prepare(colleague, { ...update, targets: { ids } });
    await colleague.bff.startJob({ params: { id }, body: { at: later(soon) } });
    await setBack(staff.id ?? '');
    desk.time.now += soon;
    await desk.runMaintenance();
    const paused = await untilJob(manager, id, 'paused', 'done');
    expect(paused).toMatchObject({ state: 'paused', pause: 'rights', startsAt: null, counts: { done: 0 } });
    expect(await runToEnd(manager, id)).toMatchObject({ state: 'done', staff: { name: 'manager' } });
  });
});

test('a job whose server died is taken over after 15 s', async () => {
  const { id } = await prepared();
  const { now } = desk.time;
  await desk.db.updateTable('jobs').set({ state: 'running', lease_until: 0 }).where('id', '=', id).execute();
  const dead = await claimJob(desk.db, now);
  expect(await claimJob(desk.db, now + 14_999)).toBeNull();
  expect(await claimJob(desk.db, now - 60_000)).toBeNull();
  const taken = await claimJob(desk.db, now + 15_000);
  expect(taken).toMatchObject({ id, fence: Number(dead?.fence) + 1 });
  await expect(writeFenced(desk.db, { id, fence: Number(dead?.fence) }, now)).rejects.toThrow(LeaseLost);
});

test('a job that began and died with another server is taken over within 15 s by a server with nothing to do', async () => {
  const { id } = await prepared({ ids: [1] });
  await desk.stop();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const looks = () => timers.mock.calls.filter(([callback]) => callback.name === 'wake');
  await desk.openReplica().runMaintenance();
  await expect.poll(looks).not.toEqual([]);
  await desk.db.updateTable('jobs').set({ state: 'running', lease_until: 0 }).where('id', '=', id).execute();
  expect(await claimJob(desk.db, desk.time.now)).toMatchObject({ id });
  const [[look, ms] = []] = looks();
  expect(ms).toBe(15_000);
  desk.time.now += 15_000;
  look?.();
  expect(await untilJob(manager, id, 'done')).toMatchObject({ counts: { done: 1 } });
});

test('each change of a job has the whole body, since some services reset what is left out', async () => {
  const { id } = await prepared({ ids: [1] });
  await runToEnd(manager, id);
  const [put] = desk.upstream.calls.filter(({ method }) => method === 'PUT');
  const [before] = desk.people;
  const { id: _id, accessToken: _token, status: _status, ...whole } = before ?? {};
  expect(JSON.parse(put?.body ?? '')).toEqual({ ...whole, maxConnections: 9 });
});
