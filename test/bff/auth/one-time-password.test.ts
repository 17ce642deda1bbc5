import { beforeEach, describe, expect, test } from 'vitest';
import { makeOneTimePassword } from '../../../src/bff/auth/one-time-password.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { isIn, manage, meanwhile, statusOfSignIn } from '../../support/bff/person.ts';
import { closedRoutes } from '../../support/bff/routes.ts';

const fresh = 'nine tired otters sing';
const alwaysOpen = ['getSession', 'signOut', 'changePassword'];

let bff: TestDesk;
let manager: Awaited<ReturnType<typeof manage>>;

beforeEach(async () => {
  bff = await createTestDesk();
  manager = await manage(bff);
});

test('one-time passwords differ and use every character of their alphabet equally', () => {
  let next = 0;
  const made = makeOneTimePassword((bytes) => Uint8Array.from({ length: bytes }, () => next++ * 7));
  expect(made).toHaveLength(23);
  const all = makeAll().join('').replaceAll('-', '');
  const counts = Object.values(Object.groupBy([...all], (letter) => letter)).map((same) => same?.length);
  expect(counts).toHaveLength(32);
  expect(new Set(counts).size).toBe(1);
});

/** Passwords from every byte there is, each as often as the others. */
function makeAll(): string[] {
  let next = 0;
  const inTurn = (bytes: number) => Uint8Array.from({ length: bytes }, () => next++ % 256);
  return Array.from({ length: 64 }, () => makeOneTimePassword(inTurn));
}

describe('a one-time password', () => {
  test('replaces the password before, and ends its sessions', async () => {
    const person = await bff.signIn('support');
    const answer = await manager.reset('support');
    const { staff, oneTimePassword } = await answer.json();
    expect(staff).toMatchObject({ name: 'support', mustChangePassword: true });
    expect(await isIn(person)).toBe(false);
    expect(await statusOfSignIn(bff, 'support')).toBe(401);
    expect(await statusOfSignIn(bff, 'support', oneTimePassword)).toBe(200);
  });

  test('expires after a day, which only a sign-in with it is told', async () => {
    const { oneTimePassword } = await (await manager.reset('support')).json();
    const begun = bff.time.now;
    const tryAt = async (passed: number, password: string) => {
      bff.time.now = begun + passed;
      const body = { name: 'support', password };
      const response = await bff.fetch(ask('POST', '/bff/session', { body }));
      return [response.status, response.status === 200 ? null : await codeIn(response)];
    };
    const day = 24 * 60 * 60_000;
    expect(await tryAt(day - 1, oneTimePassword)).toEqual([200, null]);
    expect(await tryAt(day, oneTimePassword)).toEqual([401, 'password-expired']);
    expect(await tryAt(day, 'another')).toEqual([401, 'wrong-password']);
  });

  test('of a new account expires too, and a chosen password does not', async () => {
    const { oneTimePassword } = await manager.add('newcomer', 'viewer');
    const person = await bff.signIn('newcomer', oneTimePassword);
    const body = { password: oneTimePassword, newPassword: fresh };
    const second = await manager.add('second', 'viewer');
    expect((await person.ask('PUT', '/bff/password', body)).status).toBe(200);
    bff.time.now += 365 * 24 * 60 * 60_000;
    expect(await statusOfSignIn(bff, 'newcomer', fresh)).toBe(200);
    expect(await statusOfSignIn(bff, 'second', second.oneTimePassword)).toBe(401);
  });

  test('enables no account that a manager disabled', async () => {
    await manager.change('support', { disabled: true });
    const { oneTimePassword } = await (await manager.reset('support')).json();
    expect(await statusOfSignIn(bff, 'support', oneTimePassword)).toBe(401);
  });

  test('cannot be given to oneself, because that would not ask for the current one', async () => {
    const response = await manager.reset('manager');
    expect([response.status, await codeIn(response)]).toEqual([403, 'not-allowed']);
    expect(await statusOfSignIn(bff, 'manager')).toBe(200);
  });

  test('given while somebody signs in with the old one refuses that sign-in', async () => {
    meanwhile(bff, 'verify', () => manager.reset('support'));
    expect(await statusOfSignIn(bff, 'support')).toBe(401);
  });
});

describe('a user who signed in with a one-time password', () => {
  const enterFresh = async (role = 'manager') => {
    const { oneTimePassword } = await manager.add('newcomer', role);
    return { person: await bff.signIn('newcomer', oneTimePassword), oneTimePassword };
  };

  test('is told by the session, and may do nothing yet', async () => {
    const { person } = await enterFresh();
    expect(await (await person.ask('GET', '/bff/session')).json()).toMatchObject({
      staff: { name: 'newcomer', role: 'manager' },
      mustChangePassword: true,
      can: [],
    });
  });

  test.each(closedRoutes.filter(({ name }) => !alwaysOpen.includes(name)))(
    'is refused $name',
    async ({ method, path, body }) => {
      const { person } = await enterFresh();
      const before = await manager.list();
      const response = await person.ask(method, path, body);
      expect([response.status, await codeIn(response)]).toEqual([403, 'password-change-needed']);
      expect([...bff.upstream.calls, ...bff.upstream.tokenCalls]).toEqual([]);
      expect(await manager.list()).toEqual(before);
    },
  );

  test('may do what the role allows as soon as it is changed', async () => {
    const { person, oneTimePassword } = await enterFresh('viewer');
    const body = { password: oneTimePassword, newPassword: fresh };
    expect((await person.ask('PUT', '/bff/password', body)).status).toBe(200);
    expect((await person.ask('GET', '/api/subscribers')).status).toBe(200);
    expect((await person.ask('GET', '/bff/staff')).status).toBe(403);
    expect(await manager.find('newcomer')).toMatchObject({ mustChangePassword: false });
    expect(await statusOfSignIn(bff, 'newcomer', oneTimePassword)).toBe(401);
  });

  test('cannot keep it as the new one', async () => {
    const { person, oneTimePassword } = await enterFresh();
    const body = { password: oneTimePassword, newPassword: oneTimePassword };
    expect((await person.ask('PUT', '/bff/password', body)).status).toBe(422);
  });

  test('may sign out', async () => {
    const { person } = await enterFresh();
    expect((await person.ask('DELETE', '/bff/session')).status).toBe(204);
  });
});
