import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, test } from 'vitest';
import { createScannedRows } from '../../../src/bff/scans/scans.ts';
import { scanLimits } from '../../../src/contract/bff/scan.ts';
import { extensionNames, type SortOrder } from '../../../src/contract/service/list-rules.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import { numbered, plainUpstream } from '../../support/app/plain-service.ts';
import { prepare } from '../../support/bff/jobs.ts';
import { createTestDesk } from '../../support/desk.ts';
import { person } from '../../support/people.ts';
import { createQueue } from '../../../src/lib/queue.ts';

/** Two people before a service that has so many subscribers and no filter for trials. */
async function open(count: number, change: Partial<ReturnType<typeof numbered>> = {}) {
  const rows = Array.from({ length: count }, (_, index) => ({ ...numbered(index + 1), ...change }));
  const service = { read: 0, gate: null as Promise<void> | null };
  const upstream = plainUpstream(rows, async (url) => {
    if (/Page=/.test(url)) service.read += 1;
    if (/Page=[2-9]/.test(url)) await service.gate;
  });
  // Time passes only where a test says so.
  const desk = await createTestDesk({ wait: () => delay(2) });
  const ann = desk.as('viewer', 'Ann', { upstream });
  return { desk, rows, service, ann };
}
type Opened = Awaited<ReturnType<typeof open>>;

const query = { IsTrial: true };
const untilEnd = async ({ ann }: { ann: Pick<Opened['ann'], 'bff'> }) => {
  let scan = (await ann.bff.getScan({ query })).data;
  while (scan.state === 'running') scan = (await ann.bff.getScan({ query })).data;
  return scan;
};

describe('a list that the service cannot filter', () => {
  it('is found by one scan for all who ask, which reads each subscriber once, and is kept for minutes', async () => {
    const page = await open(100_000);
    let turns = 0;
    const timer = setInterval(() => (turns += 1));
    const scans = await Promise.all([untilEnd(page), untilEnd(page)]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
    for (const scan of scans)
      expect(scan).toMatchObject({ state: 'complete', scanned: 100_000, total: 100_000, found: 20_000 });
    expect(page.service.read).toBeLessThan(560);
    const last = { ...query, Page: 200, PageSize: 100 };
    const { data } = await page.ann.api.listSubscribers({ query: last });
    expect(data).toMatchObject({ page: 200, totalCount: 20_000, totalPages: 200 });
    expect(data.items.at(-1)).toMatchObject({ id: 100_000, accessToken: expect.stringMatching(/^•/) });
    const { read } = page.service;
    page.desk.time.now += scanLimits.lifetime - 1;
    await untilEnd(page);
    expect(page.service.read).toBe(read);
    page.desk.time.now += 1;
    await untilEnd(page);
    expect(page.service.read).toBeGreaterThan(read);
  });

  it('is refused while it is not found yet', async () => {
    const page = await open(1000);
    const list = () => page.ann.api.listSubscribers({ query });
    await expect(list()).rejects.toMatchObject({ code: 'busy', retryAfter: 1 });
    await untilEnd(page);
    expect((await list()).data.totalCount).toBe(200);
  });

  it('has the first ones if there are more than are kept', async () => {
    const page = await open(30_000, { isTrial: true });
    const scan = await untilEnd(page);
    expect(scan.state).toBe('full');
    expect(scan.found - scanLimits.rows).toBeLessThanOrEqual(200);
    expect(page.service.read).toBeLessThan(120);
  });

  it('has what was found until somebody stopped it; a new scan finds the others', async () => {
    const page = await open(1000);
    const { promise, resolve } = Promise.withResolvers<void>();
    page.service.gate = promise;
    await expect
      .poll(async () => (await page.ann.bff.getScan({ query })).data)
      .toMatchObject({ state: 'running', scanned: 200, total: 1000, found: 40 });
    await page.ann.bff.stopScan({ query });
    expect((await page.ann.bff.getScan({ query })).data).toMatchObject({
      state: 'stopped',
      scanned: 200,
      found: 40,
    });
    resolve();
    expect(await untilEnd(page)).toMatchObject({ state: 'stopped', found: 40 });
    // Another tab may have stopped it.
    await page.ann.bff.stopScan({ query });
    await page.ann.bff.stopScan({ query: { IsTrial: false } });
    expect((await page.ann.api.listSubscribers({ query })).data.totalCount).toBe(40);
    await page.ann.bff.startScan({ query });
    expect(await untilEnd(page)).toMatchObject({ state: 'complete', found: 200 });
  });

  it('is not read on when nobody asks for it any more', async () => {
    const page = await open(10_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    page.service.gate = promise;
    await page.ann.bff.getScan({ query });
    page.desk.time.now += 15_000;
    resolve();
    await delay(50);
    expect(page.service.read).toBeLessThan(12);
    expect(await untilEnd(page)).toMatchObject({ state: 'complete', found: 2_000 });
  });
});

test('a scan that takes longer than it is kept is shown when it has ended, and kept as long as it took', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => numbered(index + 1));
  const minutes = 60_000;
  const turns = createQueue({
    atOnce: 1,
    mostWaiting: 10,
    patience: 60_000,
    refusal: () => new Error('full'),
  });
  let read = 0;
  const desk = await createTestDesk({ wait: () => delay(2) });
  const upstream = plainUpstream(rows, async (url) => {
    if (!/Page=[2-9]/.test(url)) return;
    read += 1;
    // One page after the other takes 4 minutes, in which somebody goes on asking.
    await turns.run(async () => {
      for (let step = 0; step < 24; step += 1) {
        desk.time.now += 10_000;
        await ann.bff.getScan({ query });
      }
    });
  });
  const ann = desk.as('viewer', 'Ann', { upstream });
  expect(await untilEnd({ ann })).toMatchObject({ state: 'complete', found: 200 });
  const readOnce = read;
  expect((await ann.api.listSubscribers({ query })).data.totalCount).toBe(200);
  desk.time.now += 15 * minutes;
  expect(await untilEnd({ ann })).toMatchObject({ state: 'complete', found: 200 });
  expect(read).toBe(readOnce);
  desk.time.now += 10 * minutes;
  expect((await ann.bff.getScan({ query })).data.state).toBe('running');
});

