import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, expectTypeOf, it, test } from 'vitest';
import type { monitoringApi } from '../../../src/bff/health.ts';
import type { BffHandlers } from '../../../src/bff/http/router.ts';
import { addStaff } from '../../../src/bff/staff/store.ts';
import type { BffApi, proxiedApi } from '../../../src/contract/bff/api.ts';
import type { BffEndpoint } from '../../../src/contract/bff/permission.ts';
import { codeIn, password, publicUrl } from '../../support/bff/browser.ts';
import { createPerson } from '../../support/bff/person.ts';
import { allRoutes, apiRoutes, type SampleRoute } from '../../support/bff/routes.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';

/** `ok`, or the code of the refusal, for: nobody signed in, a manager's one-time password, and each role. */
type PolicyLine = readonly [
  route: string,
  anonymous: string,
  oneTimePassword: string,
  viewer: string,
  support: string,
  manager: string,
];

const out = 'not-signed-in';
const change = 'password-change-needed';
const no = 'not-allowed';
const ok = 'ok';
/** Public, but there is nothing where single sign-on or metrics are not configured. */
const none = 'no-such-address';

/** The token of the sample is nobody's. */
const unknown = 'no-such-subscriber';
/** Nobody has a session with the ID of the sample. */
const noSession = 'no-such-session';

/** The address of the tests is a number, for which there are no passkeys, and the one of the sample is made up. */
const here = 'no-passkeys';
const wrong = 'wrong-passkey';
/** Nobody of the sample has a second factor. */
const noFactor = 'second-factor-needed';

/** For the provider's server, which signs what it sends; never for a browser, whoever is signed in there. */
const server = 'cross-site';

/**
 * Callers of each route, written by hand: nothing in this table is computed from the code that it tests. Each route of
 * the BFF has a line. They are asked for in this order, and what one does, the next ones find.
 */
