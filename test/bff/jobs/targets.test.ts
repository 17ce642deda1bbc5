import type { KyselyPlugin } from 'kysely';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { createBff } from '../../../src/bff/http/bff.ts';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import { noCounts } from '../../../src/bff/jobs/store.ts';
import { jobLimits } from '../../../src/contract/bff/job.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { prepare, rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { createOtherService, otherUpstream } from '../../support/bff/other-service.ts';
import { crowd, person } from '../../support/people.ts';

let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  desk = await createTestDesk({ people: crowd(6) });
  manager = await desk.signIn('manager');
});

const update = { kind: 'update', change: { set: { maxConnections: 9 } } } as const;

describe('a job', () => {
  it('is not made if nobody matches its filter', async () => {
    const body = { ...update, targets: { query: { Username: 'nobody' } } };
    expect(await outcomeOf(manager.ask('POST', '/bff/jobs', body))).toBe('422 invalid-input');
    expect((await manager.bff.listJobs({ query: {} })).data.totalCount).toBe(0);
  });

  it('is prepared for whom it names, each once, also those who are gone', async () => {
    const { id, counts, total } = await prepare(manager, { ...update, targets: { ids: [3, 99, 3, 1] } });
    expect([total, counts]).toMatchObject([3, { change: 2, skipped: 1 }]);
    expect(await rowsOf(manager, id)).toMatchObject([
      { number: 1, subscriberId: 3, username: 'p003', result: 'change', after: { maxConnections: 9 } },
      { number: 2, subscriberId: 99, result: 'skipped', why: 'no-such-subscriber' },
      { number: 3, subscriberId: 1 },
    ]);
  });

  it('finds everybody who is there throughout for all that match, whatever is deleted and added', async () => {
    const deleted = [2, 3];
    let lists = 0;
    desk.upstream.operation = async (seen, next) => {
      const answer = await next();
      // After the first page was read.
      if (seen.method === 'GET' && (lists += 1) === 2)
        for (const id of deleted) await desk.service.deleteSubscriber({ params: { id } });
      return answer;
    };
    const { id } = await prepare(manager, { ...update, targets: { all: true } });
    const rows = await rowsOf(manager, id, 'change');
    expect(rows.map(({ subscriberId }) => subscriberId)).toEqual([1, 4, 5, 6]);
  });

  it('is refused for too many, and says how many a job can have', async () => {
    desk.upstream.operation = () =>
      Response.json({
        items: [],
        page: 1,
        pageSize: 1,
        totalCount: jobLimits.subscribers + 1,
        totalPages: jobLimits.subscribers + 1,
      });
    const made = manager.bff.createJob({ body: { ...update, targets: { all: true } } });
    await expect(made).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('More than 100000'),
    });
  });

  it.each(['GET /bff/jobs/nothing', 'POST /bff/jobs/nothing/pause', 'GET /bff/jobs/nothing/rows'])(
    'is a 404 if it does not exist: %s',
    async (request) => {
      const [method = '', path = ''] = request.split(' ');
      expect(await outcomeOf(manager.ask(method, path))).toBe('404 no-such-job');
    },
  );

  it('is started once, however often and by however many', async () => {
    const { id } = await prepare(manager, { ...update, targets: { ids: [1, 2, 3] } });
    const other = await desk.signIn('manager');
    const starts = await Promise.all(
      [manager, other, manager, other].map((one) => one.ask('POST', `/bff/jobs/${id}/start`, {})),
    );
    expect(starts.filter(({ status }) => status === 200)).toHaveLength(1);
    await untilJob(manager, id, 'done');
    expect(desk.upstream.calls.filter(({ method }) => method === 'PUT')).toHaveLength(3);
  });

  it('is deleted after a day if it was discarded or changes nothing, and not if it can start', async () => {
    const targets = { ids: [1] };
    const discarded = await prepare(manager, { ...update, targets });
    await manager.bff.stopJob({ params: { id: discarded.id } });
    const { maxConnections = 0 } = desk.people[0] ?? {};
    await prepare(manager, { kind: 'update', change: { set: { maxConnections } }, targets });
    const { id } = await prepare(manager, { ...update, targets });
    const stored = async () => (await desk.db.selectFrom('jobs').select('id').execute()).map((job) => job.id);
    desk.time.now += 23 * 60 * 60_000;
    await desk.runMaintenance();
    expect(await stored()).toHaveLength(3);
    desk.time.now += 2 * 60 * 60_000;
    await desk.runMaintenance();
    expect(await stored()).toEqual([id]);
  });
});

