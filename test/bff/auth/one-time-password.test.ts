import { beforeEach, describe, expect, it, test } from 'vitest';
import { attemptLimits } from '../../../src/bff/auth/attempts.ts';
import { makeOneTimePassword } from '../../../src/bff/auth/one-time-password.ts';
import { createStaffAccounts } from '../../../src/bff/staff/store.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { outcomeOf, password } from '../../support/bff/browser.ts';
import { isIn, manage, meanwhile, statusOfSignIn, trySignIn } from '../../support/bff/person.ts';
import { recordEventOf, someone } from '../../support/bff/entries.ts';

const fresh = 'nine tired otters sing';
const day = 24 * 60 * 60_000;

let bff: TestDesk;
let manager: Awaited<ReturnType<typeof manage>>;
beforeEach(async () => {
  bff = await createTestDesk();
  manager = await manage(bff);
});

test('one-time passwords differ and use every character of their alphabet equally', () => {
  let next = 0;
  // Every byte there is, each as often as the others.
  const everyByte = (bytes: number) => Uint8Array.from({ length: bytes }, () => next++ % 256);
  const all = Array.from({ length: 64 }, () => makeOneTimePassword(everyByte));
  expect(all[0]).toHaveLength(23);
  const letters = [...all.join('').replaceAll('-', '')];
  const counts = Object.values(Object.groupBy(letters, (letter) => letter)).map((same) => same?.length);
  expect(counts).toHaveLength(32);
  expect(new Set(counts).size).toBe(1);
});

/** Gives the account `support` a one-time password. */
async function reset(): Promise<string> {
  const { oneTimePassword } = await (await manager.reset('support')).json();
  return oneTimePassword;
}
/** The outcome of a sign-in to the account `support`. */
const signIn = (password: string) => outcomeOf(trySignIn(bff, 'support', { password }));
const guess = () => signIn('a guess of a stranger');

describe('a one-time password', () => {
  it('replaces the password before, and ends its sessions', async () => {
    const person = await bff.signIn('support');
    const { staff, oneTimePassword } = await (await manager.reset('support')).json();
    expect(staff).toMatchObject({ name: 'support', mustChangePassword: true });
    expect([await isIn(person), await statusOfSignIn(bff, 'support')]).toEqual([false, 401]);
    expect(await signIn(oneTimePassword)).toBe('200');
  });

  it('is right as it is told by phone: with blanks, capitals, other hyphens, and 1 or l for i', async () => {
    const reported = [
      (password: string) => password.toUpperCase().replaceAll('-', ' '),
      (password: string) => ` ${password.replaceAll('-', '')} `,
      (password: string) => password.replaceAll('i', '1').replaceAll('-', ' - '),
      (password: string) => password.replaceAll('i', 'L'),
    ];
    for (const tell of reported) expect(await signIn(tell(await reset()))).toBe('200');
    expect(await signIn((await reset()).replace(/^./, (letter) => (letter === 'a' ? 'b' : 'a')))).toBe(
      '401 wrong-password',
    );
  });

  it('is told so, and no password that somebody has chosen', async () => {
    expect(await signIn(password.toUpperCase())).toBe('401 wrong-password');
  });

  it('expires after a day, which only a sign-in with it is told', async () => {
    const password = await reset();
    bff.time.now += day;
    expect([await signIn(password), await guess()]).toEqual(['401 password-expired', '401 wrong-password']);
    bff.time.now -= 1;
    expect(await signIn(password)).toBe('200');
  });

  it('is replaced by a password of one’s own while strangers guess at the account', async () => {
    const person = await bff.signIn('support', await reset());
    for (let count = 0; count < 11; count += 1) await guess();
    expect(await guess()).toBe('429 too-many-attempts');
    expect((await person.ask('PUT', '/bff/password', { newPassword: fresh })).status).toBe(200);
  });

  it('is not good for longer if it was given while the clock was ahead', async () => {
    const { id = '' } = (await manager.find('support')) ?? {};
    const accounts = createStaffAccounts({ ...bff.deps, recordEvent: recordEventOf(bff.deps) });
    bff.time.now += 500 * day;
    const { oneTimePassword } = await accounts.resetPassword(id, someone, async () => undefined);
    bff.time.now -= 500 * day;
    expect(await signIn(oneTimePassword)).toBe('401 password-expired');
  });

  it('opens one session: whoever tries it again is told why not', async () => {
    const password = await reset();
    const person = await bff.signIn('support', password);
    for (const passed of [0, day, -2 * day, day]) {
      bff.time.now += passed;
      const { status, detail } = await (await trySignIn(bff, 'support', { password })).json();
      expect([status, detail]).toEqual([401, expect.stringMatching(/already used.*Ask a manager/)]);
      expect(await guess()).toBe('401 wrong-password');
    }
    expect(await isIn(person)).toBe(true);
  });

  it.each([false, true])(
    'opens one session also where it is tried many times at once at two servers (of before there was an end: %s)',
    async (old) => {
      const password = await reset();
      if (old) await bff.db.updateTable('staff').set({ password_expires_at: null }).execute();
      const other = bff.openReplica();
      const tries = [bff, other, bff, other, bff, other].map((server, index) =>
        trySignIn(server, 'support', { password, address: `192.0.2.${index}` }),
      );
      const opened = (await Promise.all(tries)).map(({ status }) => status === 200);
      expect(opened.filter(Boolean)).toHaveLength(1);
      // Another is that of the manager.
      expect(await bff.rows('sessions')).toHaveLength(2);
    },
  );

  it('makes no browser known before a password was chosen there', async () => {
    const response = await trySignIn(bff, 'support', { password: await reset() });
    expect(response.headers.getSetCookie()).toHaveLength(1);
  });

  it('expires also where it is of a new account, and a chosen password does not', async () => {
    const [first, second] = [await manager.add('first', 'viewer'), await manager.add('second', 'viewer')];
    const person = await bff.signIn('first', first.oneTimePassword);
    const body = { password: first.oneTimePassword, newPassword: fresh };
    expect((await person.ask('PUT', '/bff/password', body)).status).toBe(200);
    bff.time.now += 365 * day;
    expect(await statusOfSignIn(bff, 'first', fresh)).toBe(200);
    expect(await statusOfSignIn(bff, 'second', second.oneTimePassword)).toBe(401);
  });

  it('enables no account that a manager disabled', async () => {
    await manager.change('support', { disabled: true });
    expect(await signIn(await reset())).toBe('401 wrong-password');
  });

  it('cannot be given to oneself, because that would not ask for the current one', async () => {
    expect(await outcomeOf(manager.reset('manager'))).toBe('403 not-allowed');
    expect(await statusOfSignIn(bff, 'manager')).toBe(200);
  });

  it('refuses a sign-in with the old one that is under way', async () => {
    meanwhile(bff, 'verify', () => manager.reset('support'));
    expect(await statusOfSignIn(bff, 'support')).toBe(401);
  });
});

