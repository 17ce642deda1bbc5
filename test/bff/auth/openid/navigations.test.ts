import { beforeEach, describe, expect, it } from 'vitest';
import { createStaffAccounts } from '../../../../src/bff/staff/store.ts';
import { createSessions } from '../../../../src/bff/auth/sessions.ts';
import { ask, outcomeOf, publicUrl } from '../../../support/bff/browser.ts';
import { wholeSubscriber } from '../../../support/bff/canned.ts';
import { isIn, manage, statusOfSignIn } from '../../../support/bff/person.ts';
import {
  goToProvider,
  openBrowser,
  openSingleSignOn,
  problemAt,
  signInByProvider,
  type Browser,
  type SingleSignOnBff,
} from '../../../support/bff/single-sign-on.ts';
import { recordEventOf, someone } from '../../../support/bff/entries.ts';

let bff: SingleSignOnBff;
beforeEach(async () => {
  bff = await openSingleSignOn();
});

const setRoles = (roles: unknown, login = 'sub-1', name = 'canary-kari') =>
  void (bff.provider.people[login] = { preferred_username: name, roles });
const sessionOf = async (browser: Browser) => (await browser.ask('GET', '/bff/session')).json();
/** A browser in which a user has signed in. */
async function enter(login?: string): Promise<Browser> {
  const browser = openBrowser(bff.fetch);
  await signInByProvider(browser, login);
  return browser;
}

describe('a user of single sign-on', () => {
  it('is signed in with the role of the claim, on the page they asked for', async () => {
    const there = await signInByProvider(bff.browser);
    expect(there.href).toBe(`${publicUrl}/subscribers?expired=true`);
    expect(await sessionOf(bff.browser)).toMatchObject({
      staff: { name: 'canary-kari', role: 'viewer' },
      canSignOut: true,
      canChangePassword: false,
      mustChangePassword: false,
    });
  });

  it('is sent to the provider by code flow with PKCE, a state, a nonce and our exact callback', async () => {
    const [first, second] = [await goToProvider(bff.browser), await goToProvider(bff.browser)];
    const sent = Object.fromEntries(first.searchParams);
    expect(sent).toMatchObject({
      response_type: 'code',
      client_id: 'subscriber-desk',
      redirect_uri: `${publicUrl}/bff/oidc/callback`,
      code_challenge_method: 'S256',
      scope: 'openid profile email',
    });
    const names = ['state', 'nonce', 'code_challenge'];
    const secrets = [first, second].flatMap((url) => names.map((name) => url.searchParams.get(name)));
    expect(new Set(secrets).size).toBe(6);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    const other = await openSingleSignOn({ scope: 'openid groups' });
    expect((await goToProvider(other.browser)).searchParams.get('scope')).toBe('openid groups');
  });

  it('has one account after any number of sign-ins, with the current role', async () => {
    await enter();
    const [first] = await bff.accounts();
    setRoles(['manager'], 'sub-1', 'another-name');
    await enter();
    expect(await bff.accounts()).toMatchObject([
      { id: first?.id, name: 'canary-kari', role: 'manager', subject: 'sub-1', issuer: bff.provider.issuer },
    ]);
  });

  it('gets a name that is free, and never an account that exists', async () => {
    setRoles('support');
    await bff.hire('manager', 'Canary-Kari');
    setRoles('viewer', 'sub-2', 'CANARY-KARI');
    await enter();
    await enter('sub-2');
    const named = (await bff.accounts()).map(({ name, role, subject }) => [name, role, subject]);
    expect(named).toEqual([
      ['CANARY-KARI (3)', 'viewer', 'sub-2'],
      ['canary-kari (2)', 'support', 'sub-1'],
    ]);
  });

  it('is not the user with the same subject at another provider', async () => {
    await enter();
    await bff.changeAccount('canary-kari', { issuer: 'https://id.example' });
    await enter();
    const issuers = (await bff.accounts()).map(({ issuer }) => issuer);
    expect(issuers).toEqual(['https://id.example', bff.provider.issuer]);
  });

  it('gets one account from three browsers at the same time', async () => {
    const browsers = await Promise.all([enter(), enter(), enter()]);
    expect(await Promise.all(browsers.map(isIn))).toEqual([true, true, true]);
    expect(await bff.accounts()).toHaveLength(1);
  });

  it('ends the session that the browser had before', async () => {
    const before = await manage(bff);
    await signInByProvider(bff.browser);
    const first = bff.browser.cookies();
    await signInByProvider(bff.browser);
    const again = ask('GET', '/bff/session', { headers: { Cookie: first } });
    expect([(await bff.fetch(again)).status, await isIn(before)]).toEqual([401, true]);
  });
});

