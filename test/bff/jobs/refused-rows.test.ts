import { setTimeout as delay } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { leaseTimes } from '../../../src/bff/jobs/store.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { databaseBusy } from '../../../src/server/sql/refusals.ts';
import { createTestDesk, runningTime, type TestDesk } from '../../support/desk.ts';
import type { Answer } from '../../support/bff/upstream.ts';
import { prepare, rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { person } from '../../support/people.ts';
import { openTestDatabase } from '../../support/setup/database.ts';

const people = Array.from({ length: 24 }, (_, index) => person(`user-${index + 1}`));

let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  desk = await createTestDesk({ people, wait: () => delay(1) });
  manager = await desk.signIn('manager');
});

const update = { kind: 'update', change: { set: { maxConnections: 9 } }, targets: { all: true } } as const;
const numberOf = (url: string) => Number(/\/(\d+)(?:\?|$)/.exec(url)?.[1]);

describe('a job whose service refuses many subscribers in a row, and no others', () => {
  it.each([403, 409, 500])('fails the row of each of them that gets %d, and goes on', async (status) => {
    const { id } = await prepare(manager, { kind: 'delete', targets: { all: true } });
    desk.upstream.operation = ({ url, method }, next) =>
      method === 'DELETE' && numberOf(url) <= 8 ? Response.json({}, { status }) : next();
    const job = await runToEnd(manager, id);
    expect(job).toMatchObject({ state: 'done', pause: null, counts: { done: 16, failed: 8, change: 0 } });
    expect(await rowsOf(manager, id, 'failed')).toMatchObject(
      Array.from({ length: 8 }, () => ({ why: 'bad-upstream' })),
    );
    desk.upstream.operation = (_, next) => next();
    await manager.bff.retryJob({ params: { id } });
    expect(await untilJob(manager, id, 'done')).toMatchObject({ counts: { done: 24, failed: 0 } });
  });

  it('leaves each unconfirmed of whom nobody can find out what became, and goes on', async () => {
    const { id } = await prepare(manager, update);
    desk.upstream.operation = async ({ url, method }, next) => {
      if (method !== 'PUT' || numberOf(url) > 8) return next();
      // The line breaks, and the service has made something else of what was sent.
      await desk.service.updateSubscriber({ params: { id: numberOf(url) }, body: { maxConnections: 7 } });
      throw new TypeError('broken off');
    };
    const job = await runToEnd(manager, id);
    expect(job).toMatchObject({ state: 'done', pause: null, counts: { done: 16, unconfirmed: 8 } });
    const puts = desk.upstream.calls.filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(24);
  });

  it('leaves each unconfirmed who cannot be read any more once it was changed, and goes on', async () => {
    const { id } = await prepare(manager, update);
    const broken = new Set<number>();
    const isBroken = (url: string) => broken.has(numberOf(url));
    desk.upstream.operation = ({ url, method }, next) => {
      if (method === 'PUT' && numberOf(url) <= 8) broken.add(numberOf(url));
      return isBroken(url) ? Response.json({}, { status: 500 }) : next();
    };
    desk.upstream.lookup = ({ url }, next) => (isBroken(url) ? Response.json({}, { status: 500 }) : next());
    const job = await runToEnd(manager, id);
    expect(job).toMatchObject({ state: 'done', pause: null, counts: { done: 16, unconfirmed: 8 } });
  });

  it('fails the row of each whom it answers as before, and goes on', async () => {
    const { id } = await prepare(manager, update);
    desk.upstream.operation = async ({ url, method }, next) =>
      method !== 'PUT' || numberOf(url) > 8 ? next() : Response.json(await desk.saved(numberOf(url)));
    const job = await runToEnd(manager, id);
    expect(job).toMatchObject({ state: 'done', pause: null, counts: { done: 16, failed: 8 } });
  });

  const unreadable: [string, Answer][] = [
    ['are refused', () => Response.json({}, { status: 500 })],
    [
      'come without a list',
      async (_, next) => Response.json({ ...(await (await next()).json()), countries: undefined }),
    ],
  ];
  it.each(unreadable)(
    'skips each whose reads %s while it is prepared, with a reason',
    async (_how, answer) => {
      desk.upstream.lookup = (seen, next) => (numberOf(seen.url) <= 8 ? answer(seen, next) : next());
      const job = await prepare(manager, update);
      expect(job).toMatchObject({ state: 'ready', pause: null, counts: { change: 16, skipped: 8 } });
      const skipped = await rowsOf(manager, job.id, 'skipped');
      expect(skipped).toHaveLength(8);
      expect(skipped[6]).toMatchObject({ subscriberId: 7, username: 'user-7', why: 'bad-upstream' });
      desk.upstream.lookup = (_, next) => next();
      const again = await prepare(manager, { ...update, targets: { job: job.id, result: 'skipped' } });
      expect(again.counts).toMatchObject({ change: 8, skipped: 0 });
    },
  );

  const unanswered: [string, string, Answer][] = [
    ['a gateway waits for in vain', 'upstream-timeout', () => Response.json({}, { status: 504 })],
    ['a gateway gets nothing for', 'bad-upstream', () => Response.json({}, { status: 502 })],
    ['end with the connection', 'upstream-unreachable', () => Promise.reject(new TypeError('broken off'))],
  ];
  it.each(unanswered)('skips each whose reads %s while it is prepared', async (_how, why, answer) => {
    desk.upstream.lookup = (seen, next) =>
      [7, 8].includes(numberOf(seen.url)) ? answer(seen, next) : next();
    const job = await prepare(manager, update);
    expect(job).toMatchObject({ state: 'ready', pause: null, counts: { change: 22, skipped: 2 } });
    expect(await rowsOf(manager, job.id, 'skipped')).toMatchObject([
      { subscriberId: 7, why },
      { subscriberId: 8, why },
    ]);
  });
});