describe('a one-time password of an account at which strangers guess', () => {
  const wrong = 'abcde-fghij-kmnpq-rstuv';
  const tooMany = '429 too-many-attempts';
  const guessOften = async (name: string) => {
    for (let count = 0; count < attemptLimits.password.account; count += 1)
      await trySignIn(bff, name, { password: 'a guess of a stranger', address: `192.0.2.${count}` });
  };

  it('signs in, as nobody guesses it', async () => {
    const oneTime = await reset();
    await guessOften('support');
    expect([await guess(), await signIn(wrong), await signIn(oneTime.toUpperCase())]).toEqual([
      tooMany,
      tooMany,
      '200',
    ]);
  });

  it('is not told from one that nobody was given, and no chosen password passes for one', async () => {
    await reset();
    const chosen = await bff.passwords.hash(wrong);
    await bff.changeAccount('viewer', { password_hash: chosen });
    const answers = [];
    for (const name of ['support', 'viewer', 'nobody']) {
      await guessOften(name);
      const { verified } = bff.passwords;
      const answer = await trySignIn(bff, name, { password: wrong });
      const { detail } = await answer.json();
      answers.push([
        answer.status,
        detail,
        answer.headers.get('Retry-After'),
        bff.passwords.verified - verified,
      ]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([429, 'Too many attempts. Try again in 6 minutes.', '360', 1]);
  });

  it('is looked at up to a limit from one address, and then gets in from another', async () => {
    const oneTime = await reset();
    await guessOften('support');
    for (let count = 0; count < attemptLimits['one-time-password'].address; count += 1) await signIn(wrong);
    const { verified } = bff.passwords;
    expect([await signIn(oneTime), bff.passwords.verified]).toEqual([tooMany, verified]);
    expect(await outcomeOf(trySignIn(bff, 'support', { password: oneTime, address: '192.0.2.99' }))).toBe(
      '200',
    );
  });
});

describe('a user who signed in with a one-time password', () => {
  const enter = async (role = 'viewer') => {
    const { oneTimePassword } = await manager.add('newcomer', role);
    const person = await bff.signIn('newcomer', oneTimePassword);
    const choose = (body: object) => person.ask('PUT', '/bff/password', { newPassword: fresh, ...body });
    return { ...person, oneTimePassword, choose };
  };

  it('is told by the session, and may do nothing yet but sign out', async () => {
    const person = await enter('manager');
    expect(await (await person.ask('GET', '/bff/session')).json()).toMatchObject({
      staff: { name: 'newcomer', role: 'manager' },
      mustChangePassword: true,
      can: [],
    });
    expect((await person.ask('DELETE', '/bff/session')).status).toBe(204);
  });

  it('chooses another without entering it again, and then may do what the role allows', async () => {
    const { ask, choose, oneTimePassword } = await enter();
    const response = await choose({});
    expect([response.status, response.headers.getSetCookie().length]).toEqual([200, 2]);
    expect((await ask('GET', '/api/subscribers')).status).toBe(200);
    expect((await ask('GET', '/bff/staff')).status).toBe(403);
    expect(await manager.find('newcomer')).toMatchObject({ mustChangePassword: false });
    expect(await statusOfSignIn(bff, 'newcomer', oneTimePassword)).toBe(401);
    expect(await statusOfSignIn(bff, 'newcomer', fresh)).toBe(200);
    expect((await choose({ newPassword: `${fresh}.` })).status).toBe(422);
  });

  it.each([true, false])('cannot keep it as the new one (entered again: %s)', async (again) => {
    const { choose, oneTimePassword } = await enter();
    const response = await choose({
      newPassword: oneTimePassword,
      ...(again && { password: oneTimePassword }),
    });
    const { errors }: { errors: object } = await response.json();
    expect([response.status, Object.keys(errors)]).toEqual([422, ['newPassword']]);
  });

  it.each([true, false])(
    'cannot keep it as it is told by phone either, which the manager knows too (entered again: %s)',
    async (again) => {
      const { choose, oneTimePassword } = await enter();
      const response = await choose({
        newPassword: oneTimePassword.toUpperCase().replaceAll('-', ' '),
        ...(again && { password: oneTimePassword }),
      });
      expect(await outcomeOf(response)).toBe('422 invalid-input');
    },
  );

  it('cannot choose another in a session that a reset has ended', async () => {
    const { choose } = await enter();
    await manager.reset('newcomer');
    expect((await choose({})).status).toBe(401);
  });
});
