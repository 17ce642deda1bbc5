import { beforeEach, describe, expect, it } from 'vitest';
import type { OverviewNumbers } from '../../../src/contract/bff/overview.ts';
import { filterExtensions } from '../../../src/contract/service/list-rules.ts';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import { createTestDesk, type TestDesk, type TestDeskOptions, type TestTime } from '../../support/desk.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { person } from '../../support/people.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const day = 24 * 60 * 60_000;
const iso = (at: number) => new Date(at).toISOString();

/** From 100 days ago to 100 days from now, every third a trial. */
const people = Array.from({ length: 201 }, (_, index) =>
  person(`p${index}`, {
    expiresAt: iso(start + (index - 100) * day),
    isTrial: index % 3 === 0,
    bundles: index % 2 === 0 ? [3] : [],
  }),
);

const open = async (options: TestDeskOptions = {}) => {
  const desk = await createTestDesk({ people, ...options });
  const suspend = (await desk.serviceDb()).updateTable('subscribers').set({ status_id: 2 });
  await suspend.where('username', '=', 'p150').execute();
  const viewer = await desk.signIn('viewer');
  desk.upstream.calls.length = 0;
  return { desk, viewer, overview: async () => (await viewer.bff.getOverview({})).data };
};

/** All numbers again, each by a list of the service. */
async function recount({ service }: TestDesk, { at, next, last }: OverviewNumbers) {
  const count = async (query: ListQuery) =>
    (await service.listSubscribers({ query: { ...query, PageSize: 1 } })).data.totalCount;
  const weeks = (all: OverviewNumbers['next']) =>
    Promise.all(
      all.map(async ({ from, to }) => ({
        from,
        to,
        trials: await count({ ExpiresFrom: from, ExpiresTo: to, IsTrial: true }),
        paid: await count({ ExpiresFrom: from, ExpiresTo: to, IsTrial: false }),
      })),
    );
  return {
    at,
    total: await count({}),
    canWatch: await count({ StatusId: 1, ExpiresFrom: at }),
    trials: await count({ StatusId: 1, IsTrial: true, ExpiresFrom: at }),
    expiredTrials: await count({ IsTrial: true, ExpiresTo: at }),
    expiredPaid: await count({ IsTrial: false, ExpiresTo: at }),
    expiringIn7Days: await count({ ExpiresFrom: at, ExpiresTo: iso(Date.parse(at) + 7 * day) }),
    expiringIn30Days: await count({ ExpiresFrom: at, ExpiresTo: iso(Date.parse(at) + 30 * day) }),
    activeStatus: 1,
    otherStatuses: [
      { id: 2, name: 'Suspended', count: await count({ StatusId: 2 }) },
      { id: 3, name: 'Blocked', count: await count({ StatusId: 3 }) },
    ],
    next: await weeks(next),
    last: await weeks(last),
  };
}

describe('the overview', () => {
  let there: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    there = await open();
  });

  it('has the numbers of the lists that its links open, all of one moment', async () => {
    const { numbers, counting } = await there.overview();
    expect(counting).toBeNull();
    if (!numbers) throw new Error('There are no numbers.');
    const { values, ...others } = numbers;
    expect(others).toEqual(await recount(there.desk, numbers));
    expect(values?.bundles).toEqual({ most: [{ value: 3, count: 101 }], others: { values: 0, count: 0 } });
    expect(numbers).toMatchObject({ at: iso(start + 1), total: 201, canWatch: 99, expiringIn7Days: 7 });
    expect(numbers.next[0]).toEqual({
      from: iso(start + 1),
      to: iso(start + 7 * day + 1),
      trials: 2,
      paid: 5,
    });
    expect(numbers.last.at(-1)).toMatchObject({ from: iso(start - 7 * day + 1), to: iso(start + 1) });
    expect([numbers.next, numbers.last].map((weeks) => weeks.length)).toEqual([12, 12]);
  });

  it('is counted by one request, once a minute, for everybody', async () => {
    const { desk, overview } = there;
    const first = await overview();
    const reads = desk.upstream.calls.length;
    expect(reads).toBe(1);
    const manager = await desk.signIn('manager');
    desk.time.now += 59_000;
    const [again, other] = [await overview(), (await manager.bff.getOverview({})).data];
    expect([again, other]).toEqual([first, first]);
    expect(desk.upstream.calls.length).toBe(reads);
    desk.time.now += 1_000;
    const both = await Promise.all([overview(), manager.bff.getOverview({})]);
    expect(both[0].numbers?.at).toBe(iso(start + 60_001));
    expect(desk.upstream.calls.length).toBe(2 * reads);
  });

  it('fails if it cannot be counted, and is counted again when somebody asks', async () => {
    const { desk, overview } = there;
    const { operation } = desk.upstream;
    desk.upstream.operation = (seen, next) =>
      seen.url.includes('statistics') ? new Response(null, { status: 500 }) : next();
    await expect(overview()).rejects.toMatchObject({ status: 502 });
    desk.upstream.operation = operation;
    expect((await overview()).numbers?.total).toBe(201);
  });
});

