import { describe, expect, it } from 'vitest';
import type { Upstream } from '../../../src/bff/http/bff.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import { ask as browserRequest } from '../../support/bff/browser.ts';
import { importText } from '../../support/bff/import-file.ts';
import { untilJob } from '../../support/bff/jobs.ts';
import { createOtherService, otherUpstream, strictly } from '../../support/bff/other-service.ts';
import { createTestDesk } from '../../support/desk.ts';
import {
  createRestService,
  restBundles,
  restUpstream,
  type RestHabits,
} from '../../support/bff/rest-service.ts';

/** A manager whose BFF uses the service, which takes `include` as the dialect says. */
async function openRest(
  include: RestHabits['include'] = 'repeat',
  change: object = {},
  habits: Partial<RestHabits> = {},
  spoil: (request: Request) => Response | null = () => null,
) {
  const service = createRestService({ count: 250 }, { include, ...habits });
  const fetch = async (request: Request) => spoil(request) ?? service.fetch(request);
  return openManager(service, restUpstream(fetch, { include, ...change }));
}

function openStrict() {
  const filled = { count: 250, now: () => Date.parse('2026-01-01T00:00:00Z') };
  const { customers: rows, fetch } = createOtherService(filled, { strict: true });
  return openManager({ rows }, otherUpstream(fetch, strictly));
}

async function openManager<Row>(service: { rows: Map<number, Row> }, upstream: Upstream) {
  const { as, logs } = await createTestDesk({ staff: {} });
  const { api, bff, fetch: ask } = as('manager', 'Ann', { upstream });
  return { rows: service.rows, api, bff, ask, logs };
}

const include = [...listNames];
const noLists = { bundles: [], ipAddresses: [], userAgents: [], countries: [] };
const input = {
  username: 'asa',
  email: 'asa@example.net',
  expiresAt: '2027-06-30T21:59:59.000Z',
  maxConnections: 3,
  isTrial: true,
  note: 'Called.',
  hls: true,
  mpegTs: true,
  bundles: [12, 40],
  ipAddresses: ['192.0.2.0/24'],
  userAgents: ['VLC'],
  countries: ['NO'],
};

