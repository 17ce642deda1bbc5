import { describe, expect, test } from 'vitest';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { hire, publicUrl } from '../../support/bff/desk.ts';
import { manage, statusOfSignIn } from '../../support/bff/person.ts';
import {
  openSingleSignOn,
  problemAt,
  travel,
  type SingleSignOnDesk,
} from '../../support/bff/single-sign-on.ts';
import { createTraveller } from '../../support/bff/traveller.ts';

const sessionOf = async ({ traveller }: SingleSignOnDesk) =>
  (await traveller.ask('GET', '/bff/session')).json();

describe('somebody who comes by single sign-on', () => {
  test('is signed in with the role of the claim, and lands where they wanted to', async () => {
    const desk = await openSingleSignOn();
    const there = await travel(desk.traveller);
    expect(there.href).toBe(`${publicUrl}/subscribers?expired=true`);
    expect(await sessionOf(desk)).toMatchObject({
      staff: { name: 'canary-kari', role: 'viewer' },
      canSignOut: true,
      canChangePassword: false,
      mustChangePassword: false,
    });
  });

  test('is asked for by code flow with PKCE, a state, a nonce and the exact way back', async () => {
    const desk = await openSingleSignOn();
    const { url } = await desk.traveller.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl);
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
    const again = await desk.traveller.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl);
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(again.url.searchParams.get(name)).not.toBe(sent[name]);
  });

  test.each([
    [undefined, 'openid profile email'],
    ['openid groups', 'openid groups'],
  ])('is asked for at the provider in the scope %j: %s', async (set, scope) => {
    const desk = await openSingleSignOn(set === undefined ? {} : { scope: set });
    const { url } = await desk.traveller.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl);
    expect(url.searchParams.get('scope')).toBe(scope);
  });

  test('has one account, however often they come, and it takes the role of the day', async () => {
    const desk = await openSingleSignOn();
    await travel(desk.traveller);
    const [first] = await desk.accounts();
    desk.provider.people['sub-1'] = { preferred_username: 'another-name', roles: ['manager'] };
    await travel(createAnother(desk));
    const accounts = await desk.accounts();
    expect(accounts).toMatchObject([
      { id: first?.id, name: 'canary-kari', role: 'manager', subject: 'sub-1', issuer: desk.provider.issuer },
    ]);
    // Who is still signed in elsewhere has the new role too.
    expect(await sessionOf(desk)).toMatchObject({ staff: { role: 'manager' } });
  });

  test('gets a name that nobody has, and never the account of somebody else', async () => {
    const desk = await openSingleSignOn({}, 'support');
    await hire(desk, 'manager', 'Canary-Kari');
    desk.provider.people['sub-2'] = { preferred_username: 'CANARY-KARI', roles: 'viewer' };
    await travel(desk.traveller);
    await travel(createAnother(desk), 'sub-2');
    const named = (await desk.accounts()).map(({ name, role, subject }) => [name, role, subject]);
    expect(named).toEqual([
      ['CANARY-KARI (3)', 'viewer', 'sub-2'],
      ['canary-kari (2)', 'support', 'sub-1'],
    ]);
  });

  test('is not who has the same subject at another provider', async () => {
    const desk = await openSingleSignOn();
    await travel(desk.traveller);
    await desk.db
      .updateTable('staff')
      .set({ issuer: 'https://id.example' })
      .where('subject', '=', 'sub-1')
      .execute();
    await travel(createAnother(desk));
    expect((await desk.accounts()).map(({ issuer }) => issuer)).toEqual([
      'https://id.example',
      desk.provider.issuer,
    ]);
  });

  test('is one account too where two browsers come at the same moment', async () => {
    const desk = await openSingleSignOn();
    const others = [1, 2, 3].map(() => createAnother(desk));
    const ends = await Promise.all(others.map((other) => travel(other)));
    expect(ends.map(({ pathname }) => pathname)).toEqual(Array.from({ length: 3 }, () => '/subscribers'));
    expect(await desk.accounts()).toHaveLength(1);
  });

  test('leaves the session behind that the browser had before', async () => {
    const desk = await openSingleSignOn();
    const before = await manage(desk);
    await travel(desk.traveller);
    const first = desk.traveller.cookies();
    await travel(desk.traveller);
    const again = await desk.fetch(ask('GET', '/bff/session', { headers: { Cookie: first } }));
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
  ])('stands in the claim %s of %j', async (roleClaim, claims, role) => {
    const desk = await openSingleSignOn({ roleClaim });
    desk.provider.people['sub-1'] = { name: 'Kari', ...claims };
    await travel(desk.traveller);
    expect(await sessionOf(desk)).toMatchObject({ staff: { role } });
  });

  test('is taken from the ID token where it stands there, without asking any further', async () => {
    const desk = await openSingleSignOn({ claimsInIdToken: true });
    await travel(desk.traveller);
    expect(await sessionOf(desk)).toMatchObject({ staff: { role: 'viewer' } });
    expect(desk.asked).not.toContain('/me');
  });

  test.each([null, [], ['Manager'], 'managers', ['admin'], { manager: true }, [['manager']], 7])(
    'that is %j lets nobody in, and makes no account',
    async (roles) => {
      const desk = await openSingleSignOn({}, roles);
      const there = await travel(desk.traveller);
      expect(problemAt(there)).toBe('no-role');
      expect(there.searchParams.get('from')).toBe('/subscribers?expired=true');
      expect(await desk.accounts()).toEqual([]);
      expect((await desk.traveller.ask('GET', '/bff/session')).status).toBe(401);
    },
  );

  test('that was taken away at the provider keeps its owner out from then on', async () => {
    const desk = await openSingleSignOn();
    await travel(desk.traveller);
    desk.provider.people['sub-1'] = { preferred_username: 'canary-kari', roles: [] };
    expect(problemAt(await travel(createAnother(desk)))).toBe('no-role');
  });
});