test('subscribers are left out of a preview and taken in again, and all its numbers follow', async () => {
  await desk.service.updateSubscriber({ params: { id: 2 }, body: { hls: false, mpegTs: false } });
  const { id, preview } = await prepare(manager, {
    kind: 'extend',
    targets: { ids: [1, 2, 3] },
    change: { by: { days: 1 }, from: 'expiry' },
  });
  expect(preview).toMatchObject({ statuses: { 1: 3 }, withoutFormat: 1 });
  const leave = async (leaveOut: boolean, rows: { warning: string } | { numbers: number[] }) =>
    (await manager.bff.leaveOutRows({ params: { id }, body: { leaveOut, rows } })).data;
  expect(await leave(true, { warning: 'no-format' })).toMatchObject({
    counts: { change: 2, 'left-out': 1 },
    preview: { statuses: { 1: 2 }, withoutFormat: 0 },
  });
  expect(await leave(true, { numbers: [1, 3] })).toMatchObject({
    counts: { change: 0, 'left-out': 3 },
    preview: { statuses: {}, earliest: null },
  });
  const query = { result: 'left-out', warning: 'no-format' } as const;
  const { items } = (await manager.bff.listJobRows({ params: { id }, query })).data;
  expect(items.map(({ number }) => number)).toEqual([2]);
  expect(await leave(false, { numbers: [2] })).toMatchObject({ counts: { change: 1, 'left-out': 2 } });
  expect(await runToEnd(manager, id)).toMatchObject({ counts: { done: 1, change: 0, 'left-out': 2 } });
  const puts = desk.upstream.calls.filter(({ method }) => method === 'PUT');
  expect(puts.map(({ url }) => url.split('/').at(-1))).toEqual(['2']);
  await expect(leave(true, { numbers: [1] })).rejects.toMatchObject({ code: 'wrong-job-state' });
  await expect(leave(true, { numbers: [] })).rejects.toMatchObject({ code: 'invalid-input' });
});

test('the preview follows all that is left out where two servers do so at once', async () => {
  const { id } = await prepare(manager, { ...update, targets: { ids: [1, 2, 3] } });
  const leaveOut = (person: Pick<typeof manager, 'bff'>, number: number) =>
    person.bff.leaveOutRows({ params: { id }, body: { leaveOut: true, rows: { numbers: [number] } } });
  // Others have a turn once after the row is left out, and once after all rows were read again.
  let turns = 0;
  const wait = async () => {
    turns += 1;
    if (turns === 2) await leaveOut(manager, 2);
  };
  await leaveOut(desk.as('manager', 'Ann', { wait }), 1);
  expect((await manager.bff.getJob({ params: { id } })).data).toMatchObject({
    counts: { change: 1, 'left-out': 2 },
    preview: { statuses: { 1: 1 } },
  });
});

test('a job changes no other number than the one that was confirmed', async () => {
  const { id } = await prepare(manager, { ...update, targets: { ids: [1, 2, 3] } });
  await manager.bff.leaveOutRows({ params: { id }, body: { leaveOut: true, rows: { numbers: [1] } } });
  const start = (count: number) => outcomeOf(manager.ask('POST', `/bff/jobs/${id}/start`, { count }));
  expect(await start(3)).toBe('409 wrong-job-state');
  expect(await start(2)).toBe('200');
  expect(await untilJob(manager, id, 'done')).toMatchObject({ counts: { done: 2 } });
});

