import { expect, test } from 'vitest';
import type { CallContext } from '../../../src/bff/upstream/call.ts';
import { createCaller } from '../../../src/bff/upstream/caller.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { Problem } from '../../../src/contract/http/problem.ts';
import { extensionNames } from '../../../src/contract/service/list-rules.ts';
import { api, type OperationName } from '../../../src/contract/service/api.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { createDefaults } from '../../../src/contract/service/subscriber-input.ts';
import { asUpstream } from '../../support/bff/upstream.ts';
import { anna, annaWhole } from '../../support/service/people.ts';
import { startService } from '../../support/service/harness.ts';

/** The path of every operation but the token's, where the dialect has others. */
const otherRoot = '/v9';

const otherPaths = Object.fromEntries(
  (Object.keys(api) as OperationName[])
    .filter((name) => name !== 'issueToken')
    .map((name) => [name, { path: `${otherRoot}${api[name].path}` }]),
);

/** Differences that a service may have, each apart from the rest. */
const dimensions = {
  operations: [{}, otherPaths],
  record: ['', '/data', '/data/subscriber'],
  list: [
    { items: '/items', total: '/totalCount' },
    { items: '', total: 'header:Content-Range' },
    { items: '/rows', total: '/meta/total' },
  ],
  statuses: [
    { items: '', name: '/name' },
    { items: '/data', id: '/Code', name: '/Label' },
    { items: '', name: '', ids: { Active: 1, Suspended: 2, Blocked: 3 } },
  ],
  bundles: [
    undefined,
    { path: '/packages' },
    { path: '/v9/packs', items: '/data/all', number: '/code', name: '/title' },
  ],
  errors: [{ fields: '/errors' }, { fields: '/fault/by', names: 'PascalCase' }],
  extensions: [[], ['ExpiresFrom', 'ExpiresTo'], extensionNames],
  include: [undefined, 'comma', 'repeat', 'single'],
  maxPageSize: [undefined, 1, 2, 100],
  timeZone: [undefined, 'UTC', 'Europe/Oslo', 'America/Caracas'],
  token: [undefined, { credentials: 'basic', scopes: 'commas' }, { audience: 'desk' }],
  omittedFieldsAreReset: [false, true],
  missingIs422: [false, true],
} as const;
const habitDimensions = {
  values: ['exact', 'loose'],
  changes: ['whole', 'fields', 'nothing'],
  versions: [true, false],
} as const;

function choose(seed: number) {
  const random = createSeededRandom(seed);
  const pick = (table: Readonly<Record<string, readonly unknown[]>>) =>
    Object.fromEntries(
      Object.entries(table).map(([name, values]) => [name, values[Number(random.one(Object.keys(values)))]]),
    );
  return { dialect: pick(dimensions), habits: pick(habitDimensions) as unknown as Habits };
}

/** A client's view of the service: every operation, and what each refusal names. Ids and tokens are not compared. */
async function see(upstream: Parameters<typeof createCaller>[0]['upstream']): Promise<unknown[]> {
  const random = createSeededRandom(9).bytes;
  const log = () => undefined;
  const caller = createCaller({ upstream, random, log, clock: Date.now, journalKey: 'A'.repeat(43) });
  const context: CallContext = { role: 'manager', requestId: 'r' };
  const seen: unknown[] = [];
  const call: typeof caller.call = async (operation, input, more) => {
    try {
      const reply = await caller.call(operation, input, { ...context, ...more });
      seen.push([operation, reply.data]);
      return reply;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      seen.push([operation, error.code, error.particulars.errors ?? null]);
      return { data: {}, etag: null } as never;
    }
  };
  const query = { include: [...listNames] };
  const { data: made } = await call('createSubscriber', { body: annaWhole }, context);
  await call('createSubscriber', { body: annaWhole }, context);
  const plain = { ...annaWhole, ...anna, username: 'bjarne', bundles: [], countries: [] };
  const { data: second } = await call('createSubscriber', { body: { ...plain, note: '' } }, context);
  const params = { id: made.id };
  for (const include of [[], [...listNames], ['countries', 'bundles'] as const])
    await call('getSubscriber', { params, query: { include: [...include] } }, context);
  for (const PageSize of [1, 2, 200])
    for (const Page of [1, 2])
      await call('listSubscribers', { query: { Page, PageSize, SortBy: 'username_desc' } }, context);
  for (const ExpiresTo of ['2026-06-01T00:00:00.000Z', '2028-01-01T00:00:00.000Z'])
    await call('listSubscribers', { query: { ExpiresFrom: '2026-01-01T00:00:00.000Z', ExpiresTo } }, context);
  const before = SubscriberDetail.parse(
    (await caller.call('getSubscriber', { params, query }, context)).data,
  );
  await call('updateSubscriber', { params, body: { note: 'Moved.', countries: [] } }, { ...context, before });
  await call('updateSubscriber', { params, body: { maxConnections: 5000 } }, context);
  await call('regenerateToken', { params }, { ...context, before });
  const { data } = await caller.call('getSubscriber', { params, query }, context);
  await call('getSubscriberByToken', { params: { accessToken: data.accessToken }, query }, context);
  await call('getSubscriberByToken', { params: { accessToken: before.accessToken }, query }, context);
  await call('listStatuses', {}, context);
  // The contract has no list of bundles, so what it would say stands in for it.
  seen.push(['listBundles', await (caller.listBundles?.(context) ?? namedBundles)]);
  const nobody = { id: 2 ** 31 - 1 };
  await call('getSubscriber', { params: nobody, query }, context);
  await call('updateSubscriber', { params: nobody, body: annaWhole }, context);
  for (const { id } of [made, second]) {
    const whole = (await caller.call('getSubscriber', { params: { id }, query }, context)).data;
    await call('deleteSubscriber', { params: { id } }, { ...context, before: SubscriberDetail.parse(whole) });
  }
  const ids = new Map([made, second].map(({ id }, index) => [id, index]));
  const hide = (_: string, value: unknown) => {
    const { id, accessToken } = Object(value) as { id: number; accessToken?: string };
    return accessToken === undefined ? value : { ...Object(value), id: ids.get(id), accessToken: undefined };
  };
  return JSON.parse(JSON.stringify(seen, hide)) as unknown[];
}

