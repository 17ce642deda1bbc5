import { beforeEach, describe, expect, it } from 'vitest';
import { attemptLimits, attemptWindow } from '../../../src/bff/auth/attempts.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import type { Tried } from '../../support/bff/person.ts';
import { trySignIn } from '../../support/bff/person.ts';
import { codeAt, codeLife, setUpApp } from '../../support/bff/second-factor.ts';

const wrongCode = '401 wrong-code';
const tooMany = '429 too-many-attempts';

let bff: TestDesk;
let app: Awaited<ReturnType<typeof setUpApp>>;
beforeEach(async () => {
  bff = await createTestDesk();
  app = await setUpApp(bff, await bff.signIn('support'));
});

const signIn = (code?: string, tried: Tried = {}) => outcomeOf(trySignIn(bff, 'support', { ...tried, code }));
const signInAsViewer = (code?: string) => outcomeOf(trySignIn(bff, 'viewer', { code }));
/** Number of successes of 20 sign-ins with a code at once, at two servers. */
async function countOpened(code = '') {
  const other = bff.openReplica();
  const tries = Array.from({ length: 20 }, (_, index) =>
    trySignIn(index % 2 === 0 ? bff : other, 'support', { code }),
  );
  return (await Promise.all(tries)).filter(({ ok }) => ok).length;
}

describe('an account with an authenticator app', () => {
  it('is not signed in to without its code, and no cookie is set', async () => {
    const response = await trySignIn(bff, 'support');
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []]);
    expect(await response.json()).toMatchObject({
      type: 'urn:subscriber-desk:problem:code-needed',
      detail: 'This account has a second factor. Enter the code that your authenticator app shows.',
    });
    expect(await bff.rows('failed_sign_ins')).toEqual([]);
  });

  it('answers a wrong password as ever, whatever code comes with it', async () => {
    const wrong = { password: 'wrong' };
    expect(await signIn(undefined, wrong)).toBe('401 wrong-password');
    expect(await signIn(app.code(), wrong)).toBe('401 wrong-password');
    // The code was not used up.
    expect(await signIn(app.code())).toBe('200');
  });

  it('takes no attempts from the colleagues behind its address by being asked for the code', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `colleague ${index}`);
    for (const name of names) {
      await bff.hire('support', name);
      await setUpApp(bff, await bff.signIn(name));
    }
    const fromOffice = { address: '192.0.2.1' };
    for (const name of names)
      for (let count = 1; count < attemptLimits.password.account; count += 1)
        expect(await outcomeOf(trySignIn(bff, name, fromOffice))).toBe('401 code-needed');
    expect(await signIn(app.code(), fromOffice)).toBe('200');
  });

  it('takes a code with blanks, and none of another account', async () => {
    const other = await setUpApp(bff, await bff.signIn('viewer'));
    expect(await signIn(other.code())).toBe(wrongCode);
    expect(await signIn(app.code().replace(/^.../, '$& '))).toBe('200');
  });

  it('counts a wrong code as a failed sign-in of the account', async () => {
    expect(await signIn('000000')).toBe(wrongCode);
    expect(await bff.rows('failed_sign_ins')).toMatchObject([{ name: 'support', times: 1 }]);
    expect(bff.logs).toContainEqual(expect.objectContaining({ event: 'sign-in-failed' }));
  });

  it('is asked for the code with a one-time password too, which a wrong code does not use up', async () => {
    const change = { must_change_password: 1, password_expires_at: bff.time.now + 60_000 };
    await bff.changeAccount('support', change);
    expect(await signIn()).toBe('401 code-needed');
    expect(await signIn('000000')).toBe(wrongCode);
    expect(await signIn(app.code())).toBe('200');
    bff.time.now += codeLife;
    expect(await signIn(app.code())).toBe('401 password-expired');
  });

  it('has the key of the app encrypted where it is stored, for this account alone', async () => {
    await setUpApp(bff, await bff.signIn('viewer'));
    const rows = await bff.db.selectFrom('second_factors').select('secret').orderBy('created_at').execute();
    expect(JSON.stringify(rows)).not.toContain(app.key);
    await bff.db
      .updateTable('second_factors')
      .set({ secret: rows[0]?.secret ?? '' })
      .execute();
    expect(await signIn(app.code())).toBe('200');
    bff.time.now += codeLife;
    expect(await signInAsViewer(app.code())).toBe(wrongCode);
  });

  it('has the key and all codes in no line of the log', async () => {
    const [recoveryCode = ''] = app.recoveryCodes;
    for (const code of ['000000', app.code(), recoveryCode, 'x'.repeat(65)]) await signIn(code);
    const logged = JSON.stringify(bff.logs);
    for (const secret of [app.key, bff.deps.secondFactorKey, app.code(), '000000', recoveryCode])
      expect(logged).not.toContain(secret);
  });
});