test('a job deletes subscribers, and its undo makes them again, with new ids and tokens', async () => {
  const { id } = await prepare(manager, { kind: 'delete', targets: { ids: [2, 4] }, reason: 'Left.' });
  expect(await runToEnd(manager, id)).toMatchObject({ state: 'done', counts: { done: 2 } });
  const names = async () =>
    (await desk.service.listSubscribers({ query: {} })).data.items.map(({ username }) => username);
  expect(await names()).toEqual(['p001', 'p003', 'p005', 'p006']);
  const { data: undo } = await manager.bff.undoJob({ params: { id } });
  await untilJob(manager, undo.id, 'ready');
  await runToEnd(manager, undo.id);
  expect((await names()).toSorted()).toEqual(['p001', 'p002', 'p003', 'p004', 'p005', 'p006']);
  const { data: again } = await manager.bff.undoJob({ params: { id } });
  expect(await untilJob(manager, again.id, 'ready')).toMatchObject({ counts: { change: 0, skipped: 2 } });
});

test('a job regenerates tokens, keeps none of them, and says that it cannot be undone', async () => {
  const before = desk.people.map(({ accessToken }) => accessToken);
  const { id } = await prepare(manager, { kind: 'regenerate', targets: { ids: [1, 2] } });
  await runToEnd(manager, id);
  const tokens = (await desk.service.listSubscribers({ query: {} })).data.items.map((one) => one.accessToken);
  expect(tokens.slice(2)).toEqual(before.slice(2));
  for (const token of before.slice(0, 2)) expect(tokens).not.toContain(token);
  const undo = manager.bff.undoJob({ params: { id } });
  await expect(undo).rejects.toMatchObject({ code: 'cannot-undo' });
  for (const table of ['jobs', 'job_rows', 'journal'] as const) {
    const text = JSON.stringify(await desk.db.selectFrom(table).selectAll().execute());
    expect(tokens.filter((token) => text.includes(token))).toEqual([]);
  }
});

test('an undo leaves what somebody changed since, and lists it', async () => {
  const { id } = await prepare(manager, { ...update, targets: { ids: [1, 2, 3] } });
  await runToEnd(manager, id);
  await desk.service.updateSubscriber({ params: { id: 2 }, body: { maxConnections: 5 } });
  await desk.service.updateSubscriber({ params: { id: 3 }, body: { note: 'Another field.' } });
  const { data: undo } = await manager.bff.undoJob({ params: { id } });
  expect(await untilJob(manager, undo.id, 'ready')).toMatchObject({ counts: { change: 2, skipped: 1 } });
  expect(await rowsOf(manager, undo.id, 'skipped')).toMatchObject([
    { subscriberId: 2, why: 'changed-since', detail: expect.stringContaining('maxConnections') },
  ]);
  await runToEnd(manager, undo.id);
  const { items } = (await desk.service.listSubscribers({ query: {} })).data;
  expect(items.slice(0, 3)).toMatchObject([
    { maxConnections: 1 },
    { maxConnections: 5 },
    { maxConnections: 1, note: 'Another field.' },
  ]);
});

test('an undo changes nobody where the entries of some of its job were deleted because of their age', async () => {
  const { time, as } = await createTestDesk({ people: crowd(3), journalDays: 30 });
  const ann = as('manager', 'Ann');
  const { id } = await prepare(ann, { ...update, targets: { all: true } });
  await runToEnd(ann, id, 1);
  time.now += 20 * 24 * 60 * 60_000;
  await runToEnd(ann, id);
  time.now += 12 * 24 * 60 * 60_000;
  await ann.api.updateSubscriber({ params: { id: 3 }, body: { note: 'Called.' } });
  // What is deleted is a day older than the newest entry that is a day old.
  time.now += 24 * 60 * 60_000;
  await ann.runMaintenance();
  const { data: undo } = await ann.bff.undoJob({ params: { id } });
  expect(await untilJob(ann, undo.id, 'ready', 'stopped')).toMatchObject({
    state: 'stopped',
    problem: expect.stringContaining('Of this job’s 3 changes, Activity still has 2'),
  });
});

