import { beforeEach, describe, expect, it, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { silentProvider } from '../../support/bff/silent-provider.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { trySignIn, manage, type Person } from '../../support/bff/person.ts';
import { closedRoutes } from '../../support/bff/routes.ts';
import { setUpApp } from '../../support/bff/second-factor.ts';

/** Rows that stay open; by hand, as all policies in the tests. */
const open = [
  'GET /bff/session',
  'DELETE /bff/session',
  'PUT /bff/password',
  'GET /bff/second-factor',
  'POST /bff/second-factor/app',
  'PUT /bff/second-factor/app',
  'POST /bff/passkey-options',
  'POST /bff/passkeys',
];
const refused = '403 second-factor-needed';

const sessionOf = async (person: Pick<Person, 'bff'>) => (await person.bff.getSession({})).data;
const list = (person: Pick<Person, 'ask'>) => outcomeOf(person.ask('GET', '/api/subscribers'));

test('a session without the second factor that is asked for opens nothing but setting one up', async () => {
  const bff = await createTestDesk({ service: 'canned', requireSecondFactor: 'all' });
  await bff.stop();
  const manager = await bff.signIn('manager');
  const closed = closedRoutes.filter(({ line }) => !open.includes(line));
  expect(closed).toHaveLength(closedRoutes.length - open.length);
  const outcomes: Record<string, string> = {};
  for (const { line, method, path, body } of closed)
    outcomes[line] = await outcomeOf(manager.ask(method, path, body));
  expect(outcomes).toEqual(Object.fromEntries(closed.map(({ line }) => [line, refused])));
  expect(bff.upstream.calls).toEqual([]);
  expect(await sessionOf(manager)).toMatchObject({ can: [], views: [], mustChangePassword: false });
});

describe('a required second factor', () => {
  let bff: TestDesk;
  beforeEach(async () => {
    bff = await createTestDesk({ requireSecondFactor: 'all', singleSignOn: silentProvider });
  });

  it('is asked of everybody with a session, who is let in with it at once', async () => {
    const person = await bff.signIn('viewer');
    expect(await list(person)).toBe(refused);
    await setUpApp(bff, person);
    expect(await list(person)).toBe('200');
    expect((await sessionOf(person)).can).toContain('listSubscribers');
  });

  it('is asked of each manager, from the request after somebody became one', async () => {
    bff = await createTestDesk({ requireSecondFactor: 'managers' });
    const [person, manager] = [await bff.signIn('support'), await bff.signIn('manager')];
    expect([await list(person), await list(manager)]).toEqual(['200', refused]);
    await bff.changeAccount('support', { role: 'manager' });
    expect(await list(person)).toBe(refused);
  });

  it('is asked of nobody of single sign-on', async () => {
    const person = await bff.signIn('manager');
    await bff.changeAccount('manager', { issuer: 'https://id.example' });
    expect(await list(person)).toBe('200');
  });

  it('cannot be removed if it is the last one, only replaced', async () => {
    const person = await bff.signIn('support');
    await setUpApp(bff, person);
    expect(await outcomeOf(person.ask('DELETE', '/bff/second-factor/app'))).toBe(refused);
    expect((await person.bff.getSecondFactor({})).data.app).not.toBeNull();
    const next = await setUpApp(bff, person);
    expect((await trySignIn(bff, 'support', { code: next.code() })).status).toBe(200);
  });

  it('is set up after a one-time password is replaced', async () => {
    const person = await bff.signIn('support');
    const look = () => outcomeOf(person.ask('GET', '/bff/second-factor'));
    await bff.changeAccount('support', { must_change_password: 1 });
    expect(await look()).toBe('403 password-change-needed');
    const { data } = await person.bff.changePassword({ body: { newPassword: 'nine tired otters sing' } });
    expect(data).toMatchObject({ can: [], mustChangePassword: false });
    expect(await look()).toBe('200');
  });

  it('is asked for again after a manager resets it', async () => {
    const signIn = async (name: string) => {
      const person = await bff.signIn(name);
      await setUpApp(bff, person);
      return person;
    };
    const manager = await manage({ signIn });
    await signIn('support');
    await manager.resetSecondFactor('support');
    expect(await list(await bff.signIn('support'))).toBe(refused);
  });
});
