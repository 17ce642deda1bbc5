import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import type { monitoringApi } from '../../../src/bff/health.ts';
import type { BffHandlers } from '../../../src/bff/router.ts';
import { addStaff } from '../../../src/bff/staff/store.ts';
import type { BffApi, proxiedApi } from '../../../src/contract/bff/api.ts';
import type { BffEndpoint } from '../../../src/contract/bff/permission.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, password } from '../../support/bff/browser.ts';
import { policy, sharedViewPolicy } from '../../support/bff/policy.ts';
import {
  backChannelRoutes,
  everyRoute,
  monitoringRoutes,
  navigationRoutes,
} from '../../support/bff/routes.ts';

let bff: TestDesk;

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
  // Nobody works on the jobs that are made.
  await bff.stop();
  await addStaff(bff.deps, { name: 'newcomer', role: 'manager', password, oneTime: true });
});

const routes = [...everyRoute, ...navigationRoutes, ...backChannelRoutes, ...monitoringRoutes];

test('every route of the BFF has a line in the policy, and every line a route', () => {
  const lines = policy.map(([route]) => route);
  expect(lines.toSorted()).toEqual(routes.map(({ method, template }) => `${method} ${template}`).toSorted());
});

const cases = policy.flatMap(([route, anonymous, newcomer, viewer, support, manager]) =>
  Object.entries({ anonymous, newcomer, viewer, support, manager }).map(
    ([account, outcome]) => [route, account, outcome] as const,
  ),
);

/** An export also reads the names of the statuses; the overview counts many lists. */
const manyCalls: Readonly<Record<string, number>> = { exportSubscribers: 3, getOverview: 54 };
const callsOf = ({ goesUpstream, name }: (typeof routes)[number]) =>
  manyCalls[name] ?? (goesUpstream ? 1 : 0);

describe('the policy', () => {
  test.each(cases)('%s by %s: %s', async (line, account, expected) => {
    const route = routes.find(({ method, template }) => line === `${method} ${template}`);
    if (!route) throw new Error(`There is no route ${line}.`);
    const headers = account === 'anonymous' ? {} : { Cookie: (await bff.signIn(account)).cookie() };
    const response = await bff.fetch(ask(route.method, route.path, { body: route.body, headers }));
    expect(response.ok ? 'ok' : await codeIn(response)).toBe(expected);
    expect(bff.upstream.calls).toHaveLength(response.ok ? callsOf(route) : 0);
    // What is refused does not even fetch a token.
    expect(response.ok || bff.upstream.tokenCalls.length === 0).toBe(true);
  });

  test('says to a role which roles may do what it may not', async () => {
    const headers = { Cookie: (await bff.signIn('viewer')).cookie() };
    const response = await bff.fetch(ask('DELETE', '/api/subscribers/7', { headers }));
    expect(await response.json()).toMatchObject({
      detail: 'Only managers can delete subscribers. Ask a manager.',
    });
  });

  test.each([
    ['viewer', 'subscribers:read'],
    ['support', 'subscribers:read subscribers:write'],
    ['manager', 'subscribers:read subscribers:write'],
  ])('asks the service for no more than a %s needs', async (role, scope) => {
    const headers = { Cookie: (await bff.signIn(role)).cookie() };
    await bff.fetch(ask('GET', '/api/subscribers', { headers }));
    const forms = bff.upstream.tokenCalls.map(({ body }) => new URLSearchParams(body).get('scope'));
    expect(forms).toEqual([scope]);
  });

  test('says the same about the role that an account has now', async () => {
    const headers = { Cookie: (await bff.signIn('manager')).cookie() };
    await bff.db.updateTable('staff').set({ role: 'viewer' }).where('name', '=', 'manager').execute();
    expect((await bff.fetch(ask('DELETE', '/api/subscribers/7', { headers }))).status).toBe(403);
  });
});

describe('the policy of shared views', () => {
  const lines = sharedViewPolicy.flatMap(([what, viewer, support, manager]) =>
    Object.entries({ viewer, support, manager }).map(
      ([account, outcome]) => [what, account, outcome] as const,
    ),
  );

  test.each(lines)('%s by %s: %s', async (what, account, expected) => {
    const [manager, user] = [await bff.signIn('manager'), await bff.signIn(account)];
    const body = { name: 'canary-shared', query: {}, shared: true };
    const { id }: { id: string } = await (await manager.ask('POST', '/bff/views', body)).json();
    const acts: Record<string, () => Promise<Response>> = {
      'see a shared view': () => user.ask('GET', '/bff/views'),
      'add a shared view': () => user.ask('POST', '/bff/views', { ...body, name: 'canary-another' }),
      'share an own view': () => user.ask('PUT', '/bff/views/7', { shared: true }),
      'rename a shared view': () => user.ask('PUT', `/bff/views/${id}`, { name: 'canary-renamed' }),
      'update a shared view': () => user.ask('PUT', `/bff/views/${id}`, { query: { Expired: 'true' } }),
      'move a shared view': () => user.ask('PUT', `/bff/views/${id}`, { place: 0 }),
      'stop sharing a view': () => user.ask('PUT', `/bff/views/${id}`, { shared: false }),
      'delete a shared view': () => user.ask('DELETE', `/bff/views/${id}`),
    };
    const response = await acts[what]?.();
    expect(response?.ok ? 'ok' : response && (await codeIn(response))).toBe(expected);
  });
});

test('a row without its access, and a row without a handler, do not compile', () => {
  expectTypeOf<BffApi['listStaff']>().toExtend<BffEndpoint>();
  expectTypeOf<Omit<BffApi['listStaff'], 'access'>>().not.toExtend<BffEndpoint>();
  expectTypeOf<Omit<(typeof proxiedApi)['listSubscribers'], 'access'>>().not.toExtend<BffEndpoint>();
  expectTypeOf<Omit<(typeof monitoringApi)['getMetrics'], 'access'>>().not.toExtend<
    Omit<BffEndpoint, 'answer'>
  >();
  expectTypeOf<Omit<BffHandlers, 'listStaff'>>().not.toExtend<BffHandlers>();
});

test('the handler of a public row is given no user', () => {
  expectTypeOf<Parameters<BffHandlers['signIn']>['length']>().toEqualTypeOf<2>();
  expectTypeOf<Parameters<BffHandlers['signOut']>['length']>().toEqualTypeOf<3>();
});