test('a job works before a service with another dialect, without versions and without a filter for trials', async () => {
  const other = createOtherService({ count: 60, now: desk.deps.clock });
  const upstream = otherUpstream(other.fetch);
  const ann = desk.as('manager', 'Ann', { upstream });
  const trials = [...other.customers.values()].filter(({ isTrial }) => isTrial);
  const rest = new Map([...other.customers].map(([id, one]) => [id, { ...one }]));
  const ready = await prepare(ann, { ...update, targets: { query: { IsTrial: 'true' } } });
  expect(ready).toMatchObject({ state: 'ready', total: trials.length });
  const moved = trials[0]?.id ?? 0;
  Object.assign(other.customers.get(moved) ?? {}, { note: 'Changed since.' });
  const { counts } = await runToEnd(ann, ready.id);
  expect(counts.done + counts.unchanged + counts.skipped).toBe(trials.length);
  expect(await rowsOf(ann, ready.id, 'skipped')).toMatchObject([
    { subscriberId: moved, why: 'changed-meanwhile' },
  ]);
  for (const [id, before] of rest) {
    const expected = before.isTrial && id !== moved ? { ...before, maxConnections: 9 } : before;
    const note = id === moved ? 'Changed since.' : before.note;
    expect(other.customers.get(id)).toEqual({ ...expected, note });
  }
});

test.each([{}, { upstream: { extensions: [] } }])(
  'a job for a range of expiry is for those who were in it when it was created, with %o',
  async (options) => {
    const at = (hours: number) =>
      new Date(Date.parse('2026-01-01T00:00:00Z') + hours * 3_600_000).toISOString();
    const given = await createTestDesk({
      ...options,
      people: [-200, -3, 0.1, 300].map((hours, index) => person(`p${index + 1}`, { expiresAt: at(hours) })),
    });
    const ann = await given.signIn('manager');
    const { data } = await ann.bff.createJob({
      body: { ...update, targets: { query: { ExpiresFrom: '-7d', ExpiresTo: 'now' } } },
    });
    expect(data.targets).toEqual({
      query: { ExpiresFrom: '2025-12-25T00:00:00.001Z', ExpiresTo: '2026-01-01T00:00:00.001Z' },
    });
    given.time.now += 600_000;
    await untilJob(ann, data.id, 'ready');
    expect(await rowsOf(ann, data.id)).toMatchObject([{ subscriberId: 2 }]);
  },
);

test('a server that lost a job to another one changes nothing twice, and writes nothing about it any more', async () => {
  const { id } = await prepare(manager, { ...update, targets: { ids: [1, 2, 3, 4, 5, 6] } });
  const gate = Promise.withResolvers<void>();
  let held = 0;
  desk.upstream.lookup = async (_, next) => {
    const answer = await next();
    if ((held += 1) <= 4) await gate.promise;
    return answer;
  };
  await manager.bff.startJob({ params: { id }, body: {} });
  await expect.poll(() => held).toBe(4);
  // It is held up for longer than it may be silent, and another server takes the job over.
  desk.time.now += 10 * 60_000;
  const other = createBff(desk.deps);
  await other.runMaintenance();
  const state = () => desk.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await expect.poll(async () => (await state()).state).toBe('done');
  const done = await state();
  expect(JSON.parse(done.counts)).toMatchObject({ done: 6, change: 0, failed: 0, skipped: 0 });
  gate.resolve();
  // Both end what they have begun.
  await Promise.all([other.stop(), desk.stop()]);
  expect(await state()).toEqual(done);
  expect(desk.upstream.calls.filter(({ method }) => method === 'PUT')).toHaveLength(6);
});