test('a service is seen alike through any combination of a dialect’s settings', async () => {
  const service = await startService();
  const upstream = { ...asUpstream(service.fetch), extensions: [] };
  const expected = await see(upstream);
  for (let seed = 1; seed <= 60; seed++) {
    const { dialect, habits } = choose(seed);
    const spoken = Dialect.parse(dialect);
    const { exchange } = asUpstream(speakDialect(spoken, habits, service.fetch));
    const seen = await see({ ...upstream, exchange, dialect: spoken, extensions: spoken.extensions });
    expect(seen, JSON.stringify({ seed, dialect, habits })).toEqual(expected);
  }
});

type Fetch = (request: Request) => Promise<Response>;
type Values = Record<string, unknown>;

/** Habits of a service that need no word in its dialect. */
interface Habits {
  values: 'exact' | 'loose';
  changes: 'whole' | 'fields' | 'nothing';
  versions: boolean;
}

/** The bundles that it names where the dialect says where. */
const namedBundles = [
  { number: 3, name: 'Sports', isSold: true },
  { number: 12, name: 'Movies & more', isSold: true },
];

/** Our service as one that has a dialect: what comes in is put into the contract, and what goes out into the dialect. */
function speakDialect(dialect: Dialect, habits: Habits, fetch: Fetch): Fetch {
  return async (request) => {
    const url = new URL(request.url);
    if (url.pathname === '/oauth/token') return fetch(await tokenRequest(request, dialect));
    if (url.pathname === dialect.bundles?.path) return Response.json(bundlesIn(dialect.bundles, habits));
    url.pathname = url.pathname.replace(otherRoot, '');
    const requested = includedIn(url, dialect);
    const size = Number(url.searchParams.get('PageSize'));
    const { maxPageSize = size } = dialect;
    if (size > maxPageSize) url.searchParams.set('PageSize', String(maxPageSize));
    const text = await request.text();
    const isReset = dialect.omittedFieldsAreReset && request.method === 'PUT';
    const body = isReset
      ? JSON.stringify({ ...createDefaults, ...(JSON.parse(text) as Values) })
      : text || null;
    const { method, headers } = request;
    const answer = await fetch(new Request(url, { method, headers, body }));
    const written: unknown = await answer.json();
    if (!answer.ok) return refusal(answer.status, written, dialect);
    const kind = url.pathname.includes('statuses') ? 'statuses' : isList(written) ? 'list' : 'record';
    if (kind === 'statuses') return Response.json(statusesIn(written as Values[], dialect));
    const record = (row: Values) =>
      rowIn(row, { dialect, habits, asked: method === 'GET' ? requested : null });
    const versions = habits.versions ? { ETag: answer.headers.get('ETag') ?? '' } : undefined;
    if (kind === 'list') return listIn(written as { items: Values[]; totalCount: number }, record, dialect);
    if (method !== 'GET' && habits.changes === 'nothing') return new Response(null, silence(url, written));
    return Response.json(at(dialect.record, record(written as Values)), versions && { headers: versions });
  };
}