it.each([
  ['counts', {}],
  ['filters', { upstream: { extensions: filterExtensions } }],
  ['reads everybody', { upstream: { extensions: [] } }],
])('takes no other status for Active, with a service that %s', async (_, options) => {
  const { desk, overview } = await open(options);
  const statuses = (await desk.serviceDb()).updateTable('subscriber_statuses');
  await statuses.set({ name: 'On hold' }).where('id', '=', 1).execute();
  await statuses.set({ name: 'In order' }).where('id', '=', 2).execute();
  await expect.poll(async () => (await overview()).numbers).not.toBeNull();
  expect((await overview()).numbers).toMatchObject({
    total: 201,
    activeStatus: null,
    canWatch: 0,
    trials: 0,
    otherStatuses: [
      { name: 'On hold', count: 200 },
      { name: 'In order', count: 1 },
      { name: 'Blocked', count: 0 },
    ],
  });
});

describe('the overview of a service that filters and does not count', () => {
  const extensions = filterExtensions;

  it('has the same numbers, counted by at most 60 lists', async () => {
    const { desk, overview } = await open({ upstream: { extensions } });
    const { numbers } = await overview();
    expect(desk.upstream.calls.length).toBeLessThanOrEqual(60);
    if (!numbers) throw new Error('There are no numbers.');
    expect(numbers).toEqual(await recount(desk, numbers));
  });

  it('is counted again after a failure only when a minute has passed, and says the failure until then', async () => {
    const { desk, overview } = await open({ upstream: { extensions } });
    const { operation } = desk.upstream;
    desk.upstream.operation = (seen, next) =>
      seen.url.includes('IsTrial') ? new Response(null, { status: 500 }) : next();
    await expect(overview()).rejects.toMatchObject({ status: 502 });
    // It would succeed now.
    desk.upstream.operation = operation;
    await expect(overview()).rejects.toMatchObject({ code: 'bad-upstream', status: 502 });
    desk.time.now += 60_000;
    expect((await overview()).numbers?.total).toBe(201);
  });
});

describe('the overview of a service that cannot filter', () => {
  it('has the same numbers, counted by reading everybody', async () => {
    const { desk, overview } = await open({ upstream: { extensions: [] } });
    expect(await overview()).toEqual({ numbers: null, counting: { read: 0, total: 0 } });
    await expect.poll(async () => (await overview()).numbers).not.toBeNull();
    const { numbers } = await overview();
    if (!numbers) throw new Error('There are no numbers.');
    expect(numbers).toEqual(await recount(desk, numbers));
    expect(
      desk.upstream.calls.filter(({ url }) => /Expires|IsTrial/.test(url) && !url.endsWith('PageSize=1')),
    ).toEqual([]);
  });

  it('takes 60 reads at once and then one a second, says how far it is, and shows the last numbers meanwhile', async () => {
    const waiting: (() => void)[] = [];
    const time: Required<TestTime> = {
      now: start,
      wait: (ms) =>
        new Promise((resolve) => {
          const until = time.now + ms;
          waiting.push(() => {
            time.now = Math.max(time.now, until);
            resolve();
          });
        }),
    };
    const desk = await createTestDesk({ samples: 900, upstream: { extensions: [] }, time });
    const viewer = await desk.signIn('viewer');
    const overview = async () => (await viewer.bff.getOverview({})).data;
    const times: number[] = [];
    // It gives out ten at a time.
    desk.upstream.operation = async (seen, next) => {
      if (!seen.url.includes('/subscribers?')) return next();
      times.push(time.now);
      const page = (await (await next()).json()) as { items: unknown[] };
      return Response.json({ ...page, items: page.items.slice(0, 10) });
    };
    await overview();
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    const { numbers, counting } = await overview();
    expect(numbers).toBeNull();
    expect(counting).toEqual({ read: expect.any(Number), total: 900 });
    expect(counting?.read).toBeGreaterThan(300);
    await expect
      .poll(async () => {
        for (const goOn of waiting.splice(0)) goOn();
        return (await overview()).numbers?.total;
      })
      .toBe(900);
    expect(times.length).toBeGreaterThan(60);
    const late = times.slice(60).map((at, index) => at - (times[0] ?? 0) - (index + 1) * 1000);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  });

  it('says that the service does not answer, and is asked again by the next request', async () => {
    const { desk, overview } = await open({ upstream: { extensions: [] } });
    const { operation } = desk.upstream;
    desk.upstream.operation = () => new Response(null, { status: 500 });
    await overview();
    await expect
      .poll(() =>
        overview().then(
          () => null,
          ({ status }) => status as number,
        ),
      )
      .toBe(502);
    desk.upstream.operation = operation;
    await expect.poll(async () => (await overview().catch(() => null))?.numbers?.total).toBe(201);
  });
});