describe('a service that follows the seed in its own way', () => {
  it.each([
    ['rest', () => openRest()],
    ['strict', openStrict],
  ])(
    'has every subscriber on one page, in each size and order, and once in an export: %s',
    async (_, open) => {
      const { api, ask, rows } = await open();
      const all = [...rows.values()]
        .toSorted((a, b) => (a.username < b.username ? -1 : 1))
        .map(({ id }) => id);
      for (const PageSize of [25, 150, 200])
        for (const SortBy of ['username', 'username_desc'] as const) {
          const ids: number[] = [];
          for (let Page = 1; Page <= Math.ceil(250 / PageSize); Page++) {
            const { items, totalCount, pageSize } = (
              await api.listSubscribers({ query: { Page, PageSize, SortBy } })
            ).data;
            expect([totalCount, pageSize]).toEqual([250, PageSize]);
            ids.push(...items.map(({ id }) => id));
          }
          expect(ids).toEqual(SortBy === 'username' ? all : all.toReversed());
        }
      const csv = await (await ask(browserRequest('GET', '/bff/export?format=csv'))).text();
      expect(new Set(csv.trim().split('\n')).size).toBe(251);
    },
  );

  it('has null, digits, 0 and times without a zone read as what they mean', async () => {
    const { api } = await openRest();
    const { data } = await api.getSubscriber({ params: { id: 7 }, query: { include } });
    expect(data).toMatchObject({ note: '', email: '', maxConnections: 2, isTrial: false, ...noLists });
    expect(data.expiresAt).toBe('2027-01-01T00:00:00.000Z');
    const inUtc = await openRest('repeat', { timeZone: undefined });
    const read = await inUtc.api.getSubscriber({ params: { id: 7 }, query: {} });
    expect(read.data.expiresAt).toBe('2027-01-01T01:00:00.000Z');
    expect((await api.listStatuses({})).data).toContainEqual({ id: 2, name: 'On hold' });
  });

  it.each([
    [null, ''],
    ['soon', ''],
    ['0000-00-00', ''],
    ['0000-00-00T00:00:00Z', ''],
    ['01/02/2027', ''],
    ['2027-02-30 12:00:00', ''],
    ['2027-02-29T12:00:00Z', ''],
    ['2027-04-31T12:00:00.000Z', ''],
    ['2027-12-31T12:00:00.000Z', '2027-12-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.000000Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-01 02:00:00+02', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T02:30:00+0230', '2027-01-01T00:00:00.000Z'],
  ])(
    'has an expiry of %j answered as "%s", on a page that is as readable as ever',
    async (there, expiresAt) => {
      const { api, bff, rows } = await openRest();
      Object.assign(rows.get(7) ?? {}, { expiresAt: there });
      const { items } = (await api.listSubscribers({ query: { PageSize: 50 } })).data;
      expect([items.length, items[6]?.expiresAt]).toEqual([50, expiresAt]);
      // Other fields can be changed, it can be replaced, and what could not be read is never written.
      const params = { id: 7 };
      const { etag } = await api.getSubscriber({ params, query: {} });
      await api.updateSubscriber(
        { params, body: { note: 'Moved.' } },
        { headers: { 'If-Match': etag ?? '' } },
      );
      expect(rows.get(7)).toMatchObject({ note: 'Moved.', email: null });
      await api.updateSubscriber({ params, body: { expiresAt: '2028-01-01T00:00:00.000Z' } });
      const [entry] = (await bff.listActivity({ query: { subscriberId: 7 } })).data.items;
      const undoing = bff.undoChange({ params: { id: entry?.id ?? '' } });
      const undone = await undoing.then(
        () => null,
        ({ code }) => code,
      );
      const now = (await api.getSubscriber({ params, query: {} })).data.expiresAt;
      const stored = [expiresAt, null];
      expect([now, undone]).toEqual(expiresAt === '' ? ['2028-01-01T00:00:00.000Z', 'cannot-undo'] : stored);
    },
  );

  it.each(['0000-00-00', 'soon'])(
    'has nobody whose expiry can’t be read in a range of expiries, or counted as able to watch: %s',
    async (expiresAt) => {
      const { api, bff, rows } = await openRest();
      for (const id of [3, 4, 249]) Object.assign(rows.get(id) ?? {}, { expiresAt });
      for (const id of [5, 6]) Object.assign(rows.get(id) ?? {}, { expiresAt: '2026-01-01 00:00:00' });
      const idsOf = async (range: object) => {
        const query = { ...range, SortBy: 'expiresAt', PageSize: 200 } as const;
        const { items, totalCount } = (await api.listSubscribers({ query })).data;
        return [totalCount, items.length, items[0]?.id];
      };
      const middle = '2026-06-01T00:00:00.000Z';
      expect(await idsOf({ ExpiresTo: middle })).toEqual([2, 2, 5]);
      expect(await idsOf({ ExpiresFrom: middle })).toEqual([245, 200, 1]);
      const overview = async () => (await bff.getOverview({})).data.numbers;
      await expect.poll(overview).toMatchObject({ total: 250, canWatch: 245, expiredPaid: 2 });
    },
  );

  it.each([
    [
      'in an envelope',
      (items: unknown) => ({ items, totalCount: 0 }),
      { items: '/items', total: '/totalCount' },
    ],
    ['alone', (items: unknown) => items, undefined],
  ])('has null read as a list of nobody: %s', async (_, write, list) => {
    const { api } = await openRest('repeat', list && { list }, {}, ({ url }) =>
      new URL(url).pathname === '/subscribers'
        ? Response.json(write(null), { headers: { 'X-Total-Count': '0' } })
        : null,
    );
    const { data } = await api.listSubscribers({ query: { Username: 'nobody' } });
    expect(data).toMatchObject({ items: [], totalCount: 0 });
  });

  it('has the numbers of statuses that it knows by names from the dialect', async () => {
    const statuses = { items: '/data', name: '', ids: { Active: 1, 'On hold': 2 } };
    const { api, rows } = await openRest('repeat', { statuses }, { statuses: 'words' });
    Object.assign(rows.get(8) ?? {}, { status: 2 });
    expect((await api.listStatuses({})).data).toEqual([
      { id: 1, name: 'Active' },
      { id: 2, name: 'On hold' },
    ]);
    const { items } = (await api.listSubscribers({ query: { Page: 1, PageSize: 25 } })).data;
    expect(items.slice(6, 8).map(({ status }) => status)).toEqual([1, 2]);
  });

  it.each([
    ['Aktiv', { items: '/data', name: '/label', active: 'Aktiv' }],
    ['ACTIVE', { items: '/data', name: '/label' }],
  ])('has the status that stops nobody called Active: %s', async (label, statuses) => {
    const { api } = await openRest('repeat', { statuses }, {}, ({ url }) =>
      url.endsWith('/subscriber-statuses')
        ? Response.json({
            data: [
              { id: 1, label },
              { id: 2, label: 'Gesperrt' },
            ],
          })
        : null,
    );
    expect((await api.listStatuses({})).data).toEqual([
      { id: 1, name: 'Active' },
      { id: 2, name: 'Gesperrt' },
    ]);
  });

  it('has a change that it made answered as made, also where the read after it comes to a server that lags', async () => {
    let lags = false;
    const { api } = await openRest('repeat', {}, { changes: 'location' }, ({ method }) => {
      const isLate = lags && method === 'GET';
      lags = method === 'PUT';
      return isLate ? Response.json({ message: 'Not Found' }, { status: 404 }) : null;
    });
    const { data } = await api.updateSubscriber({ params: { id: 7 }, body: { note: 'Moved.' } });
    expect(data.note).toBe('Moved.');
  });

  it('gets a deleted subscriber back who has no email address, as some have there', async () => {
    const { api, bff, rows } = await openRest('repeat');
    const { entry } = await api.deleteSubscriber({ params: { id: 7 } });
    const { data } = await bff.undoChange({ params: { id: entry ?? '' } });
    expect(data).toMatchObject({ username: 'user7', email: '' });
    expect(rows.get(data.id)).toMatchObject({ username: 'user7', email: null });
  });

  it('has its bundles read where the dialect says where it names them, and nobody else names them', async () => {
    const { api, bff, ask } = await openRest('repeat', { bundles: restBundles });
    const named = [
      { number: 3, name: 'Sports', isSold: true },
      { number: 6, name: 'Movies', isSold: true },
    ];
    expect((await bff.listBundles({})).data).toEqual({ bundles: named, version: 0, fromService: true });
    const saving = bff.saveBundles({ body: { bundles: named, version: 0 } });
    await expect(saving).rejects.toMatchObject({ code: 'not-allowed' });
    await api.updateSubscriber({ params: { id: 7 }, body: { bundles: [4, 6] } });
    const query = 'format=csv&lists=true&bundleNames=true';
    expect(await (await ask(browserRequest('GET', `/bff/export?${query}`))).text()).toContain('Movies');
  });

  it.each([{ items: '/rows' }, { path: '/nowhere' }])(
    'has its bundles answered by a failure, and not by no names, where they are not there: %o',
    async (wrong) => {
      const { bff } = await openRest('repeat', { bundles: { ...restBundles, ...wrong } });
      await expect(bff.listBundles({})).rejects.toMatchObject({ code: 'bad-upstream' });
    },
  );

  it('has the fields of its 400 named', async () => {
    const { api } = await openRest();
    const taken = api.createSubscriber({ body: { ...input, username: 'user7' } });
    await expect(taken).rejects.toMatchObject({
      code: 'invalid-input',
      fields: { username: ['Has been taken.'] },
    });
  });

  it.each([
    [{ errors: [{ field: 'username', message: 'Has been taken.' }] }, { username: ['Has been taken.'] }],
    [{ message: 'Conflict' }, {}],
  ])('has a 409 for a taken username read as input that it refuses: %o', async (body, fields) => {
    const { api } = await openRest('repeat', {}, {}, ({ method, url }) =>
      method === 'POST' && url.endsWith('/subscribers') ? Response.json(body, { status: 409 }) : null,
    );
    const taken = api.createSubscriber({ body: input });
    await expect(taken).rejects.toMatchObject({ status: 422, code: 'invalid-input', fields });
  });

  it('has no list taken for empty where the dialect does not say how lists are asked for', async () => {
    const { api, rows } = await openRest('repeat', { include: undefined });
    const update = api.updateSubscriber({ params: { id: 7 }, body: { note: 'x' } });
    await expect(update).rejects.toMatchObject({ code: 'bad-upstream' });
    expect(rows.get(7)?.['note']).toBe(null);
  });

  it('gets the limits of its counts with commas, however it takes include', async () => {
    let limits: string[] = [];
    const spoil = ({ url }: Request) => {
      if (!url.includes('/statistics')) return null;
      limits = new URL(url).searchParams.getAll('Limits');
      return new Response(null, { status: 404 });
    };
    const { bff } = await openRest('repeat', { extensions: ['getStatistics'] }, {}, spoil);
    await bff.getOverview({}).catch(() => null);
    expect(limits).toEqual([expect.stringContaining(',')]);
  });
});

describe('an import where the service names the bundles', () => {
  const file = 'username,bundles\nuser7,Movies\n';
  const plan = { mode: 'upsert', columns: ['username', 'bundles'] } as const;
  async function importWith(answer: () => Response | null) {
    const spoil = ({ url }: Request) => (url.endsWith('/packages') ? answer() : null);
    const { bff } = await openRest('repeat', { bundles: restBundles }, {}, spoil);
    const { id } = await importText({ bff }, file, { ...plan, columns: [...plan.columns] });
    return untilJob({ bff }, id, 'ready', 'stopped');
  }

  it('waits for their names while the service is down', async () => {
    let remaining = 20;
    const job = await importWith(() => ((remaining -= 1) > 0 ? new Response(null, { status: 503 }) : null));
    expect(job).toMatchObject({ state: 'ready', pause: null, counts: { change: 1 } });
  });

  it('ends with a sentence where they can never be read', async () => {
    const job = await importWith(() => new Response(null, { status: 500 }));
    expect(job).toMatchObject({ state: 'stopped', problem: expect.stringContaining('unexpected answer') });
  });
});