test('a scan that two accounts wait for is ended by none of them alone', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const rows = Array.from({ length: 500 }, (_, index) => numbered(index + 1));
  const upstream = plainUpstream(rows, (url) => (/Page=[2-9]/.test(url) ? promise : undefined));
  const desk = await createTestDesk({ upstream, wait: () => delay(2) });
  const viewer = await desk.signIn('viewer');
  const support = await desk.signIn('support');
  for (const { bff } of [support, viewer]) await bff.getScan({ query });
  await expect(viewer.bff.stopScan({ query })).rejects.toMatchObject({ code: 'not-allowed' });
  await support.bff.stopScan({ query });
  expect((await support.bff.getScan({ query })).data.state).toBe('stopped');
  await support.bff.startScan({ query });
  await viewer.bff.getScan({ query });
  await expect(support.bff.stopScan({ query })).rejects.toMatchObject({ code: 'not-allowed' });
  resolve();
  expect(await untilEnd({ ann: viewer })).toMatchObject({ state: 'complete', found: 100 });
});

test('scans of one account give way to the scan of another, and nobody else’s', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const rows = Array.from({ length: 500 }, (_, index) => numbered(index + 1));
  const upstream = plainUpstream(rows, (url) => (/Page=[2-9]/.test(url) ? promise : undefined));
  const desk = await createTestDesk({ upstream, wait: () => delay(2) });
  const viewer = await desk.signIn('viewer');
  const support = await desk.signIn('support');
  const manager = await desk.signIn('manager');
  const scan = ({ bff }: typeof viewer, StatusIds: string) =>
    bff.getScan({ query: { IsTrial: true, StatusIds } }).then(
      ({ data }) => data.state,
      ({ code }: { code: string }) => code,
    );
  expect(await scan(viewer, '1,2')).toBe('running');
  expect(await scan(viewer, '1,3')).toBe('running');
  expect(await scan(viewer, '1,4')).toBe('busy');
  expect(await scan(support, '2,3')).toBe('running');
  expect(await scan(viewer, '1,2')).toBe('stopped');
  expect(await scan(viewer, '1,3')).toBe('running');
  expect(await scan(manager, '2,4')).toBe('busy');
  resolve();
});

test('a list, a job and an export of several statuses have the same subscribers where the service can filter by one alone', async () => {
  const people = Array.from({ length: 60 }, (_, index) => person(`p${10 + index}`));
  for (const extensions of [[], extensionNames]) {
    const desk = await createTestDesk({ people, upstream: { extensions }, wait: () => delay(2) });
    const statuses = (await desk.serviceDb()).updateTable('subscribers').set({ status_id: sql`1 + id % 3` });
    await statuses.execute();
    const manager = await desk.signIn('manager');
    const query = { StatusIds: '1,3', SortBy: 'username', PageSize: 200 } as const;
    const list = () => manager.api.listSubscribers({ query }).catch(() => undefined);
    await expect.poll(async () => (await list())?.data.totalCount).toBe(40);
    const listed = (await list())?.data.items ?? [];
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set([1, 3]));
    const job = await prepare(manager, { kind: 'delete', targets: { query: { StatusIds: '1,3' } } });
    expect(job).toMatchObject({ total: 40, preview: { statuses: { 1: 20, 3: 20 } } });
    const file = await manager.ask(
      'GET',
      '/bff/export?columns=id&format=jsonl&SortBy=username&StatusIds=1,3',
    );
    const lines = (await file.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(listed.map(({ id }) => id));
  }
});