describe('the code of an app', () => {
  it.each([
    ['30 s late', -codeLife, '200'],
    ['right', 0, '200'],
    ['30 s early', codeLife, '200'],
    ['60 s late', -2 * codeLife, wrongCode],
    ['60 s early', 2 * codeLife, wrongCode],
  ])('is taken or not where its clock is %s', async (_, off, expected) => {
    // Past the code that was used to set it up.
    bff.time.now += 10 * codeLife;
    expect(await signIn(codeAt(app.key, bff.time.now + off))).toBe(expected);
  });

  it('works once, and none before it works any more', async () => {
    const [before, code] = [codeAt(app.key, bff.time.now), codeAt(app.key, bff.time.now + codeLife)];
    expect([await signIn(code), await signIn(code), await signIn(before)]).toEqual([
      '200',
      wrongCode,
      wrongCode,
    ]);
    bff.time.now += codeLife;
    expect(await signIn(codeAt(app.key, bff.time.now + codeLife))).toBe('200');
  });

  it('does not sign in if it was used to set the app up', async () => {
    expect(await signIn(codeAt(app.key, bff.time.now - codeLife))).toBe(wrongCode);
  });

  it('opens one session, at however many servers it is tried at once', async () => {
    expect(await countOpened(app.code())).toBe(1);
  });

  it('does not lock its owner out if a clock of the future accepted it', async () => {
    const now = bff.time.now;
    bff.time.now += 365 * 24 * 60 * 60_000;
    expect(await signIn(app.code())).toBe('200');
    bff.time.now = now + codeLife;
    expect(await signIn(app.code())).toBe('200');
  });
});

describe('a guesser of codes', () => {
  const guess = async (times: number) => {
    for (let count = 0; count < times; count += 1) expect(await signIn('000000')).toBe(wrongCode);
  };

  it('locks the account after five, also for the right code, and no other account', async () => {
    const answer = await trySignIn(bff, 'support', { code: app.code() });
    const known = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('desk-known')) ?? '';
    bff.time.now += codeLife;
    await guess(5);
    expect([await signIn(app.code()), await signInAsViewer()]).toEqual([tooMany, '200']);
    // Who has lost the phone is not kept out by it.
    expect([await signIn(), await signIn(app.recoveryCodes[0])]).toEqual(['401 code-needed', '200']);
    // Its owner has a browser that is known.
    expect(await signIn(app.code(), { headers: { Cookie: known.split(';')[0] ?? '' } })).toBe('200');
    bff.time.now += attemptWindow;
    expect(await signIn(app.code())).toBe('200');
  });

  it('gets no more guesses many times at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 9 }, () => signIn('000000')));
    expect(outcomes.filter((outcome) => outcome === wrongCode)).toHaveLength(5);
  });

  it('gets no more guesses at recovery codes, which are counted apart', async () => {
    const tries = Array.from({ length: 6 }, () => signIn('aaaa-bbbb-cccc'));
    expect((await Promise.all(tries)).filter((outcome) => outcome === wrongCode)).toHaveLength(5);
    expect([await signIn(app.recoveryCodes[0]), await signIn(app.code())]).toEqual([tooMany, '200']);
  });

  it('starts again from 0 after a right code in a known browser', async () => {
    const answer = await trySignIn(bff, 'support', { code: app.code() });
    const [, Cookie = ''] = answer.headers.getSetCookie();
    const headers = { Cookie };
    for (const _ of [1, 2]) {
      bff.time.now += codeLife;
      for (let count = 1; count < 5; count += 1) await signIn('000000', { headers });
      expect(await signIn(app.code(), { headers })).toBe('200');
    }
  });

  it('is counted for the password as well: a right password alone starts nothing again', async () => {
    for (let count = 0; count < attemptLimits.password.account; count += 1)
      expect(await signIn()).toBe('401 code-needed');
    expect(await signIn(app.code())).toBe(tooMany);
  });
});

describe('a recovery code', () => {
  it('signs in once, typed in any way', async () => {
    const [code = '', next = ''] = app.recoveryCodes;
    expect([await signIn(code), await signIn(code)]).toEqual(['200', wrongCode]);
    expect(await signIn(` ${next.toUpperCase().replaceAll('-', ' ')}`)).toBe('200');
  });

  it('opens one session, at however many servers it is tried at once', async () => {
    expect(await countOpened(app.recoveryCodes[0])).toBe(1);
  });

  it('does not open another account', async () => {
    await setUpApp(bff, await bff.signIn('viewer'));
    expect(await signInAsViewer(app.recoveryCodes[0])).toBe(wrongCode);
  });

  it('is one of ten, each of 60 bits, and only digests are stored', async () => {
    expect(new Set(app.recoveryCodes).size).toBe(10);
    const stored = JSON.stringify(await bff.rows('recovery_codes'));
    for (const code of app.recoveryCodes) {
      expect(code).toMatch(/^([a-km-np-z2-9]{4}-){2}[a-km-np-z2-9]{4}$/);
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll('-', ''));
    }
  });

  it('is named by the entry of its sign-in', async () => {
    await signIn(app.code());
    await signIn(app.recoveryCodes[0]);
    const manager = await bff.signIn('manager');
    const { items } = (await manager.bff.listActivity({ query: { operation: 'signIn' } })).data;
    const ways = items.flatMap((entry) => (entry.kind === 'change' ? [] : [entry.details]));
    expect(ways.slice(1, 3)).toEqual([
      { way: 'password', secondFactor: 'recovery-code' },
      { way: 'password', secondFactor: 'totp' },
    ]);
  });
});
