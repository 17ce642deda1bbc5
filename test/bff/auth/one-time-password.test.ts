import { beforeEach, describe, expect, test } from 'vitest';
import { makeOneTimePassword } from '../../../src/bff/auth/one-time-password.ts';
import { createBff } from '../../../src/bff/bff.ts';
import { createStaffAccounts } from '../../../src/bff/staff/store.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { isIn, manage, meanwhile, statusOfSignIn } from '../../support/bff/person.ts';
import { closedRoutes } from '../../support/bff/routes.ts';
import { recordEventOf, someone } from '../../support/bff/entries.ts';

const fresh = 'nine tired otters sing';
const day = 24 * 60 * 60_000;
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

/** What a sign-in to the account `support` is answered with. */
async function trySignIn(password: string): Promise<[status: number, code: string | null]> {
  const response = await bff.fetch(ask('POST', '/bff/session', { body: { name: 'support', password } }));
  return [response.status, response.status === 200 ? null : await codeIn(response)];
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
    bff.time.now = begun + day;
    expect(await trySignIn(oneTimePassword)).toEqual([401, 'password-expired']);
    expect(await trySignIn('another')).toEqual([401, 'wrong-password']);
    bff.time.now = begun + day - 1;
    expect(await trySignIn(oneTimePassword)).toEqual([200, null]);
  });

  test('is replaced by a password of one’s own while strangers guess at the account', async () => {
    const { oneTimePassword } = await (await manager.reset('support')).json();
    const person = await bff.signIn('support', oneTimePassword);
    for (let count = 0; count < 11; count += 1) await trySignIn('a guess of a stranger');
    expect(await trySignIn('a guess of a stranger')).toEqual([429, 'too-many-attempts']);
    const response = await person.ask('PUT', '/bff/password', { newPassword: fresh });
    expect(response.status).toBe(200);
  });

  test('given while the clock was ahead is not good for longer', async () => {
    const { id = '' } = (await manager.find('support')) ?? {};
    const accounts = createStaffAccounts({ ...bff.deps, recordEvent: recordEventOf(bff.deps) });
    bff.time.now += 500 * day;
    const { oneTimePassword } = await accounts.resetPassword(id, someone);
    bff.time.now -= 500 * day;
    expect(await trySignIn(oneTimePassword)).toEqual([401, 'password-expired']);
  });

  test('opens one session: whoever tries it again is told why not', async () => {
    const { oneTimePassword } = await (await manager.reset('support')).json();
    const person = await bff.signIn('support', oneTimePassword);
    for (const passed of [0, day, -2 * day, day]) {
      bff.time.now += passed;
      const body = { name: 'support', password: oneTimePassword };
      const response = await bff.fetch(ask('POST', '/bff/session', { body }));
      const { status, detail }: { status: number; detail: string } = await response.json();
      expect([status, detail]).toEqual([401, expect.stringMatching(/already used.*Ask a manager/)]);
      expect(await trySignIn('another')).toEqual([401, 'wrong-password']);
    }
    expect(await isIn(person)).toBe(true);
  });

  test.each([false, true])(
    'opens one session also where it is tried many times at once at two servers (of before there was an end: %s)',
    async (old) => {
      const { oneTimePassword } = await (await manager.reset('support')).json();
      if (old) await bff.db.updateTable('staff').set({ password_expires_at: null }).execute();
      const other = createBff({ ...bff.deps, random: createDice(2).bytes });
      const tries = [bff, other, bff, other, bff, other].map((server, index) =>
        server.fetch(ask('POST', '/bff/session', { body: { name: 'support', password: oneTimePassword } }), {
          address: `192.0.2.${index}`,
        }),
      );
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      expect(statuses.toSorted((one, two) => one - two)).toEqual([200, 401, 401, 401, 401, 401]);
      const sessions = bff.db.selectFrom('sessions').innerJoin('staff', 'staff.id', 'sessions.staff_id');
      expect(await sessions.select('key').where('staff.name', '=', 'support').execute()).toHaveLength(1);
    },
  );

  test('makes no browser known before a password was chosen there', async () => {
    const { oneTimePassword } = await (await manager.reset('support')).json();
    const body = { name: 'support', password: oneTimePassword };
    const response = await bff.fetch(ask('POST', '/bff/session', { body }));
    expect(response.headers.getSetCookie()).toHaveLength(1);
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

  test('need not enter it again to choose another', async () => {
    const { person } = await enterFresh('viewer');
    const response = await person.ask('PUT', '/bff/password', { newPassword: fresh });
    expect([response.status, response.headers.getSetCookie().length]).toEqual([200, 2]);
    expect((await person.ask('GET', '/api/subscribers/1')).status).not.toBe(403);
    expect(await statusOfSignIn(bff, 'newcomer', fresh)).toBe(200);
    expect((await person.ask('PUT', '/bff/password', { newPassword: `${fresh}.` })).status).toBe(422);
  });

  test.each([true, false])('cannot keep it as the new one (entered again: %s)', async (again) => {
    const { person, oneTimePassword } = await enterFresh();
    const body = { newPassword: oneTimePassword, ...(again && { password: oneTimePassword }) };
    const response = await person.ask('PUT', '/bff/password', body);
    const { errors }: { errors: object } = await response.json();
    expect([response.status, Object.keys(errors)]).toEqual([422, ['newPassword']]);
  });

  test('cannot choose another in a session that a reset has ended', async () => {
    const { person } = await enterFresh();
    await manager.reset('newcomer');
    expect((await person.ask('PUT', '/bff/password', { newPassword: fresh })).status).toBe(401);
  });

  test('may sign out', async () => {
    const { person } = await enterFresh();
    expect((await person.ask('DELETE', '/bff/session')).status).toBe(204);
  });
});