describe('a filter on what a subscriber may use, with a service that has none', () => {
  const people = [
    {
      ...person('ann'),
      ipAddresses: ['192.0.2.0/24'],
      bundles: [3],
      countries: ['NO'],
      userAgents: ['VLC/3'],
    },
    { ...person('bob'), ipAddresses: ['198.51.100.1'], bundles: [4], countries: ['SE'], userAgents: ['TV'] },
  ];
  const open = async (extensions: (typeof extensionNames)[number][]) =>
    await (
      await createTestDesk({ people, upstream: { extensions }, wait: () => delay(2) })
    ).signIn('manager');
  const exported = (manager: Awaited<ReturnType<typeof open>>, filter: Record<string, string>) =>
    manager.ask('GET', `/bff/export?columns=username&format=jsonl&${new URLSearchParams(filter).toString()}`);

  const filters = [{ IpAddress: '192.0.2.7' }, { Bundle: 3 }, { Country: 'no' }, { UserAgent: 'vlc' }];
  it.each(
    filters.flatMap((filter) => [['include'] as const, extensionNames].map((has) => ({ filter, has }))),
  )(
    'finds the subscriber in a list without those lists, a job and an export: $filter of a service with $has',
    async ({ filter, has }) => {
      const manager = await open([...has]);
      const list = () => manager.api.listSubscribers({ query: filter }).catch(() => undefined);
      await expect
        .poll(async () => (await list())?.data.items.map(({ username }) => username))
        .toEqual(['ann']);
      const [listed] = (await list())?.data.items ?? [];
      expect(Object.keys(listed ?? {}).filter((name) => listNames.some((one) => one === name))).toEqual([]);
      const query = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
      const job = await prepare(manager, { kind: 'delete', targets: { query } });
      expect(job.preview?.statuses).toEqual({ 1: 1 });
      expect((await (await exported(manager, query)).text()).trim()).toBe('{"username":"ann"}');
    },
  );

  it.each([{ IpAddress: 'anna' }, { IpAddress: '192.0.2.0/33' }, { Country: '4x' }])(
    'refuses a value that nobody can have: %j',
    async (query) => {
      const manager = await open(['include']);
      const [field = ''] = Object.keys(query);
      await expect(manager.api.listSubscribers({ query })).rejects.toMatchObject({
        status: 422,
        fields: { [field]: [expect.stringContaining('Use ')] },
      });
      expect((await exported(manager, query)).status).toBe(422);
    },
  );

  it('says so where the service cannot answer what its subscribers may use', async () => {
    const manager = await open([]);
    const message = expect.stringContaining('lists nobody’s bundles');
    const refusal = { status: 502, code: 'bad-upstream', message };
    await expect(manager.api.listSubscribers({ query: { Bundle: 3 } })).rejects.toMatchObject(refusal);
    expect((await exported(manager, { Bundle: '3' })).status).toBe(502);
  });
});

test('a list that needs a scan takes no access token in its address, as no other list does', async () => {
  const people = [{ ...person('ann'), isTrial: true }];
  const desk = await createTestDesk({ people, upstream: { extensions: [] }, wait: () => delay(2) });
  const viewer = await desk.signIn('viewer');
  const token = desk.people[0]?.accessToken;
  const answer = await viewer.ask('GET', `/api/subscribers?IsTrial=true&AccessToken=${token}`);
  expect(answer.status).toBe(422);
});

test('a scan says whether subscribers were changed here since it began', async () => {
  const desk = await createTestDesk({ upstream: { extensions: [] }, wait: () => delay(2) });
  const manager = await desk.signIn('manager');
  const { username, email, expiresAt } = numbered(1);
  expect(await untilEnd({ ann: manager })).toMatchObject({ found: 0, isOutdated: false });
  await manager.api.createSubscriber({ body: { username, email, expiresAt, isTrial: true } });
  expect((await manager.bff.getScan({ query })).data).toMatchObject({ found: 0, isOutdated: true });
});

const usernames = ['b', 'Ørjan', 'A', '\u{1F600}', 'ørjan2', 'a', '\uFF21'];
const rows = usernames.map((username, index) => ({
  ...numbered(index + 1),
  username,
  expiresAt: index % 2 === 0 ? '2026-06-01T12:00:00.001Z' : '2026-06-01T12:00:00.000Z',
}));
const { add, pageOf } = createScannedRows();
add(rows.slice(0, 4));
pageOf({ SortBy: 'username' });
add(rows.slice(4));
const ids = (SortBy?: SortOrder) => pageOf({ ...(SortBy && { SortBy }) }).items.map(({ id }) => id);

describe('the order of scanned rows', () => {
  it.each([
    [undefined, [1, 2, 3, 4, 5, 6, 7]],
    ['username', [3, 6, 1, 2, 5, 7, 4]],
    ['username_desc', [4, 7, 5, 2, 1, 3, 6]],
    ['expiresAt', [2, 4, 6, 1, 3, 5, 7]],
    ['expiresAt_desc', [1, 3, 5, 7, 2, 4, 6]],
  ] as const)('is that of the service by %s, with ties by id', (order, expected) => {
    expect(ids(order)).toEqual(expected);
  });
});

test('pages of scanned rows are cut as the service does, and empty after the last', () => {
  const whole = { page: 2, pageSize: 3, totalCount: 7, totalPages: 3 };
  expect(pageOf({ Page: 2, PageSize: 3 })).toMatchObject(whole);
  expect(pageOf({ Page: 3, PageSize: 3 }).items.map(({ id }) => id)).toEqual([7]);
  expect(pageOf({ Page: 4, PageSize: 3 }).items).toEqual([]);
});