describe('the role', () => {
  it('is read from the claim that the configuration names', async () => {
    bff = await openSingleSignOn({ roleClaim: 'realm_access.roles' });
    bff.provider.people['sub-1'] = { name: 'Kari', realm_access: { roles: ['support'] } };
    expect(await sessionOf(await enter())).toMatchObject({ staff: { role: 'support' } });
  });

  it('is read from the ID token if it is there, without a request for the user info', async () => {
    bff = await openSingleSignOn({ claimsInIdToken: true });
    expect(await sessionOf(await enter())).toMatchObject({ staff: { role: 'viewer' } });
    expect(bff.requested).not.toContain('/me');
  });

  it('lets nobody in if it is none, and creates no account', async () => {
    setRoles(['Manager']);
    const there = await signInByProvider(bff.browser);
    expect([problemAt(there), await isIn(bff.browser)]).toEqual(['no-role', false]);
    expect(there.searchParams.get('from')).toBe('/subscribers?expired=true');
    expect(await bff.accounts()).toEqual([]);
  });

  it('ends the other sessions if it changes at the provider, and none if it stays', async () => {
    const [first, second] = [await enter(), await enter()];
    expect(await isIn(first)).toBe(true);
    setRoles('support');
    const third = await enter();
    expect(await Promise.all([first, second, third].map(isIn))).toEqual([false, false, true]);
    expect(bff.logs).toContainEqual(expect.objectContaining({ event: 'role-changed', sessions: 2 }));
  });
});

describe('a role that was taken away at the provider', () => {
  let kari: Browser;
  const takeAway = async () => {
    setRoles('manager');
    kari = await enter();
    setRoles([]);
    const other = openBrowser(bff.fetch);
    expect([problemAt(await signInByProvider(other)), await isIn(other)]).toEqual(['no-role', false]);
  };

  it('ends the sessions of its owner, and shows an account without a role', async () => {
    await takeAway();
    expect(await isIn(kari)).toBe(false);
    const manager = await manage(bff);
    expect(await manager.find('canary-kari')).toMatchObject({ role: null, disabled: false });
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'role-withdrawn', sessions: 1 }),
    );
    // It was no manager with a password.
    expect(await outcomeOf(manager.change('manager', { disabled: true }))).toBe('409 last-manager');
  });

  it('is given again by the provider alone; the sessions of before stay ended', async () => {
    await takeAway();
    const manager = await manage(bff);
    const given = manager.change('canary-kari', { role: 'viewer' });
    expect(await outcomeOf(given)).toBe('409 decided-elsewhere');
    setRoles('support');
    const session = await sessionOf(await enter());
    expect(session).toMatchObject({ staff: { name: 'canary-kari', role: 'support' } });
    expect(await isIn(kari)).toBe(false);
    expect(await bff.accounts()).toHaveLength(1);
  });

  it('opens no session to a sign-in that is under way at another server', async () => {
    await enter();
    const [asLookedAt] = await bff.accounts();
    await bff.changeAccount('canary-kari', { role: 'none' });
    const { headers } = ask('GET', '/bff/oidc/callback');
    const start = { headers, previous: null, finish: async () => undefined };
    expect(
      asLookedAt && (await createSessions({ ...bff.deps, spend: () => undefined }).start(asLookedAt, start)),
    ).toBeNull();
  });
});

