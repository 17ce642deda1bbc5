import { beforeAll, describe, expect, it } from 'vitest';
import { allowedTo } from '../../../src/contract/bff/permission.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, credentialsOf, outcomeOf } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';

/** A request as it comes from a page in a tab. */
const bare = { base: 'http://anywhere.test', headers: { 'Sec-Fetch-Site': null } };

describe('a BFF in a tab', () => {
  let bff: TestDesk;
  beforeAll(async () => {
    const transport = { kind: 'tab', staff: { name: 'Ann', role: 'support' } } as const;
    bff = await createTestDesk({ service: 'canned', transport });
  });

  it('has one user, who cannot sign out', async () => {
    const response = await bff.fetch(ask('GET', '/bff/session', bare));
    expect(await response.json()).toMatchObject({
      staff: { id: 'tab', name: 'Ann', role: 'support', singleSignOn: false },
      can: allowedTo('support'),
      canSignOut: false,
      canChangePassword: false,
      mustChangePassword: false,
      isProven: true,
      views: [],
    });
    const body = { name: 'Ann', password: 'x' };
    expect(await outcomeOf(bff.fetch(ask('POST', '/bff/session', { ...bare, body })))).toBe(
      '403 not-allowed',
    );
    expect(await outcomeOf(bff.fetch(ask('DELETE', '/bff/session', bare)))).toBe('403 not-allowed');
    expect(bff.passwords.verified).toBe(0);
  });

  it('asks for X-CSRF at every route', async () => {
    const answers: Record<string, string> = {};
    for (const { line, method, path, body } of everyRoute) {
      const headers = { ...bare.headers, 'X-CSRF': null };
      answers[line] = await outcomeOf(bff.fetch(ask(method, path, { ...bare, body, headers })));
    }
    expect(answers).toEqual(Object.fromEntries(everyRoute.map(({ line }) => [line, '403 cross-site'])));
    expect(bff.upstream.calls).toEqual([]);
  });
});

describe('a tab that keeps the session', () => {
  it('lets a user sign in and out as over HTTP', async () => {
    let stored: string | null = null;
    const keep = (id: string | null) => {
      stored = id;
      return '';
    };
    const cookie = { read: () => stored, set: keep, clear: () => keep(null) };
    const bff = await createTestDesk({ service: 'canned', transport: { kind: 'tab', cookie } });
    const statusOf = async (method: string, body?: unknown) =>
      (await bff.fetch(ask(method, '/bff/session', { ...bare, body }))).status;
    expect(await statusOf('GET')).toBe(401);
    expect(await statusOf('POST', { ...credentialsOf('support'), password: 'wrong' })).toBe(401);
    expect(stored).toBeNull();
    expect(await statusOf('POST', credentialsOf('support'))).toBe(200);
    expect(stored).toMatch(/^[\w-]{43}$/);
    expect(await statusOf('GET')).toBe(200);
    expect(await statusOf('DELETE')).toBe(204);
    expect([stored, await statusOf('GET')]).toEqual([null, 401]);
  });
});