const policy: readonly PolicyLine[] = [
  //                                            anonymous  one-time  viewer  support  manager
  ['POST /bff/session', ok, ok, ok, ok, ok],
  ['GET /bff/session/passkey', here, here, here, here, here],
  ['POST /bff/session/passkey', wrong, wrong, wrong, wrong, wrong],
  ['GET /bff/sign-in-ways', ok, ok, ok, ok, ok],
  ['GET /bff/oidc/start', none, none, none, none, none],
  ['GET /bff/oidc/callback', none, none, none, none, none],
  ['POST /bff/oidc/backchannel-logout', server, server, server, server, server],
  ['GET /healthz', ok, ok, ok, ok, ok],
  ['GET /readyz', ok, ok, ok, ok, ok],
  ['GET /metrics', none, none, none, none, none],

  ['GET /bff/session', out, ok, ok, ok, ok],
  ['DELETE /bff/session', out, ok, ok, ok, ok],
  ['GET /bff/sessions', out, change, ok, ok, ok],
  ['DELETE /bff/sessions', out, change, ok, ok, ok],
  ['DELETE /bff/sessions/{id}', out, change, noSession, noSession, noSession],

  ['GET /bff/second-factor', out, change, ok, ok, ok],
  ['POST /bff/second-factor/app', out, change, ok, ok, ok],
  ['PUT /bff/second-factor/app', out, change, 'invalid-input', 'invalid-input', 'invalid-input'],
  ['DELETE /bff/second-factor/app', out, change, noFactor, noFactor, noFactor],
  ['POST /bff/second-factor/recovery-codes', out, change, noFactor, noFactor, noFactor],
  ['POST /bff/passkey-options', out, change, here, here, here],
  ['POST /bff/passkeys', out, change, wrong, wrong, wrong],
  ['DELETE /bff/passkeys/{id}', out, change, 'no-such-passkey', 'no-such-passkey', 'no-such-passkey'],

  ['GET /bff/drafts/{id}', out, change, ok, ok, ok],
  ['PUT /bff/drafts/{id}', out, change, no, ok, ok],
  ['DELETE /bff/drafts/{id}', out, change, ok, ok, ok],
  ['GET /bff/subscribers/{id}/editors', out, change, ok, ok, ok],
  ['GET /bff/recent-subscribers', out, change, ok, ok, ok],
  ['PUT /bff/recent-subscribers/{id}', out, change, ok, ok, ok],
  ['GET /bff/views', out, change, ok, ok, ok],
  ['POST /bff/views', out, change, ok, ok, ok],
  ['PUT /bff/views/{id}', out, change, ok, ok, ok],
  ['DELETE /bff/views/{id}', out, change, ok, ok, ok],
  ['GET /bff/bundles', out, change, ok, ok, ok],
  ['PUT /bff/bundles', out, change, no, no, ok],
  ['GET /bff/messages', out, change, ok, ok, ok],
  ['POST /bff/messages', out, change, no, no, ok],
  ['PUT /bff/messages/{id}', out, change, no, no, ok],
  ['DELETE /bff/messages/{id}', out, change, no, no, ok],
  ['POST /bff/find-by-token', out, change, ok, ok, ok],
  ['POST /bff/find-previous-token', out, change, unknown, unknown, unknown],
  ['POST /bff/subscribers/{id}/reveal-token', out, change, no, ok, ok],

  ['GET /bff/staff', out, change, no, no, ok],
  ['POST /bff/staff', out, change, no, no, ok],
  ['PUT /bff/staff/{id}', out, change, no, no, ok],
  ['DELETE /bff/staff/{id}/sessions', out, change, no, no, ok],
  ['POST /bff/staff/{id}/one-time-password', out, change, no, no, ok],
  ['DELETE /bff/staff/{id}/second-factor', out, change, no, no, ok],

  ['GET /bff/overview', out, change, ok, ok, ok],
  ['GET /bff/overview/changes', out, change, ok, ok, ok],

  ['POST /bff/jobs', out, change, no, no, ok],
  ['POST /bff/imports', out, change, no, no, ok],
  ['PUT /bff/imports/{id}/text', out, change, no, no, 'no-such-job'],
  ['POST /bff/imports/{id}/job', out, change, no, no, 'no-such-job'],
  ['GET /bff/jobs', out, change, no, no, ok],
  ['GET /bff/jobs/{id}', out, change, no, no, ok],
  ['GET /bff/jobs/{id}/rows', out, change, no, no, ok],
  ['POST /bff/jobs/{id}/leave-out', out, change, no, no, ok],
  ['POST /bff/jobs/{id}/anyway', out, change, no, no, 'wrong-job-state'],
  ['POST /bff/jobs/{id}/pause', out, change, no, no, 'wrong-job-state'],
  ['POST /bff/jobs/{id}/retry', out, change, no, no, 'wrong-job-state'],
  ['POST /bff/jobs/{id}/undo', out, change, no, no, 'cannot-undo'],
  ['POST /bff/jobs/{id}/start', out, change, no, no, ok],
  ['POST /bff/jobs/{id}/stop', out, change, no, no, ok],

  ['GET /bff/export', out, change, no, no, ok],

  ['GET /bff/activity', out, change, ok, ok, ok],
  ['GET /bff/activity/totals', out, change, no, no, ok],
  ['GET /bff/activity/export', out, change, ok, ok, ok],
  ['GET /bff/jobs/{id}/rows/export', out, change, no, no, ok],
  ['GET /bff/scan', out, change, ok, ok, ok],
  ['POST /bff/scan', out, change, ok, ok, ok],
  ['DELETE /bff/scan', out, change, ok, ok, ok],
  ['POST /bff/activity/{id}/undo', out, change, no, ok, ok],

  ['GET /api/subscribers', out, change, ok, ok, ok],
  ['GET /api/subscribers/{id}', out, change, ok, ok, ok],
  ['POST /api/subscribers', out, change, no, ok, ok],
  ['PUT /api/subscribers/{id}', out, change, no, ok, ok],
  ['DELETE /api/subscribers/{id}', out, change, no, no, ok],
  ['POST /api/subscribers/{id}/regenerate-token', out, change, no, ok, ok],
  ['GET /api/subscriber-statuses', out, change, ok, ok, ok],

  // The last one: it changes the password with which each of them signs in.
  ['PUT /bff/password', out, ok, ok, ok, ok],
];

/** `ok` or the code of the refusal, where the row of the table is open to all and the view decides; by hand as well. */
const sharedViewPolicy: readonly (readonly [
  what: string,
  viewer: string,
  support: string,
  manager: string,
])[] = [
  //                               viewer  support  manager
  ['see a shared view', ok, ok, ok],
  ['add a shared view', no, no, ok],
  ['share an own view', no, no, ok],
  ['rename a shared view', no, no, ok],
  ['update a shared view', no, no, ok],
  ['move a shared view', no, no, ok],
  ['stop sharing a view', no, no, ok],
  ['delete a shared view', no, no, ok],
];

test('every route of the BFF has a line in the policy, and every line a route', () => {
  const lines = policy.map(([line]) => line);
  expect(lines.toSorted()).toEqual(allRoutes.map(({ line }) => line).toSorted());
});

/** The column of an account, by the lines of these routes. */
function columnOf(account: (typeof accounts)[number], routes = allRoutes): Record<string, string> {
  const lines = new Map(
    policy.map(([line, ...outcomes]) => [line, outcomes[accounts.indexOf(account)] ?? '']),
  );
  return Object.fromEntries(routes.map(({ line }) => [line, lines.get(line) ?? '']));
}