describe('the count of changes in the overview', () => {
  it('is by day and kind, in the zone that is asked for', async () => {
    const { desk } = await open();
    // Half past eleven in the evening in UTC is the next day in Oslo.
    desk.time.now = start + 23.5 * 3_600_000;
    const late = await desk.signIn('support');
    await late.api.updateSubscriber({ params: { id: 1 }, body: { note: 'Called.' } });
    await late.api.regenerateToken({ params: { id: 1 } });
    desk.time.now += 3_600_000;
    await (await desk.signIn('manager')).api.deleteSubscriber({ params: { id: 2 } });
    const reader = await desk.signIn('viewer');
    const read = async (zone?: string) =>
      (await reader.bff.getOverviewChanges({ query: zone ? { zone } : {} })).data.days;
    const utc = await read();
    expect(utc).toHaveLength(30);
    expect(utc.slice(-2)).toEqual([
      {
        day: '2026-01-01',
        from: iso(start),
        to: iso(start + day),
        counts: { ...none, updateSubscriber: 1, regenerateToken: 1 },
      },
      {
        day: '2026-01-02',
        from: iso(start + day),
        to: iso(start + 2 * day),
        counts: { ...none, deleteSubscriber: 1 },
      },
    ]);
    const oslo = await read('Europe/Oslo');
    expect(oslo.at(-1)).toEqual({
      day: '2026-01-02',
      from: '2026-01-01T23:00:00.000Z',
      to: '2026-01-02T23:00:00.000Z',
      counts: { ...none, updateSubscriber: 1, regenerateToken: 1, deleteSubscriber: 1 },
    });
    const refused = await reader.ask('GET', '/bff/overview/changes?zone=Mars/Olympus');
    expect(await outcomeOf(refused)).toBe('422 invalid-input');
  });

  it('is made once a minute, for everybody', async () => {
    const { desk } = await open();
    const support = await desk.signIn('support');
    const note = (text: string) => support.api.updateSubscriber({ params: { id: 1 }, body: { note: text } });
    const reader = await desk.signIn('viewer');
    const today = async () =>
      (await reader.bff.getOverviewChanges({ query: {} })).data.days.at(-1)?.counts.updateSubscriber;
    await note('Called.');
    expect(await today()).toBe(1);
    await note('Called twice.');
    expect(await today()).toBe(1);
    desk.time.now += 60_000;
    expect(await today()).toBe(2);
  });

  it('has the trials that became paid by week, without those that were undone', async () => {
    const { desk } = await open();
    const support = await desk.signIn('support');
    const endTrial = (id: number) =>
      support.api.updateSubscriber({ params: { id }, body: { isTrial: false } });
    for (const id of [1, 4, 7]) await endTrial(id);
    await support.api.updateSubscriber({
      params: { id: 2 },
      body: { note: '"isTrial":false', isTrial: true },
    });
    const { items } = (await support.bff.listActivity({ query: { subscriberId: 4 } })).data;
    await support.bff.undoChange({ params: { id: items[0]?.id ?? '' } });
    // A mistake that is undone converts nobody.
    await support.api.updateSubscriber({ params: { id: 3 }, body: { isTrial: true } });
    const mistake = (await support.bff.listActivity({ query: { subscriberId: 3 } })).data.items[0];
    await support.bff.undoChange({ params: { id: mistake?.id ?? '' } });
    const { upgrades } = (await support.bff.getOverviewChanges({ query: {} })).data;
    expect(upgrades).toHaveLength(12);
    expect(upgrades.map(({ count }) => count)).toEqual([...Array<number>(11).fill(0), 2]);
    expect(upgrades.at(-1)).toMatchObject({ from: iso(start - 6 * day), to: iso(start + day) });
  });
});

const none = { createSubscriber: 0, updateSubscriber: 0, deleteSubscriber: 0, regenerateToken: 0 };