describe('an account of single sign-on', () => {
  const openManaged = async (roles: unknown = 'manager') => {
    const desk = await openSingleSignOn({}, roles);
    await travel(desk.traveller);
    return { ...desk, manager: await manage(desk) };
  };

  test('is listed as such', async () => {
    const { manager } = await openManaged();
    expect(await manager.find('canary-kari')).toMatchObject({ singleSignOn: true, role: 'manager' });
    expect(await manager.find('viewer')).toMatchObject({ singleSignOn: false });
  });

  test('that is disabled is out at once, and is kept out', async () => {
    const { manager, traveller, ...desk } = await openManaged();
    expect((await manager.change('canary-kari', { disabled: true })).status).toBe(200);
    expect((await traveller.ask('GET', '/bff/session')).status).toBe(401);
    expect(problemAt(await travel(createTraveller(desk.fetch)))).toBe('disabled');
    expect((await manager.change('canary-kari', { disabled: false })).status).toBe(200);
    expect((await travel(traveller)).pathname).toBe('/subscribers');
  });

  test('has its role and its password from the provider alone', async () => {
    const { manager, traveller, passwords } = await openManaged();
    const hashed = passwords.hashed;
    const refused = [
      await manager.change('canary-kari', { role: 'viewer' }),
      await manager.reset('canary-kari'),
      await traveller.ask('PUT', '/bff/password', { password: 'x', newPassword: 'nine tired otters sing' }),
    ];
    for (const answer of refused)
      expect([answer.status, await codeIn(answer)]).toEqual([409, 'decided-elsewhere']);
    expect(await manager.find('canary-kari')).toMatchObject({ role: 'manager', mustChangePassword: false });
    expect(passwords.hashed).toBe(hashed);
  });

  test('opens to no password, and takes as long to say so as one that is not there', async () => {
    const desk = await openManaged();
    const before = desk.passwords.verified;
    for (const password of ['', 'x', 'hash of ']) {
      const status = await statusOfSignIn(desk, 'canary-kari', password);
      expect(status).toBe(password === '' ? 422 : 401);
    }
    expect(desk.passwords.verified - before).toBe(2);
  });

  test('can be disabled by another of its kind, whatever becomes of those with a password', async () => {
    const desk = await openManaged();
    desk.provider.people['sub-2'] = { preferred_username: 'canary-jonas', roles: 'manager' };
    await travel(createAnother(desk), 'sub-2');
    await desk.db.updateTable('staff').set({ disabled: 1 }).where('issuer', 'is', null).execute();
    const jonas = (await desk.accounts()).find(({ subject }) => subject === 'sub-2');
    const answer = await desk.traveller.ask('PUT', `/bff/staff/${jonas?.id}`, { disabled: true });
    expect(answer.status).toBe(200);
  });

  test('is no reason to let the last manager with a password go', async () => {
    const { manager } = await openManaged();
    for (const change of [{ role: 'viewer' }, { disabled: true }])
      expect(await codeIn(await manager.change('manager', change))).toBe('last-manager');
  });
});

describe('how one can sign in', () => {
  test('is said to whoever asks', async () => {
    const desk = await openSingleSignOn();
    const ways = await desk.fetch(ask('GET', '/bff/sign-in-ways'));
    expect(await ways.json()).toEqual({ singleSignOn: true });
    expect(desk.asked).toEqual([]);
  });
});

/** The browser of somebody else. */
const createAnother = (desk: SingleSignOnDesk) => createTraveller(desk.fetch);