const roles = ['viewer', 'support', 'manager'] as const;
const accounts = ['anonymous', 'newcomer', ...roles] as const;

async function answerOf(response: Response): Promise<string> {
  if (!response.ok) return codeIn(response);
  // An account exports one file at a time.
  await response.body?.cancel();
  return ok;
}

/** Somebody who has just come. */
async function enter(bff: TestDesk, account: (typeof accounts)[number]) {
  if (account === 'anonymous') return createPerson(bff.fetch, publicUrl);
  if (account !== 'newcomer') return bff.signIn(account);
  const name = `newcomer of ${bff.time.now}`;
  await addStaff(bff.deps, { name, role: 'manager', password, oneTime: true });
  return bff.signIn(name);
}

/** An export also reads the names of the statuses; a first draft whether its subscriber exists. */
const manyCalls: Readonly<Record<string, number>> = { exportSubscribers: 3, getOverview: 1, keepDraft: 1 };
const callsOf = ({ goesUpstream, name }: SampleRoute) => manyCalls[name] ?? (goesUpstream ? 1 : 0);

describe('the policy', () => {
  it.each(accounts)('holds for each route and this account: %s', async (account) => {
    const bff = await createTestDesk({ service: 'canned', wait: (ms) => delay(ms) });
    // Nobody works on the jobs that are made.
    await bff.stop();
    const answers: Record<string, string> = {};
    const [calls, expected]: Record<string, number>[] = [{}, {}];
    for (const [line] of policy) {
      const route = allRoutes.find((one) => one.line === line);
      if (!route || !calls || !expected) throw new Error(`There is no route ${line}.`);
      // By then, the service's token is old.
      bff.time.now += 60 * 60_000;
      bff.upstream.calls.length = 0;
      bff.upstream.tokenCalls.length = 0;
      const person = await enter(bff, account);
      const response = await person.ask(route.method, route.path, route.body);
      answers[line] = await answerOf(response);
      // What is refused does not even fetch a token.
      calls[line] = bff.upstream.calls.length + (response.ok ? 0 : bff.upstream.tokenCalls.length);
      expected[line] = response.ok ? callsOf(route) : 0;
    }
    expect(answers).toEqual(columnOf(account));
    expect(calls).toEqual(expected);
  });

  it.each(roles)('holds in a tab for the role %s', async (role) => {
    const transport = { kind: 'tab', staff: { name: 'Ann', role } } as const;
    const tab = createPerson((await createTestDesk({ service: 'canned', transport })).fetch, publicUrl);
    const answers: Record<string, string> = {};
    for (const { line, method, path, body } of apiRoutes)
      answers[line] = await answerOf(await tab.ask(method, path, body));
    expect(answers).toEqual(columnOf(role, apiRoutes));
  });

  it('has the service asked for no more than a role needs', async () => {
    const bff = await createTestDesk({ service: 'canned' });
    for (const role of roles) await bff.as(role).ask('GET', '/api/subscribers');
    const scopes = bff.upstream.tokenCalls.map(({ body }) => new URLSearchParams(body).get('scope'));
    const all = 'subscribers:read subscribers:write';
    expect(scopes).toEqual(['subscribers:read', all, all]);
  });
});

describe('the policy of shared views', () => {
  it.each(roles)('holds for the role %s', async (role) => {
    const bff = await createTestDesk({ service: 'canned' });
    const [manager, user] = [await bff.signIn('manager'), await bff.signIn(role)];
    const answers: Record<string, string> = {};
    for (const [what] of sharedViewPolicy) {
      const body = { name: what, query: {}, shared: true };
      const { data } = await manager.bff.addView({ body });
      const change = (changes: object, id = data.id) => user.ask('PUT', `/bff/views/${id}`, changes);
      const acts: Record<string, () => Promise<Response>> = {
        'see a shared view': () => user.ask('GET', '/bff/views'),
        'add a shared view': () => user.ask('POST', '/bff/views', { ...body, name: 'another' }),
        'share an own view': () => change({ shared: true }, '7'),
        'rename a shared view': () => change({ name: 'renamed' }),
        'update a shared view': () => change({ query: { Expired: 'true' } }),
        'move a shared view': () => change({ place: 0 }),
        'stop sharing a view': () => change({ shared: false }),
        'delete a shared view': () => user.ask('DELETE', `/bff/views/${data.id}`),
      };
      const response = await acts[what]?.();
      answers[what] = response ? await answerOf(response) : 'nothing';
    }
    const column = sharedViewPolicy.map(([what, ...outcomes]) => [what, outcomes[roles.indexOf(role)]]);
    expect(answers).toEqual(Object.fromEntries(column));
  });
});

test('a row without its access, and one without a handler, do not compile', () => {
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