const isList = (body: unknown) => Object.hasOwn(Object(body), 'items');

const silence = ({ pathname }: URL, written: unknown) =>
  pathname === '/subscribers'
    ? { status: 201, headers: { Location: `${pathname}/${Object(written).id}` } }
    : { status: 204 };

async function tokenRequest(request: Request, { token = {} }: Dialect): Promise<Request> {
  const form = new URLSearchParams(await request.text());
  if (token.scopes === 'commas') form.set('scope', form.get('scope')?.replaceAll(',', ' ') ?? '');
  if (token.credentials === 'basic') {
    const [id = '', secret = ''] = atob(request.headers.get('Authorization')?.slice(6) ?? '').split(':');
    form.set('client_id', decodeURIComponent(id));
    form.set('client_secret', decodeURIComponent(secret));
  }
  form.delete('audience');
  return new Request(request.url, { method: 'POST', body: form });
}

/** Takes `include` out of an address as such a service reads it, and puts it in as ours does. */
function includedIn({ searchParams }: URL, { include = 'comma' }: Dialect): string[] {
  const given = searchParams.getAll('include');
  const read = {
    comma: given.flatMap((names) => names.split(',')),
    repeat: given,
    single: given.slice(0, 1),
  };
  const names = read[include].filter((name) => listNames.some((list) => list === name));
  searchParams.delete('include');
  if (names.length > 0) searchParams.set('include', names.join(','));
  return names;
}

function rowIn(row: Values, given: { dialect: Dialect; habits: Habits; asked: string[] | null }): Values {
  const { dialect, habits, asked } = given;
  const fields = Object.entries(row).filter(([, value]) => {
    if (!Array.isArray(value)) return true;
    if (asked === null) return habits.changes === 'whole';
    return dialect.include === undefined || value.length > 0;
  });
  const loosen = ([name, value]: [string, unknown]): [string, unknown] => {
    const { timeZone } = dialect;
    if (name === 'expiresAt' && timeZone)
      return [name, new Date(String(value)).toLocaleString('sv-SE', { timeZone })];
    if (name === 'status' && dialect.statuses.ids) return [name, words[Number(value)]];
    if (habits.values === 'exact') return [name, value];
    if (name === 'status') return [name, { id: value, label: words[Number(value)] }];
    if (typeof value === 'number') return [name, String(value)];
    if (typeof value === 'boolean') return [name, value ? 1 : 0];
    return [name, value === '' ? null : value];
  };
  return Object.fromEntries(fields.map(loosen));
}

const words: Readonly<Record<number, string>> = { 1: 'Active', 2: 'Suspended', 3: 'Blocked' };

function statusesIn(rows: Values[], { statuses }: Dialect): unknown {
  const name = statuses.name.slice(1);
  const item = (row: Values) =>
    statuses.ids ? row['name'] : { [statuses.id.slice(1)]: row['id'], [name]: row['name'] };
  return at(statuses.items, rows.map(item));
}

function bundlesIn({ items, number, name }: NonNullable<Dialect['bundles']>, { values }: Habits): unknown {
  const written = namedBundles.map((one) => ({
    ...Object(at(number, values === 'loose' ? String(one.number) : one.number)),
    ...Object(at(name, one.name)),
  }));
  return at(items, written);
}

function listIn(
  { items, totalCount }: { items: Values[]; totalCount: number },
  record: (row: Values) => Values,
  { list }: Dialect,
): Response {
  const header = /^header:(.*)$/.exec(list.total)?.[1];
  const body = at(list.items, items.map(record));
  if (header !== undefined) return Response.json(body, { headers: { [header]: `items 0-1/${totalCount}` } });
  return Response.json({ ...Object(body), ...Object(at(list.total, totalCount)) });
}

function refusal(status: number, written: unknown, { errors, missingIs422 }: Dialect): Response {
  if (status === 404 && missingIs422) return Response.json({}, { status: 422 });
  const given = Object.entries((Object(written) as { errors?: Values }).errors ?? {});
  const named =
    errors.names === 'PascalCase' ? (name: string) => name[0]?.toUpperCase() + name.slice(1) : String;
  const fields = given.map(([name, sentences]) => [named(name), sentences]);
  return Response.json(at(errors.fields, Object.fromEntries(fields)), { status });
}

/** A value at a pointer of an object that has nothing else. */
const at = (pointer: string, value: unknown): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduceRight((inner, name) => ({ [name]: inner }), value);
