import { beforeEach, describe, expect, test } from 'vitest';
import { may, roles, whyNot } from '../../../src/contract/bff/permission.ts';
import { ask, codeIn, signIn } from '../../support/bff/browser.ts';
import { openStaffedDesk, type Desk } from '../../support/bff/desk.ts';
import { closedRoutes } from '../../support/bff/routes.ts';

let desk: Desk;

beforeEach(async () => {
  desk = await openStaffedDesk();
});

const visits = closedRoutes.flatMap((route) => roles.map((role) => ({ ...route, role })));

const isAllowed = ({ permission, role }: (typeof visits)[number]) =>
  permission === null || may(role, permission);

const refusals = visits.flatMap((visit) =>
  visit.permission === null || isAllowed(visit) ? [] : [{ ...visit, sentence: whyNot(visit.permission) }],
);

describe('whoever is not signed in', () => {
  test.each(closedRoutes)('is refused $name', async ({ method, path, body }) => {
    const response = await desk.fetch(ask(method, path, { body }));
    expect([response.status, await codeIn(response)]).toEqual([401, 'not-signed-in']);
    expect(desk.upstream.calls).toEqual([]);
  });
});

describe('the policy', () => {
  test.each(visits.filter(isAllowed))(
    'lets a $role do $name',
    async ({ role, method, path, body, goesUpstream }) => {
      const headers = { Cookie: await signIn(desk, role) };
      const response = await desk.fetch(ask(method, path, { body, headers }));
      expect(response.ok).toBe(true);
      expect(desk.upstream.calls).toHaveLength(goesUpstream ? 1 : 0);
    },
  );

  test.each(refusals)(
    'refuses a $role $name and says why',
    async ({ role, method, path, body, sentence }) => {
      const headers = { Cookie: await signIn(desk, role) };
      const response = await desk.fetch(ask(method, path, { body, headers }));
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ detail: sentence });
      expect([...desk.upstream.calls, ...desk.upstream.tokenCalls]).toEqual([]);
    },
  );

  test.each([
    ['viewer', 'read'],
    ['support', 'read write'],
    ['manager', 'read write'],
  ])('asks the service for no more than a %s needs', async (role, scope) => {
    const headers = { Cookie: await signIn(desk, role) };
    await desk.fetch(ask('GET', '/api/subscribers', { headers }));
    const forms = desk.upstream.tokenCalls.map(({ body }) => new URLSearchParams(body).get('scope'));
    expect(forms).toEqual([scope]);
  });

  test('says the same about the role that an account has now', async () => {
    const headers = { Cookie: await signIn(desk, 'manager') };
    await desk.db.updateTable('staff').set({ role: 'viewer' }).where('name', '=', 'manager').execute();
    expect((await desk.fetch(ask('DELETE', '/api/subscribers/7', { headers }))).status).toBe(403);
  });
});
