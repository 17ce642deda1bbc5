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
import { namedBundles, otherRoot, speakDialect, type Habits } from '../../support/bff/speak-dialect.ts';
import { asUpstream } from '../../support/bff/upstream.ts';
import { anna, annaWhole } from '../../support/service/people.ts';
import { startService } from '../../support/service/harness.ts';

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
