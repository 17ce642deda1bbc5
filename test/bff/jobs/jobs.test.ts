import { describe, expect, it, test } from 'vitest';
import { proofLife } from '../../../src/bff/current-user.ts';
import type { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { importText } from '../../support/bff/import-file.ts';
import { prepare, rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { entered } from '../../support/people.ts';

const day = 24 * 60 * 60_000;
const newYear = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number) => new Date(newYear + ms).toISOString();

/** Three expired trials, one that has paid, one trial that still runs. */
const people = [
  { username: 'ann', expiresAt: at(-3 * day), isTrial: true },
  { username: 'bo', expiresAt: at(-2 * day), isTrial: true },
  { username: 'cy', expiresAt: at(-1 * day), isTrial: true },
  { username: 'di', expiresAt: at(-1 * day), isTrial: false },
  { username: 'ed', expiresAt: at(9 * day), isTrial: true },
].map((one) => ({ ...entered, ...one, email: `${one.username}@example.com` }));

const open = () => createTestDesk({ people });
const expiredTrials = { query: { Expired: 'true', IsTrial: 'true' } } as const;
const expiries = async ({ service }: TestDesk) =>
  (await service.listSubscribers({ query: {} })).data.items.map(({ expiresAt }) => expiresAt);

describe('a job', () => {
  it('extends all that match a filter, once somebody starts it, and its undo brings back what was', async () => {
    const desk = await open();
    const manager = await desk.signIn('manager');
    const before = await expiries(desk);
    // Counted from today, so until the end of that day.
    const month = at(32 * day - 1000);
    const ready = await prepare(manager, {
      kind: 'extend',
      targets: expiredTrials,
      change: { by: { months: 1 } },
      reason: 'Outage',
    });
    expect(ready).toMatchObject({
      state: 'ready',
      total: 3,
      counts: { change: 3 },
      preview: { earliest: month, latest: month, statuses: { 1: 3 }, stillExpired: 0 },
    });
    expect(await expiries(desk)).toEqual(before);
    const done = await runToEnd(manager, ready.id);
    expect(done).toMatchObject({ state: 'done', counts: { change: 0, done: 3 } });
    expect(await expiries(desk)).toEqual([month, month, month, ...before.slice(3)]);

    const { data: undo } = await manager.bff.undoJob({ params: { id: ready.id } });
    expect(undo).toMatchObject({ kind: 'undo', undoOf: ready.id, state: 'preparing' });
    await expect
      .poll(async () => (await manager.bff.getJob({ params: { id: undo.id } })).data.state)
      .toBe('ready');
    // In the order of the changes, of which some are under way at once.
    const rows = await rowsOf(manager, undo.id);
    expect(rows.toSorted((one, other) => one.subscriberId - other.subscriberId)).toMatchObject([
      { username: 'ann', before: { expiresAt: month }, after: { expiresAt: before[0] } },
      { username: 'bo' },
      { username: 'cy' },
    ]);
    expect(await runToEnd(manager, undo.id)).toMatchObject({ state: 'done', counts: { done: 3 } });
    expect(await expiries(desk)).toEqual(before);
  });
});

test('a job leaves out who does not match its filter any more when the record is read', async () => {
  const desk = await open();
  const manager = await desk.signIn('manager');
  const change = (id: number, body: UpdateBody) => desk.service.updateSubscriber({ params: { id }, body });
  const pay = async () => {
    await change(1, { isTrial: false });
    await change(2, { expiresAt: at(day) });
    // Until a moment that has come by then.
    await change(3, { expiresAt: at(1) });
    desk.time.now += 2;
  };
  let paid: Promise<void> | undefined;
  desk.upstream.lookup = async (_, next) => {
    await (paid ??= pay());
    return next();
  };
  const { id, total } = await prepare(manager, { kind: 'delete', targets: expiredTrials });
  const rows = await rowsOf(manager, id);
  expect([total, rows.map(({ subscriberId }) => subscriberId)]).toEqual([1, [3]]);
});

test.each([{ StatusId: '2' }, { Note: 'moved away' }])(
  'a job leaves out who had the status or the note of its filter: %o',
  async (query) => {
    const desk = await createTestDesk({ people: people.map((one) => ({ ...one, note: 'Moved away.' })) });
    const manager = await desk.signIn('manager');
    const statuses = (await desk.serviceDb()).updateTable('subscribers');
    await statuses.set({ status_id: 2 }).execute();
    const stay = async () => {
      await statuses.set({ status_id: 1 }).where('id', '=', 1).execute();
      await desk.service.updateSubscriber({ params: { id: 1 }, body: { note: 'Stays.' } });
    };
    let stayed: Promise<void> | undefined;
    desk.upstream.lookup = async (_, next) => {
      await (stayed ??= stay());
      return next();
    };
    const { id } = await prepare(manager, { kind: 'delete', targets: { query } });
    const rows = await rowsOf(manager, id);
    expect(rows.map(({ subscriberId }) => subscriberId)).toEqual([2, 3, 4, 5]);
  },
);

test('a job is not undone while it runs, nor made of those of another whose result nobody has', async () => {
  const desk = await open();
  const manager = await desk.signIn('manager');
  const { id } = await prepare(manager, { kind: 'delete', targets: { ids: [1, 2] } });
  const gate = Promise.withResolvers<void>();
  desk.upstream.operation = async (_, next) => {
    await gate.promise;
    return next();
  };
  await manager.bff.startJob({ params: { id }, body: {} });
  await expect(manager.bff.undoJob({ params: { id } })).rejects.toMatchObject({
    code: 'wrong-job-state',
    message: expect.stringMatching(/^This job still runs\./),
  });
  gate.resolve();
  await untilJob(manager, id, 'done');
  const ofFailed = { kind: 'delete', targets: { job: id, result: 'failed' } } as const;
  await expect(manager.bff.createJob({ body: ofFailed })).rejects.toMatchObject({ code: 'invalid-input' });
  expect((await manager.bff.listJobs({ query: {} })).data.totalCount).toBe(1);
});

test('a screen left open is not enough to undo a job, which can delete the subscribers that it made', async () => {
  const desk = await open();
  const manager = await desk.signIn('manager');
  const undo = async (of: string) => {
    const { data } = await manager.bff.undoJob({ params: { id: of } });
    await untilJob(manager, data.id, 'ready');
    return data.id;
  };
  const { id } = await prepare(manager, { kind: 'delete', targets: { ids: [2] } });
  await runToEnd(manager, id);
  const makesAgain = await undo(id);
  await runToEnd(manager, makesAgain);
  const deletes = await undo(makesAgain);
  desk.time.now += proofLife;
  expect(await outcomeOf(manager.ask('POST', `/bff/jobs/${deletes}/start`, {}))).toBe('403 proof-needed');
  expect((await desk.service.listSubscribers({ query: {} })).data.totalCount).toBe(5);
});

test('an import by somebody whose account is disabled can be imported anyway, in the name of who does so', async () => {
  const desk = await open();
  await desk.hire('manager', 'mona');
  const [manager, mona] = [await desk.signIn('manager'), await desk.signIn('mona')];
  const file = await (
    await mona.ask('GET', '/bff/export?columns=id,maxConnections,version&Username=ann')
  ).text();
  await manager.api.updateSubscriber({ params: { id: 1 }, body: { maxConnections: 9 } });
  const columns = ['id', 'maxConnections', 'version'] as const;
  const { id } = await importText(mona, file, { mode: 'update', columns: [...columns] });
  await untilJob(manager, id, 'ready');
  await desk.changeAccount('mona', { disabled: 1 });
  await manager.bff.importAnyway({ params: { id } });
  expect(await untilJob(manager, id, 'ready', 'stopped')).toMatchObject({
    state: 'ready',
    counts: { change: 1 },
    staff: { name: 'manager' },
  });
});

test('rows that somebody has left out of an import stay so when the older ones are imported anyway', async () => {
  const desk = await open();
  const manager = await desk.signIn('manager');
  const file = await (await manager.ask('GET', '/bff/export?columns=id,maxConnections,version')).text();
  await manager.api.updateSubscriber({ params: { id: 1 }, body: { maxConnections: 9 } });
  const edited = file.replaceAll(/(?<="\d",)"\d+"/g, '"7"');
  const columns = ['id', 'maxConnections', 'version'] as const;
  const { id } = await importText(manager, edited, { mode: 'update', columns: [...columns] });
  expect(await untilJob(manager, id, 'ready')).toMatchObject({ counts: { change: 4, skipped: 1 } });
  const rows = { numbers: [2, 5] };
  await manager.bff.leaveOutRows({ params: { id }, body: { leaveOut: true, rows } });
  await manager.bff.importAnyway({ params: { id } });
  expect(await untilJob(manager, id, 'ready')).toMatchObject({
    counts: { change: 3, 'left-out': 2, skipped: 0 },
  });
  expect((await rowsOf(manager, id, 'left-out')).map(({ number }) => number)).toEqual([2, 5]);
});

test('a row that the service refuses says what is wrong with its values, such as a username taken meanwhile', async () => {
  const desk = await open();
  const manager = await desk.signIn('manager');
  const file = 'username,email,expiresAt\nnew,new@example.com,2027-01-01T00:00:00Z\n';
  const { id } = await importText(manager, file, {
    mode: 'create',
    columns: ['username', 'email', 'expiresAt'],
  });
  await untilJob(manager, id, 'ready');
  await desk.service.createSubscriber({ body: { ...entered, username: 'New' } });
  await runToEnd(manager, id);
  expect(await rowsOf(manager, id)).toMatchObject([
    {
      result: 'failed',
      why: 'invalid-input',
      detail: 'username: Username already taken. Choose another.',
    },
  ]);
});

describe('trying again the rows of a job that failed', () => {
  const stopped = async (failing: number) => {
    const desk = await open();
    const manager = await desk.signIn('manager');
    const { id } = await prepare(manager, { kind: 'delete', targets: { all: true } });
    desk.upstream.operation = ({ method, url }, next) =>
      method === 'DELETE' && url.endsWith(`/${failing}`) ? new Response(null, { status: 500 }) : next();
    await runToEnd(manager, id, 2);
    await manager.bff.stopJob({ params: { id } });
    desk.upstream.operation = (_, next) => next();
    return { desk, manager, id };
  };
  it('changes nobody else of one that was stopped, and then waits until somebody continues it', async () => {
    const { desk, manager, id } = await stopped(1);
    await manager.bff.retryJob({ params: { id } });
    expect(await untilJob(manager, id, 'done', 'paused')).toMatchObject({
      state: 'paused',
      pause: 'limit',
      counts: { done: 2, failed: 0, change: 3 },
    });
    expect((await desk.service.listSubscribers({ query: {} })).data.items.map(({ id: one }) => one)).toEqual([
      3, 4, 5,
    ]);
    expect(await runToEnd(manager, id)).toMatchObject({ state: 'done', counts: { done: 5 } });
  });

  it('is refused where others before them are still to be changed, as a server that died may have left some', async () => {
    const { desk, manager, id } = await stopped(2);
    await desk.db.updateTable('job_rows').set({ result: 'change' }).where('number', '=', 1).execute();
    expect(await outcomeOf(manager.ask('POST', `/bff/jobs/${id}/retry`))).toBe('409 wrong-job-state');
    expect(await rowsOf(manager, id, 'failed')).toHaveLength(1);
  });
});

test('the rows of a job that nobody starts are saved, which is an entry of the journal', async () => {
  const manager = await (await open()).signIn('manager');
  const { id } = await prepare(manager, { kind: 'delete', targets: expiredTrials });
  const answer = await manager.ask('GET', `/bff/jobs/${id}/rows/export`);
  expect(await answer.text()).toContain('ann@example.com');
  const { items } = (await manager.bff.listActivity({ query: { operation: 'exportSubscribers' } })).data;
  const subscribers = { filters: ['job'], count: 3, tokens: false };
  expect(items).toMatchObject([{ staff: { name: 'manager' }, details: { subscribers } }]);
});

test('a job whose first few are started a second time, by a page that does not know of it, changes no others', async () => {
  const manager = await (await open()).signIn('manager');
  const { id } = await prepare(manager, { kind: 'delete', targets: { ids: [1, 2, 3] } });
  const start = (count: number) =>
    outcomeOf(manager.ask('POST', `/bff/jobs/${id}/start`, { count, limit: 1 }));
  expect(await start(3)).toBe('200');
  await untilJob(manager, id, 'paused');
  expect(await start(3)).toBe('409 wrong-job-state');
  expect(await untilJob(manager, id, 'paused')).toMatchObject({ counts: { change: 2, done: 1 } });
  expect(await start(2)).toBe('200');
});

test('a job for those whom an import skipped has each of them once, whom the file may name twice, and can be undone', async () => {
  const manager = await (await open()).signIn('manager');
  const taken = 'id,username\n3,ann\n3,cy';
  const file = await importText(manager, taken, { mode: 'update', columns: ['id', 'username'] });
  expect(await untilJob(manager, file.id, 'ready')).toMatchObject({ counts: { skipped: 2 } });
  const targets = { job: file.id, result: 'skipped' } as const;
  const { id } = await prepare(manager, { kind: 'update', targets, change: { appendNote: 'Called.' } });
  expect(await runToEnd(manager, id)).toMatchObject({ state: 'done', counts: { done: 1 } });
  const { data: undo } = await manager.bff.undoJob({ params: { id } });
  expect(await untilJob(manager, undo.id, 'ready', 'stopped')).toMatchObject({ counts: { change: 1 } });
});
