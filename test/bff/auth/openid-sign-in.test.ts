import { createSignInRecord } from '../../../src/bff/auth/sign-in-record.ts';
import { describe, expect, test } from 'vitest';
import { createStaffAccounts } from '../../../src/bff/staff/store.ts';
import { createSessions } from '../../../src/bff/middleware/session.ts';
import { ask, codeIn, publicUrl } from '../../support/bff/browser.ts';
import { wholeSubscriber } from '../../support/bff/canned.ts';
import { manage, statusOfSignIn } from '../../support/bff/person.ts';
import {
  openSingleSignOn,
  problemAt,
  signInByProvider,
  type SingleSignOnBff,
  openBrowser,
} from '../../support/bff/single-sign-on.ts';
import { recordEventOf, someone } from '../../support/bff/entries.ts';

const sessionOf = async ({ browser }: SingleSignOnBff) => (await browser.ask('GET', '/bff/session')).json();

describe('a user of single sign-on', () => {
  test('is signed in with the role of the claim, on the page they asked for', async () => {
    const bff = await openSingleSignOn();
    const there = await signInByProvider(bff.browser);
    expect(there.href).toBe(`${publicUrl}/subscribers?expired=true`);
    expect(await sessionOf(bff)).toMatchObject({
      staff: { name: 'canary-kari', role: 'viewer' },
      canSignOut: true,
      canChangePassword: false,
      mustChangePassword: false,
    });
  });

  test('is sent to the provider by code flow with PKCE, a state, a nonce and our exact callback', async () => {
    const bff = await openSingleSignOn();
    const { url } = await bff.browser.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl);
    const sent = Object.fromEntries(url.searchParams);
    expect(sent).toMatchObject({
      response_type: 'code',
      client_id: 'subscriber-desk',
      redirect_uri: `${publicUrl}/bff/oidc/callback`,
      code_challenge_method: 'S256',
    });
    const secrets = [sent['state'], sent['nonce'], sent['code_challenge']];
    expect(new Set(secrets).size).toBe(3);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    const again = await bff.browser.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl);
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(again.url.searchParams.get(name)).not.toBe(sent[name]);
  });

  test.each([
    [undefined, 'openid profile email'],
    ['openid groups', 'openid groups'],
  ])('is sent to the provider with the scope that is set (%j): %s', async (set, scope) => {
    const bff = await openSingleSignOn(set === undefined ? {} : { scope: set });
    const { url } = await bff.browser.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl);
    expect(url.searchParams.get('scope')).toBe(scope);
  });

  test('has one account after any number of sign-ins, with the current role', async () => {
    const bff = await openSingleSignOn();
    await signInByProvider(bff.browser);
    const [first] = await bff.accounts();
    bff.provider.people['sub-1'] = { preferred_username: 'another-name', roles: ['manager'] };
    await signInByProvider(openAnotherBrowser(bff));
    const accounts = await bff.accounts();
    expect(accounts).toMatchObject([
      { id: first?.id, name: 'canary-kari', role: 'manager', subject: 'sub-1', issuer: bff.provider.issuer },
    ]);
  });

  test('gets a name that is free, and never an account that exists', async () => {
    const bff = await openSingleSignOn({}, 'support');
    await bff.hire('manager', 'Canary-Kari');
    bff.provider.people['sub-2'] = { preferred_username: 'CANARY-KARI', roles: 'viewer' };
    await signInByProvider(bff.browser);
    await signInByProvider(openAnotherBrowser(bff), 'sub-2');
    const named = (await bff.accounts()).map(({ name, role, subject }) => [name, role, subject]);
    expect(named).toEqual([
      ['CANARY-KARI (3)', 'viewer', 'sub-2'],
      ['canary-kari (2)', 'support', 'sub-1'],
    ]);
  });

  test('is not the user with the same subject at another provider', async () => {
    const bff = await openSingleSignOn();
    await signInByProvider(bff.browser);
    await bff.db
      .updateTable('staff')
      .set({ issuer: 'https://id.example' })
      .where('subject', '=', 'sub-1')
      .execute();
    await signInByProvider(openAnotherBrowser(bff));
    expect((await bff.accounts()).map(({ issuer }) => issuer)).toEqual([
      'https://id.example',
      bff.provider.issuer,
    ]);
  });

  test('gets one account from three browsers at the same time', async () => {
    const bff = await openSingleSignOn();
    const others = [1, 2, 3].map(() => openAnotherBrowser(bff));
    const ends = await Promise.all(others.map((other) => signInByProvider(other)));
    expect(ends.map(({ pathname }) => pathname)).toEqual(Array.from({ length: 3 }, () => '/subscribers'));
    expect(await bff.accounts()).toHaveLength(1);
  });

  test('ends the session that the browser had before', async () => {
    const bff = await openSingleSignOn();
    const before = await manage(bff);
    await signInByProvider(bff.browser);
    const first = bff.browser.cookies();
    await signInByProvider(bff.browser);
    const again = await bff.fetch(ask('GET', '/bff/session', { headers: { Cookie: first } }));
    expect(again.status).toBe(401);
    expect((await before.ask('GET', '/bff/session')).status).toBe(200);
  });
});