describe('an account of single sign-on', () => {
  let manager: Awaited<ReturnType<typeof manage>>;
  let kari: Browser;
  beforeEach(async () => {
    setRoles('manager');
    kari = await enter();
    manager = await manage(bff);
  });

  it('is marked wherever it is named: in the list, its session, the journal and conflicts', async () => {
    const marked = { name: 'canary-kari', singleSignOn: true };
    expect(await manager.find('canary-kari')).toMatchObject({ ...marked, role: 'manager' });
    expect(await manager.find('viewer')).toMatchObject({ singleSignOn: false });
    expect(await sessionOf(kari)).toMatchObject({ staff: marked });
    const changed = { ...wholeSubscriber, note: 'by kari' };
    const answer = () => Response.json(changed, { headers: { ETag: '"v2"' } });
    bff.upstream.operation = answer;
    expect((await kari.ask('PUT', '/api/subscribers/7', { note: changed.note })).status).toBe(200);
    bff.upstream.lookup = answer;

    const { items } = await (await manager.ask('GET', '/bff/activity?kind=change')).json();
    expect(items).toMatchObject([{ staff: marked }, { staff: { name: 'Name 0', singleSignOn: false } }]);
    const staff = await (await manager.ask('GET', '/bff/activity?kind=staff')).json();
    expect(staff.items).toMatchObject([{ staff: marked, account: marked }]);
    const undone = await manager.ask('POST', '/bff/activity/7/undo');
    expect(await undone.json()).toMatchObject({ conflicts: [{ field: 'note', by: marked }] });
    const late = await manager.ask('PUT', '/api/subscribers/7', { note: 'later' }, { 'If-Match': '"v1"' });
    expect(await late.json()).toMatchObject({ changedBy: marked });
  });

  it('is signed out at once if it is disabled, and cannot sign in', async () => {
    expect((await manager.change('canary-kari', { disabled: true })).status).toBe(200);
    expect(await isIn(kari)).toBe(false);
    expect(problemAt(await signInByProvider(openBrowser(bff.fetch)))).toBe('disabled');
    expect((await manager.change('canary-kari', { disabled: false })).status).toBe(200);
    expect((await signInByProvider(kari)).pathname).toBe('/subscribers');
  });

  it('gets its role and its password only from the provider', async () => {
    const { hashed } = { ...bff.passwords };
    for (const answer of [
      manager.change('canary-kari', { role: 'viewer' }),
      manager.reset('canary-kari'),
      kari.ask('PUT', '/bff/password', { password: 'x', newPassword: 'nine tired otters sing' }),
    ])
      expect(await outcomeOf(answer)).toBe('409 decided-elsewhere');
    expect(await manager.find('canary-kari')).toMatchObject({ role: 'manager', mustChangePassword: false });
    expect(bff.passwords.hashed).toBe(hashed);
  });

  it('accepts no password, and takes as long to refuse it as an unknown name', async () => {
    const before = bff.passwords.verified;
    for (const [password, status] of [
      ['', 422],
      ['x', 401],
      ['hash of ', 401],
    ] as const)
      expect(await statusOfSignIn(bff, 'canary-kari', password)).toBe(status);
    expect(bff.passwords.verified - before).toBe(2);
  });

  it('can be disabled by another one that manages, even if all local managers are disabled', async () => {
    setRoles('manager', 'sub-2', 'canary-jonas');
    await enter('sub-2');
    await bff.db.updateTable('staff').set({ disabled: 1 }).where('issuer', 'is', null).execute();
    const jonas = (await bff.accounts()).find(({ subject }) => subject === 'sub-2');
    expect((await kari.ask('PUT', `/bff/staff/${jonas?.id}`, { disabled: true })).status).toBe(200);
  });

  it('counts as a manager as long as its provider is configured', async () => {
    const { singleSignOn, deps } = bff;
    const { singleSignOn: _none, ...local } = { ...deps, recordEvent: recordEventOf(deps) };
    const { id = '' } = (await manager.find('manager')) ?? {};
    const other = { ...local, singleSignOn: { ...singleSignOn, issuer: 'https://id.example' } };
    for (const elsewhere of [createStaffAccounts(local), createStaffAccounts(other)])
      for (const change of [{ role: 'viewer' as const }, { disabled: true }])
        await expect(elsewhere.change(id, change, someone)).rejects.toMatchObject({ code: 'last-manager' });
    expect((await manager.change('manager', { disabled: true })).status).toBe(200);
  });

  it('cannot be disabled if it is the only manager left', async () => {
    expect((await manager.change('manager', { role: 'viewer' })).status).toBe(200);
    const [own] = await bff.accounts();
    const answer = kari.ask('PUT', `/bff/staff/${own?.id}`, { disabled: true });
    expect(await outcomeOf(answer)).toBe('409 last-manager');
  });
});
