import { describe, expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { codeIn, password } from '../../support/bff/browser.ts';
import { manage, type Person } from '../../support/bff/person.ts';
import { closedRoutes } from '../../support/bff/routes.ts';
import { setUpApp, signInWith } from '../../support/bff/second-factor.ts';

/** What stays open; by hand, as all policies in the tests. */
const open = [
  'GET /bff/session',
  'DELETE /bff/session',
  'PUT /bff/password',
  'GET /bff/second-factor',
  'POST /bff/second-factor/app',
  'PUT /bff/second-factor/app',
  'POST /bff/passkeys/options',
  'POST /bff/passkeys',
  'GET /bff/session/passkey',
  'POST /bff/session/passkey',
];

const sessionOf = async (person: Pick<Person, 'bff'>) => (await person.bff.getSession({})).data;
const outcomeOf = async (person: Pick<Person, 'ask'>, path = '/api/subscribers') => {
  const response = await person.ask('GET', path);
  return response.ok ? 'ok' : codeIn(response);
};

test('a session without the second factor that is asked for opens nothing but setting one up', async () => {
  const bff = await createTestDesk({ service: 'canned', requireSecondFactor: 'all' });
  await bff.stop();
  const manager = await bff.signIn('manager');
  const closed = closedRoutes.filter(({ method, template }) => !open.includes(`${method} ${template}`));
  expect(closed.length).toBe(
    closedRoutes.length - open.filter((line) => !line.endsWith('session/passkey')).length,
  );
  for (const { method, template, path, body } of closed) {
    const response = await manager.ask(method, path, body);
    expect([template, response.ok ? 'ok' : await codeIn(response)]).toEqual([
      template,
      'second-factor-needed',
    ]);
  }
  expect(bff.upstream.calls).toEqual([]);
  expect(await sessionOf(manager)).toMatchObject({ can: [], views: [], mustChangePassword: false });
});

describe('who has to have a second factor', () => {
  test('is everybody with a session at once, and is let in as soon as they have it', async () => {
    const bff = await createTestDesk({ requireSecondFactor: 'all' });
    const person = await bff.signIn('viewer');
    expect(await outcomeOf(person)).toBe('second-factor-needed');
    await setUpApp(bff, person);
    expect(await outcomeOf(person)).toBe('ok');
    const session = await sessionOf(person);
    expect(session.can).toContain('listSubscribers');
  });

  test('is each manager, from the request after somebody became one', async () => {
    const bff = await createTestDesk({ requireSecondFactor: 'managers' });
    const [person, manager] = [await bff.signIn('support'), await bff.signIn('manager')];
    expect([await outcomeOf(person), await outcomeOf(manager)]).toEqual(['ok', 'second-factor-needed']);
    await bff.db.updateTable('staff').set({ role: 'manager' }).where('name', '=', 'support').execute();
    expect(await outcomeOf(person)).toBe('second-factor-needed');
  });

  test('is nobody unless the deployment says so, and nobody of single sign-on', async () => {
    const bff = await createTestDesk();
    expect(await outcomeOf(await bff.signIn('manager'))).toBe('ok');
    const strict = await createTestDesk({ requireSecondFactor: 'all' });
    const person = await strict.signIn('manager');
    await strict.db.updateTable('staff').set({ issuer: 'https://id.example' }).execute();
    expect(await outcomeOf(person)).toBe('ok');
  });
});

describe('where a second factor is asked for', () => {
  let bff: TestDesk;
  const openDesk = async () => (bff = await createTestDesk({ requireSecondFactor: 'all' }));

  test('the last one cannot be removed, only replaced', async () => {
    const person = await (await openDesk()).signIn('support');
    await setUpApp(bff, person);
    const response = await person.ask('POST', '/bff/second-factor/app/removal', { password });
    expect([response.status, await codeIn(response)]).toEqual([403, 'second-factor-needed']);
    expect((await person.bff.getSecondFactor({})).data.app).not.toBeNull();
    const next = await setUpApp(bff, person);
    expect((await signInWith(bff, 'support', next.code())).status).toBe(200);
  });

  test('a one-time password is replaced first', async () => {
    const person = await (await openDesk()).signIn('support');
    await bff.db
      .updateTable('staff')
      .set({ must_change_password: 1 })
      .where('name', '=', 'support')
      .execute();
    expect(await outcomeOf(person, '/bff/second-factor')).toBe('password-change-needed');
    const newPassword = 'nine tired otters sing';
    expect((await person.bff.changePassword({ body: { newPassword } })).data).toMatchObject({
      can: [],
      mustChangePassword: false,
    });
    expect(await outcomeOf(person, '/bff/second-factor')).toBe('ok');
  });

  test('one that a manager resets is asked for again', async () => {
    await openDesk();
    const manager = await manage({
      signIn: async (name) => {
        const person = await bff.signIn(name);
        await setUpApp(bff, person);
        return person;
      },
    });
    await setUpApp(bff, await bff.signIn('support'));
    await manager.resetSecondFactor('support');
    expect(await outcomeOf(await bff.signIn('support'))).toBe('second-factor-needed');
  });
});