describe('the role', () => {
  test.each([
    ['roles', { roles: ['viewer', 'support'] }, 'support'],
    ['roles', { roles: ['manager', 'offline_access', 'viewer'] }, 'manager'],
    ['roles', { roles: 'support' }, 'support'],
    ['realm_access.roles', { realm_access: { roles: ['support'] } }, 'support'],
  ])('is read from the claim %s of %j', async (roleClaim, claims, role) => {
    const bff = await openSingleSignOn({ roleClaim });
    bff.provider.people['sub-1'] = { name: 'Kari', ...claims };
    await signInByProvider(bff.browser);
    expect(await sessionOf(bff)).toMatchObject({ staff: { role } });
  });

  test('is read from the ID token if it is there, without a request for the user info', async () => {
    const bff = await openSingleSignOn({ claimsInIdToken: true });
    await signInByProvider(bff.browser);
    expect(await sessionOf(bff)).toMatchObject({ staff: { role: 'viewer' } });
    expect(bff.asked).not.toContain('/me');
  });

  test.each([null, [], ['Manager'], 'managers', ['admin'], { manager: true }, [['manager']], 7])(
    'that is %j lets nobody in, and creates no account',
    async (roles) => {
      const bff = await openSingleSignOn({}, roles);
      const there = await signInByProvider(bff.browser);
      expect(problemAt(there)).toBe('no-role');
      expect(there.searchParams.get('from')).toBe('/subscribers?expired=true');
      expect(await bff.accounts()).toEqual([]);
      expect((await bff.browser.ask('GET', '/bff/session')).status).toBe(401);
    },
  );

  describe('that was taken away at the provider', () => {
    const takeAway = async (roles: unknown = []) => {
      const bff = await openSingleSignOn({}, 'manager');
      await signInByProvider(bff.browser);
      bff.provider.people['sub-1'] = { preferred_username: 'canary-kari', roles };
      const other = openAnotherBrowser(bff);
      expect(problemAt(await signInByProvider(other))).toBe('no-role');
      return { ...bff, other };
    };

    test.each([[[]], ['nothing that we know'], [undefined]])(
      'ends the sessions of its owner, and shows an account without a role (%j)',
      async (roles) => {
        const bff = await takeAway(roles);
        for (const browser of [bff.browser, bff.other])
          expect((await browser.ask('GET', '/bff/session')).status).toBe(401);
        const manager = await manage(bff);
        expect(await manager.find('canary-kari')).toMatchObject({ role: null, disabled: false });
        expect(bff.logs).toContainEqual(
          expect.objectContaining({ level: 'warn', event: 'role-withdrawn', sessions: 1 }),
        );
      },
    );

    test('leaves the last manager with a password in place', async () => {
      const manager = await manage(await takeAway());
      expect(await codeIn(await manager.change('manager', { disabled: true }))).toBe('last-manager');
    });

    test('is given again by the provider alone; the sessions of before stay ended', async () => {
      const bff = await takeAway();
      const manager = await manage(bff);
      expect(await codeIn(await manager.change('canary-kari', { role: 'viewer' }))).toBe('decided-elsewhere');
      bff.provider.people['sub-1'] = { preferred_username: 'canary-kari', roles: 'support' };
      expect((await signInByProvider(bff.other)).pathname).toBe('/subscribers');
      expect(await (await bff.other.ask('GET', '/bff/session')).json()).toMatchObject({
        staff: { name: 'canary-kari', role: 'support' },
      });
      expect((await bff.browser.ask('GET', '/bff/session')).status).toBe(401);
      expect(await bff.accounts()).toHaveLength(1);
    });

    test('opens no session to a sign-in that is under way at another server', async () => {
      const bff = await openSingleSignOn();
      await signInByProvider(bff.browser);
      const [asLookedAt] = await bff.accounts();
      await bff.db
        .updateTable('staff')
        .set({ role: 'none' })
        .where('id', '=', asLookedAt?.id ?? '')
        .execute();
      const signIns = createSignInRecord({ ...bff.deps, recordEvent: recordEventOf(bff.deps) });
      const sessions = createSessions({ ...bff.deps, signIns });
      const signIn = { requestId: 'r', way: 'single-sign-on' } as const;
      const from = { request: ask('GET', '/bff/oidc/callback'), former: null };
      expect(asLookedAt && (await sessions.startFor(asLookedAt, from, signIn))).toBeNull();
    });
  });

  test('that changes at the provider ends the other sessions, and one that stays does not', async () => {
    const bff = await openSingleSignOn({}, 'viewer');
    const [first, second] = [openAnotherBrowser(bff), openAnotherBrowser(bff)];
    for (const browser of [bff.browser, first]) await signInByProvider(browser);
    expect((await bff.browser.ask('GET', '/bff/session')).status).toBe(200);
    bff.provider.people['sub-1'] = { preferred_username: 'canary-kari', roles: 'support' };
    await signInByProvider(second);
    const statuses = [bff.browser, first, second].map(
      async (browser) => (await browser.ask('GET', '/bff/session')).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
    expect(bff.logs).toContainEqual(expect.objectContaining({ event: 'role-changed', sessions: 2 }));
  });
});

describe('an account of single sign-on', () => {
  const openManaged = async (roles: unknown = 'manager') => {
    const bff = await openSingleSignOn({}, roles);
    await signInByProvider(bff.browser);
    return { ...bff, manager: await manage(bff) };
  };

  test('is listed as one', async () => {
    const { manager } = await openManaged();
    expect(await manager.find('canary-kari')).toMatchObject({ singleSignOn: true, role: 'manager' });
    expect(await manager.find('viewer')).toMatchObject({ singleSignOn: false });
  });

  test('is marked wherever it is named: in its session, in the journal, and in conflicts', async () => {
    const bff = await openManaged('support');
    expect(await sessionOf(bff)).toMatchObject({ staff: { name: 'canary-kari', singleSignOn: true } });
    const changed = { ...wholeSubscriber, note: 'by kari' };
    const answer = () => Response.json(changed, { headers: { ETag: '"v2"' } });
    bff.upstream.operation = answer;
    expect((await bff.browser.ask('PUT', '/api/subscribers/7', { note: changed.note })).status).toBe(200);
    bff.upstream.lookup = answer;
    const marked = { name: 'canary-kari', singleSignOn: true };

    const { items } = await (await bff.manager.ask('GET', '/bff/activity?kind=change')).json();
    expect(items).toMatchObject([{ staff: marked }, { staff: { name: 'colleague', singleSignOn: false } }]);
    const staff = await (await bff.manager.ask('GET', '/bff/activity?kind=staff')).json();
    expect(staff.items).toMatchObject([{ staff: marked, account: marked }]);
    const undone = await bff.manager.ask('POST', '/bff/activity/7/undo');
    expect(await undone.json()).toMatchObject({ conflicts: [{ field: 'note', by: marked }] });
    const headers = { Cookie: bff.manager.cookie(), 'If-Match': '"v1"' };
    const late = await bff.fetch(ask('PUT', '/api/subscribers/7', { body: { note: 'later' }, headers }));
    expect(await late.json()).toMatchObject({ changedBy: marked });
  });

  test('that is disabled is signed out at once, and cannot sign in', async () => {
    const { manager, browser, ...bff } = await openManaged();
    expect((await manager.change('canary-kari', { disabled: true })).status).toBe(200);
    expect((await browser.ask('GET', '/bff/session')).status).toBe(401);
    expect(problemAt(await signInByProvider(openBrowser(bff.fetch)))).toBe('disabled');
    expect((await manager.change('canary-kari', { disabled: false })).status).toBe(200);
    expect((await signInByProvider(browser)).pathname).toBe('/subscribers');
  });

  test('gets its role and its password only from the provider', async () => {
    const { manager, browser, passwords } = await openManaged();
    const hashed = passwords.hashed;
    const refused = [
      await manager.change('canary-kari', { role: 'viewer' }),
      await manager.reset('canary-kari'),
      await browser.ask('PUT', '/bff/password', { password: 'x', newPassword: 'nine tired otters sing' }),
    ];
    for (const answer of refused)
      expect([answer.status, await codeIn(answer)]).toEqual([409, 'decided-elsewhere']);
    expect(await manager.find('canary-kari')).toMatchObject({ role: 'manager', mustChangePassword: false });
    expect(passwords.hashed).toBe(hashed);
  });

  test('accepts no password, and takes as long to refuse it as an unknown name', async () => {
    const bff = await openManaged();
    const before = bff.passwords.verified;
    for (const password of ['', 'x', 'hash of ']) {
      const status = await statusOfSignIn(bff, 'canary-kari', password);
      expect(status).toBe(password === '' ? 422 : 401);
    }
    expect(bff.passwords.verified - before).toBe(2);
  });

  test('can be disabled by another manager of single sign-on, even if all local managers are disabled', async () => {
    const bff = await openManaged();
    bff.provider.people['sub-2'] = { preferred_username: 'canary-jonas', roles: 'manager' };
    await signInByProvider(openAnotherBrowser(bff), 'sub-2');
    await bff.db.updateTable('staff').set({ disabled: 1 }).where('issuer', 'is', null).execute();
    const jonas = (await bff.accounts()).find(({ subject }) => subject === 'sub-2');
    const answer = await bff.browser.ask('PUT', `/bff/staff/${jonas?.id}`, { disabled: true });
    expect(answer.status).toBe(200);
  });

  test('counts as a manager as long as its provider is configured', async () => {
    const { manager, singleSignOn, deps } = await openManaged();
    const { db, clock, random, passwords } = deps;
    const recordEvent = recordEventOf(deps);
    const { id = '' } = (await manager.find('manager')) ?? {};
    for (const issuer of [undefined, 'https://id.example']) {
      const provider = issuer === undefined ? {} : { singleSignOn: { ...singleSignOn, issuer } };
      const elsewhere = createStaffAccounts({ db, clock, random, passwords, recordEvent, ...provider });
      for (const change of [{ role: 'viewer' as const }, { disabled: true }])
        await expect(elsewhere.change(id, change, someone)).rejects.toMatchObject({ code: 'last-manager' });
    }
    expect((await manager.change('manager', { disabled: true })).status).toBe(200);
  });

  test('that is the only manager left cannot be disabled', async () => {
    const { manager, browser, accounts } = await openManaged();
    expect((await manager.change('manager', { role: 'viewer' })).status).toBe(200);
    const [kari] = await accounts();
    const answer = await browser.ask('PUT', `/bff/staff/${kari?.id}`, { disabled: true });
    expect(await codeIn(answer)).toBe('last-manager');
  });
});

describe('GET /bff/sign-in-ways', () => {
  test('answers without a session and without asking the provider', async () => {
    const bff = await openSingleSignOn();
    const ways = await bff.fetch(ask('GET', '/bff/sign-in-ways'));
    expect(await ways.json()).toMatchObject({ singleSignOn: true });
    expect(bff.asked).toEqual([]);
  });
});

/** Another user's browser. */
const openAnotherBrowser = (bff: SingleSignOnBff) => openBrowser(bff.fetch);