test('a job that becomes ready while another server claims it still waits for its start', async () => {
  const held = Promise.withResolvers<void>();
  const requested = Promise.withResolvers<void>();
  desk.upstream.lookup = async (_, next) => {
    requested.resolve();
    await held.promise;
    return next();
  };
  const { id } = (await manager.bff.createJob({ body: { ...update, targets: { ids: [1, 2, 3] } } })).data;
  await requested.promise;
  // It is held up for longer than it may be silent, and ready by the time the other server has found it.
  desk.time.now += 10 * 60_000;
  const late: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (Object.keys(result.rows[0] ?? {}).join(' ') === 'id fence') {
        held.resolve();
        await untilJob(manager, id, 'ready');
      }
      return result;
    },
  };
  const other = createBff({ ...desk.deps, db: desk.db.withPlugin(late) });
  await other.runMaintenance();
  await other.stop();
  expect((await manager.bff.getJob({ params: { id } })).data).toMatchObject({
    state: 'ready',
    startedAt: null,
  });
  expect(desk.upstream.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('a job that is to start later is started by no server whose clock is wrong', async () => {
  let isClockWrong = false;
  desk = await createTestDesk({ people: crowd(2), isClockWrong: () => isClockWrong });
  manager = await desk.signIn('manager');
  const [later, first] = [
    await prepare(manager, { ...update, targets: { ids: [2] } }),
    await prepare(manager, { ...update, targets: { ids: [1] } }),
  ];
  const soon = 20 * 60_000;
  const at = new Date(desk.time.now + soon).toISOString();
  await manager.bff.startJob({ params: later, body: { at } });
  const gate = Promise.withResolvers<void>();
  const isChange = ({ method }: { method: string }) => method === 'PUT';
  desk.upstream.operation = async (seen, next) => {
    if (isChange(seen)) await gate.promise;
    return next();
  };
  await manager.bff.startJob({ params: first, body: {} });
  await expect.poll(() => desk.upstream.calls.some(isChange)).toBe(true);
  isClockWrong = true;
  desk.time.now += soon;
  // The end of a job has its server look for the next one.
  gate.resolve();
  const stateOf = async (id: string) => (await desk.rows('jobs')).find((job) => job.id === id)?.state;
  await expect.poll(() => stateOf(first.id)).toBe('done');
  await desk.stop();
  expect(await stateOf(later.id)).toBe('ready');
  isClockWrong = false;
  await desk.openReplica().runMaintenance();
  await expect.poll(() => stateOf(later.id)).toBe('done');
});

test('a change of a job is found in the journal, although the server ended before it said so and all keys are old', async () => {
  const { id } = await prepare(manager, { ...update, targets: { ids: [1, 2, 3] } });
  await runToEnd(manager, id);
  await desk.db.updateTable('job_rows').set({ result: 'change' }).execute();
  const counts = JSON.stringify({ ...noCounts, change: 3 });
  await desk.db.updateTable('jobs').set({ state: 'running', lease_until: 0, counts }).execute();
  await desk.db.updateTable('journal').set({ key_hash: null, fingerprint: null }).execute();
  await desk.runMaintenance();
  expect(await untilJob(manager, id, 'done')).toMatchObject({ counts: { done: 3, skipped: 0, change: 0 } });
  expect(desk.upstream.calls.filter(({ method }) => method === 'PUT')).toHaveLength(3);
});

test('a subscriber is forgotten in the rows of jobs, also of one that never started, but not while one works on them', async () => {
  const { id } = await prepare(manager, { kind: 'delete', targets: { query: { Username: 'P002' } } });
  const both = { targets: { ids: [1, 2] }, change: { appendNote: 'A note.' } };
  const { id: other } = await prepare(manager, { kind: 'update', ...both });
  const forget = () => forgetSubscriber(desk.db, createMac(journalKey), 2);
  await desk.db
    .updateTable('jobs')
    .set({ state: 'running', lease_until: desk.time.now + 10_000 })
    .where('id', '=', other)
    .execute();
  const before = await desk.rows('job_rows');
  expect(await forget()).toMatchObject({ rows: 0, open: 1 });
  expect(await desk.rows('job_rows')).toEqual(before);
  await desk.db.updateTable('jobs').set({ state: 'ready', lease_until: 0 }).where('id', '=', other).execute();
  expect(await forget()).toMatchObject({ rows: 2, jobs: 1, open: 0 });
  expect(JSON.stringify([await desk.rows('job_rows'), await desk.rows('jobs')])).not.toMatch(/p002/i);
  expect((await manager.bff.getJob({ params: { id } })).data).toMatchObject({
    targets: { query: { Username: '(erased)' } },
    counts: { change: 0, skipped: 1 },
  });
  expect(await runToEnd(manager, other)).toMatchObject({ counts: { done: 1, skipped: 1, change: 0 } });
  expect(await forget()).toBeNull();
});
