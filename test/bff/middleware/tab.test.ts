import { describe, expect, test } from 'vitest';
import { allowedTo, roles, type Role } from '../../../src/contract/bff/permission.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask, codeIn, credentialsOf } from '../../support/bff/browser.ts';
import { policy } from '../../support/bff/policy.ts';
import { apiRoutes, everyRoute } from '../../support/bff/routes.ts';

const openTab = (role: Role) =>
  createTestDesk({ service: 'canned', transport: { kind: 'tab', staff: { name: 'Ann', role } } });

/** A request as it comes from a page in a tab. */
const bare = { base: 'http://anywhere.test', headers: { 'Sec-Fetch-Site': null } };

describe('in a tab', () => {
  test('the user is fixed, and cannot sign out', async () => {
    const response = await (await openTab('support')).fetch(ask('GET', '/bff/session', bare));
    expect(await response.json()).toEqual({
      staff: { id: 'tab', name: 'Ann', role: 'support', singleSignOn: false },
      can: allowedTo('support'),
      extensions: ['IsTrial', 'AfterId', 'ExpiresFrom', 'ExpiresTo'],
      statusHelp: 'Status is set in the billing system.',
      trialDays: 7,
      canSignOut: false,
      canChangePassword: false,
      mustChangePassword: false,
      views: [],
    });
  });

  test.each(['POST', 'DELETE'])('%s of a session is not allowed', async (method) => {
    const bff = await openTab('manager');
    const body = method === 'POST' ? { name: 'Ann', password: 'x' } : undefined;
    const response = await bff.fetch(ask(method, '/bff/session', { ...bare, body }));
    expect([response.status, await codeIn(response)]).toEqual([403, 'not-allowed']);
    expect(bff.passwords.verified).toBe(0);
  });

  test.each(everyRoute)('$name still asks for X-CSRF', async ({ method, path, body }) => {
    const bff = await openTab('manager');
    const headers = { ...bare.headers, 'X-CSRF': null };
    const response = await bff.fetch(ask(method, path, { ...bare, body, headers }));
    expect([response.status, await codeIn(response)]).toEqual([403, 'cross-site']);
    expect(bff.upstream.calls).toEqual([]);
  });

  test.each(apiRoutes.flatMap((route) => roles.map((role) => ({ ...route, role }))))(
    'the policy holds for a $role and $name',
    async ({ role, method, path, template, body }) => {
      const response = await (await openTab(role)).fetch(ask(method, path, { ...bare, body }));
      const [, , , viewer, support, manager] =
        policy.find(([route]) => route === `${method} ${template}`) ?? [];
      expect(response.ok ? 'ok' : await codeIn(response)).toBe({ viewer, support, manager }[role]);
    },
  );
});

/** A BFF in a tab, with a store for the session's id instead of the browser's cookie. */
async function openKeepingTab() {
  let kept: string | null = null;
  const keep = (id: string | null) => {
    kept = id;
    return '';
  };
  const cookie = { read: () => kept, set: keep, clear: () => keep(null) };
  const bff = await createTestDesk({ service: 'canned', transport: { kind: 'tab', cookie } });
  const statusOf = async (method: string, body?: unknown) =>
    (await bff.fetch(ask(method, '/bff/session', { ...bare, body }))).status;
  return { bff, statusOf, kept: () => kept };
}

describe('in a tab that keeps the session', () => {
  test('a user signs in and out as over HTTP', async () => {
    const { statusOf, kept } = await openKeepingTab();
    expect(await statusOf('GET')).toBe(401);
    expect(await statusOf('POST', { ...credentialsOf('support'), password: 'wrong' })).toBe(401);
    expect(kept()).toBeNull();
    expect(await statusOf('POST', credentialsOf('support'))).toBe(200);
    expect(kept()).toMatch(/^[\w-]{43}$/);
    expect(await statusOf('GET')).toBe(200);
    expect(await statusOf('DELETE')).toBe(204);
    expect([kept(), await statusOf('GET')]).toEqual([null, 401]);
  });

  test('a session that has ended is refused, even while its id is still kept', async () => {
    const { bff, statusOf, kept } = await openKeepingTab();
    await statusOf('POST', credentialsOf('support'));
    await bff.db.deleteFrom('sessions').execute();
    expect(kept()).not.toBeNull();
    expect(await statusOf('GET')).toBe(401);
  });
});