test.each([503, 504])(
  'a job waits while its service answers nobody but with %d, and skips no row',
  async (status) => {
    const away = () => new Response(null, { status });
    Object.assign(desk.upstream, { operation: away, lookup: away });
    const { id } = (await manager.bff.createJob({ body: { ...update, targets: { ids: [1, 2, 3] } } })).data;
    await expect
      .poll(async () => (await manager.bff.getJob({ params: { id } })).data)
      .toMatchObject({ state: 'preparing', pause: 'service' });
    const back = (_: unknown, next: () => Promise<Response>) => next();
    Object.assign(desk.upstream, { operation: back, lookup: back });
    desk.time.now += 60_000;
    expect(await untilJob(manager, id, 'ready')).toMatchObject({ counts: { change: 3, skipped: 0 } });
  },
);

test('a job ends with what is wrong if its list can’t be read because of one record, and keeps nobody else’s from being prepared', async () => {
  desk.upstream.operation = async ({ url }, next) => {
    const answer = await next();
    if (!/[?&]PageSize=200/.test(url)) return answer;
    const page: { items: object[] } = await answer.json();
    return Response.json({ ...page, items: page.items.map((row) => ({ ...row, status: null })) });
  };
  await desk.changeAccount('colleague', { role: 'manager' });
  const colleague = await desk.signIn('colleague');
  const begin = async (who: typeof manager) => (await who.bff.createJob({ body: update })).data.id;
  const ids = [await begin(manager), await begin(manager), await begin(colleague)];
  const { state } = await prepare(colleague, { ...update, targets: { ids: [1] } });
  expect(state).toBe('ready');
  for (const id of ids)
    expect(await untilJob(manager, id, 'stopped')).toMatchObject({
      problem: expect.stringContaining('items.0.status'),
      startedAt: null,
    });
});

/** A desk whose time passes by what the BFF waits. */
async function openImpatient() {
  const time = runningTime();
  const wait = async (ms: number) => {
    time.now += ms;
    await delay(1);
  };
  desk = await createTestDesk({ people, time, wait });
  manager = await desk.signIn('manager');
  return time;
}

test('a job gives up no row where its service is down for longer than a batch of rows takes', async () => {
  await openImpatient();
  const { id } = await prepare(manager, update);
  const unavailable = () => new Response(null, { status: 503 });
  Object.assign(desk.upstream, { operation: unavailable, lookup: unavailable });
  await manager.bff.startJob({ params: { id }, body: {} });
  const paused = await untilJob(manager, id, 'paused');
  expect(paused).toMatchObject({ pause: 'service', counts: { failed: 0, change: 24 } });
});

test('a job waits while all reads but lists get no answer, and skips only the first rows', async () => {
  const time = await openImpatient();
  const end = time.now + 60_000;
  desk.upstream.lookup = (_, next) => (time.now < end ? new Response(null, { status: 504 }) : next());
  const { counts } = await prepare(manager, update);
  // Those that were read at once when it was clear.
  expect(counts.skipped).toBeLessThanOrEqual(8);
});

test('a job skips no row whose read fails right before its service is back', async () => {
  let isAway = true;
  const away = () => new Response(null, { status: 504 });
  desk.upstream.lookup = (_, next) => (isAway ? away() : next());
  desk.upstream.operation = ({ headers }, next) => {
    // The breaker may ask before, and it goes on.
    if (headers['x-request-id'] !== 'breaker') isAway = false;
    return next();
  };
  const job = await prepare(manager, { ...update, targets: { ids: [1, 2, 3] } });
  expect([isAway, job.counts]).toEqual([false, expect.objectContaining({ change: 3, skipped: 0 })]);
});

test('a job that can’t be prepared because of an unexpected error is stopped, with a sentence', async () => {
  const { id } = await prepare(manager, update);
  const broken = { state: 'preparing', change: '{"add":{"bundles":7}}' } as const;
  await desk.db.updateTable('jobs').set(broken).execute();
  await desk.runMaintenance();
  const problem = expect.stringContaining('Something went wrong on the server. Nothing was changed.');
  await expect.poll(() => desk.rows('jobs')).toMatchObject([{ state: 'stopped', problem }]);
  expect(desk.logs).toContainEqual(
    expect.objectContaining({ event: 'job-failed', job: id, error: 'TypeError' }),
  );
});

test('a job whose database is busy for a moment while it is prepared is prepared a little later', async () => {
  let isBusy = false;
  const busy: KyselyPlugin = {
    transformQuery({ node }) {
      if (!isBusy || node.kind !== 'InsertQueryNode') return node;
      isBusy = false;
      throw databaseBusy(new Error('locked'));
    },
    transformResult: async ({ result }) => result,
  };
  const db = (await openTestDatabase<BffTables>('bff', bffMigrations)).withPlugin(busy);
  desk = await createTestDesk({ people, db });
  manager = await desk.signIn('manager');
  desk.upstream.lookup = (_, next) => {
    isBusy ||= desk.upstream.lookups.length === 1;
    return next();
  };
  const { id } = (await manager.bff.createJob({ body: update })).data;
  await expect
    .poll(() => desk.logs)
    .toContainEqual(expect.objectContaining({ event: 'job-failed', job: id }));
  desk.time.now += leaseTimes.lease;
  await desk.runMaintenance();
  expect(await untilJob(manager, id, 'ready', 'stopped')).toMatchObject({
    state: 'ready',
    counts: { change: 24 },
  });
});
