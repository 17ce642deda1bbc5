import { beforeEach, describe, expect, it, test } from 'vitest';
import { proofLife } from '../../../src/bff/current-user.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { password, outcomeOf } from '../../support/bff/browser.ts';
import { trySignIn, type Person } from '../../support/bff/person.ts';
import { closedRoutes } from '../../support/bff/routes.ts';
import { codeLife, setUpApp } from '../../support/bff/second-factor.ts';
import {
  isInteraction,
  openBrowser,
  openSingleSignOn,
  signInByProvider,
} from '../../support/bff/single-sign-on.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';

const needed = '403 proof-needed';

/** Rows that always ask for a proof; by hand, as all policies in the tests. */
const always = [
  'POST /bff/second-factor/app',
  'DELETE /bff/second-factor/app',
  'POST /bff/second-factor/recovery-codes',
  'POST /bff/passkey-options',
  'DELETE /bff/passkeys/{id}',
  // An account outlives the screen, whatever its role.
  'POST /bff/staff',
  'POST /bff/staff/{id}/one-time-password',
  'DELETE /bff/staff/{id}/second-factor',
  // The job of the sample deletes subscribers.
  'POST /bff/jobs/{id}/start',
];

let bff: TestDesk;
beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
});

/** A manager's screen that was left open. */
async function leaveOpen() {
  const person = await bff.signIn('manager');
  bff.time.now += proofLife;
  return person;
}

test('a screen left open is not enough for what only its user may do, and for nothing else is more asked', async () => {
  await bff.stop();
  const manager = await leaveOpen();
  const outcomes: Record<string, boolean> = {};
  // These two end the session, or show that it is the user.
  const others = closedRoutes.filter(({ name }) => !['signOut', 'changePassword'].includes(name));
  for (const { line, method, path, body } of others)
    outcomes[line] = (await outcomeOf(manager.ask(method, path, body))) === needed;
  expect(Object.keys(outcomes).filter((line) => outcomes[line])).toEqual(
    closedRoutes.map(({ line }) => line).filter((line) => always.includes(line)),
  );
});

describe('a proof', () => {
  it.each([
    ['somebody becomes manager', 'PUT', 'support', { role: 'manager' }, needed],
    ['somebody becomes support', 'PUT', 'support', { role: 'support' }, needed],
    ['somebody becomes viewer', 'PUT', 'support', { role: 'viewer' }, '200'],
    ['an account is enabled', 'PUT', 'support', { disabled: false }, needed],
    ['an account is disabled', 'PUT', 'support', { disabled: true }, '200'],
    ['tokens are exported', 'GET', '/bff/export?tokens=true', undefined, needed],
    ['subscribers are exported', 'GET', '/bff/export', undefined, '200'],
  ])('is asked for or not where %s', async (_, method, path, body, expected) => {
    const person = await leaveOpen();
    const to = path === 'support' ? `/bff/staff/${await idOf('support')}` : path;
    expect(await outcomeOf(person.ask(method, to, body, { [changeHeaders.reason]: 'why' }))).toBe(expected);
  });

  const idOf = async (name: string) => (await bff.rows('staff')).find((row) => row.name === name)?.id ?? '';

  it('is a new sign-in, which goes on with a new session, for five minutes', async () => {
    const manager = await leaveOpen();
    const reset = async () =>
      outcomeOf(manager.ask('POST', `/bff/staff/${await idOf('support')}/one-time-password`));
    const before = manager.cookie();
    expect(await reset()).toBe(needed);
    await manager.bff.signIn({ body: { name: 'manager', password } });
    expect(manager.cookie()).not.toBe(before);
    bff.time.now += proofLife - 1;
    expect(await reset()).toBe('200');
    bff.time.now += 1;
    expect(await reset()).toBe(needed);
  });

  it('is said by the session', async () => {
    const isProven = async (person: Person) => (await person.bff.getSession({})).data.isProven;
    const person = await bff.signIn('viewer');
    expect(await isProven(person)).toBe(true);
    bff.time.now += proofLife;
    expect(await isProven(person)).toBe(false);
  });

  it('asks for the second factor where the account has one', async () => {
    const person = await bff.signIn('support');
    const app = await setUpApp(bff, person);
    bff.time.now += proofLife;
    expect(await outcomeOf(person.ask('DELETE', '/bff/second-factor/app'))).toBe(needed);
    expect(await outcomeOf(trySignIn(bff, 'support'))).toBe('401 code-needed');
    bff.time.now += codeLife;
    await person.bff.signIn({ body: { name: 'support', password, code: app.code() } });
    expect(await outcomeOf(person.ask('DELETE', '/bff/second-factor/app'))).toBe('204');
  });

  it('is not the password alone, where somebody changes that on a screen left open', async () => {
    const person = await bff.signIn('support');
    await setUpApp(bff, person);
    bff.time.now += proofLife;
    const { data } = await person.bff.changePassword({
      body: { password, newPassword: 'nine tired otters sing' },
    });
    expect(data.isProven).toBe(false);
    expect(await outcomeOf(person.ask('DELETE', '/bff/second-factor/app'))).toBe(needed);
  });
});

describe('a proof of single sign-on', () => {
  it('is a sign-in there that the provider says the time of, and it is asked for one', async () => {
    const desk = await openSingleSignOn({}, ['manager']);
    desk.time.now = Date.now();
    const { browser } = desk;
    const isProven = async () => {
      const answer: { isProven: boolean } = await (await browser.ask('GET', '/bff/session')).json();
      return answer.isProven;
    };
    const add = () => outcomeOf(browser.ask('POST', '/bff/staff', { name: 'new', role: 'manager' }));
    // Without a request for it, the provider does not say when the user signed in.
    await signInByProvider(browser);
    expect([await isProven(), await add()]).toEqual([false, needed]);
    // The provider, where the user is signed in still, asks all the same.
    const requested = await browser.go('/bff/oidc/start?to=/signed-in&again=true', isInteraction);
    await browser.go(`${requested.url.href}?login=sub-1`);
    expect([await isProven(), await add()]).toEqual([true, '200']);
  });

  it('counts from the time that the provider says', async () => {
    const desk = await openSingleSignOn({}, ['manager']);
    desk.time.now = Date.now();
    const addAfter = async (ageOfSignIn: number | undefined) => {
      desk.exchangeIdToken(async (claims) => {
        const { auth_time: _, ...others } = claims;
        const at =
          ageOfSignIn === undefined ? {} : { auth_time: Math.floor(Date.now() / 1000) - ageOfSignIn };
        return desk.provider.sign({ ...others, ...at });
      });
      const browser = openBrowser(desk.fetch);
      await signInByProvider(browser);
      return outcomeOf(browser.ask('POST', '/bff/staff', { name: `new ${ageOfSignIn}`, role: 'manager' }));
    };
    expect([await addAfter(10), await addAfter(600), await addAfter(undefined)]).toEqual([
      '200',
      needed,
      needed,
    ]);
  });
});
