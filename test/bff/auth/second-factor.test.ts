import { beforeEach, describe, expect, test } from 'vitest';
import { createBff } from '../../../src/bff/bff.ts';
import { signInRateLimit } from '../../../src/bff/auth/sign-in-rate-limit.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, credentialsOf } from '../../support/bff/browser.ts';
import { codeAt, codeLife, setUpApp, signInWith } from '../../support/bff/second-factor.ts';

let bff: TestDesk;
let app: Awaited<ReturnType<typeof setUpApp>>;

beforeEach(async () => {
  bff = await createTestDesk();
  app = await setUpApp(bff, await bff.signIn('support'));
});

/** The status and the code of an answer. */
async function outcomeOf(answer: Promise<Response> | Response) {
  const response = await answer;
  return response.ok ? response.status : [response.status, await codeIn(response)];
}

const signIn = (code?: string, change = {}) => outcomeOf(signInWith(bff, 'support', code, change));
const failedSignIns = () => bff.db.selectFrom('failed_sign_ins').select(['name', 'times']).execute();

describe('an account with an authenticator app', () => {
  test('is signed in to with its code', async () => {
    const response = await signInWith(bff, 'support', app.code());
    expect(await response.json()).toMatchObject({ staff: { name: 'support' } });
  });

  test('is not signed in to without one, and no cookie is set', async () => {
    const response = await signInWith(bff, 'support');
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []]);
    expect(await response.json()).toMatchObject({
      type: 'urn:subscriber-desk:problem:code-needed',
      detail: 'This account has a second factor. Enter the code that your authenticator app shows.',
    });
    expect(await failedSignIns()).toEqual([]);
  });

  test('answers a wrong password as ever, whatever code comes with it', async () => {
    const wrong = { password: 'wrong' };
    expect(await signIn(undefined, wrong)).toEqual([401, 'wrong-password']);
    expect(await signIn(app.code(), wrong)).toEqual([401, 'wrong-password']);
    // The code was not used up.
    expect(await signIn(app.code())).toBe(200);
  });

  test('takes a code with blanks, and none of another account', async () => {
    const other = await setUpApp(bff, await bff.signIn('viewer'));
    expect(await signIn(other.code())).toEqual([401, 'wrong-code']);
    expect(await signIn(app.code().replace(/^.../, '$& '))).toBe(200);
  });

  test('counts a wrong code as a failed sign-in of the account', async () => {
    expect(await signIn('000000')).toEqual([401, 'wrong-code']);
    expect(await failedSignIns()).toEqual([{ name: 'support', times: 1 }]);
    expect(bff.logs).toContainEqual(expect.objectContaining({ event: 'sign-in-failed' }));
  });

  test('leaves other accounts as they are', async () => {
    expect(await outcomeOf(signInWith(bff, 'viewer'))).toBe(200);
    expect(await outcomeOf(signInWith(bff, 'viewer', '123456'))).toBe(200);
  });
});

describe('the clock of the app', () => {
  test.each([
    ['may be 30 s late', -codeLife, 200],
    ['may be right', 0, 200],
    ['may be 30 s early', codeLife, 200],
    ['must not be 60 s late', -2 * codeLife, [401, 'wrong-code']],
    ['must not be 60 s early', 2 * codeLife, [401, 'wrong-code']],
  ])('%s', async (_, off, expected) => {
    // Past the code that was used to set it up.
    bff.time.now += 10 * codeLife;
    expect(await signIn(codeAt(app.key, bff.time.now + off))).toEqual(expected);
  });
});

describe('a code', () => {
  test('works once, and none before it works any more', async () => {
    const [before, code] = [codeAt(app.key, bff.time.now), codeAt(app.key, bff.time.now + codeLife)];
    expect(await signIn(code)).toBe(200);
    expect(await signIn(code)).toEqual([401, 'wrong-code']);
    expect(await signIn(before)).toEqual([401, 'wrong-code']);
    bff.time.now += codeLife;
    expect(await signIn(codeAt(app.key, bff.time.now + codeLife))).toBe(200);
  });

  test('that set the app up does not also sign in', async () => {
    expect(await signIn(codeAt(app.key, bff.time.now - codeLife))).toEqual([401, 'wrong-code']);
  });

  test('opens one session, at however many servers it is tried at once', async () => {
    const other = createBff({ ...bff.deps, random: createDice(2).bytes });
    const code = app.code();
    const tries = [bff, other, bff, other].map((server) => outcomeOf(signInWith(server, 'support', code)));
    expect((await Promise.all(tries)).filter((outcome) => outcome === 200)).toHaveLength(1);
  });

  test('that a clock of the future accepted does not lock its owner out', async () => {
    const now = bff.time.now;
    bff.time.now += 365 * 24 * 60 * 60_000;
    expect(await signIn(app.code())).toBe(200);
    bff.time.now = now + codeLife;
    expect(await signIn(app.code())).toBe(200);
  });
});

describe('guessing codes', () => {
  const guess = async (times: number) => {
    for (let count = 0; count < times; count += 1)
      expect(await signIn('000000')).toEqual([401, 'wrong-code']);
  };

  test('locks the account after five, also for the right code, and no other account', async () => {
    await guess(5);
    expect(await signIn(app.code())).toEqual([429, 'too-many-attempts']);
    expect(await signIn()).toEqual([429, 'too-many-attempts']);
    expect(await outcomeOf(signInWith(bff, 'viewer'))).toBe(200);
    bff.time.now += signInRateLimit.window;
    expect(await signIn(app.code())).toBe(200);
  });

  test('many times at once gets no more guesses', async () => {
    const tries = Array.from({ length: 9 }, () => signIn('000000'));
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((outcome) => JSON.stringify(outcome).includes('wrong-code'))).toHaveLength(5);
  });

  test('starts again from 0 after a right one', async () => {
    await guess(4);
    expect(await signIn(app.code())).toBe(200);
    await guess(4);
    bff.time.now += codeLife;
    expect(await signIn(app.code())).toBe(200);
  });

  test('counts for the password as well: a right password alone starts nothing again', async () => {
    for (let count = 0; count < signInRateLimit.account; count += 1)
      expect(await signIn()).toEqual([401, 'code-needed']);
    expect(await signIn(app.code())).toEqual([429, 'too-many-attempts']);
  });

  test('elsewhere leaves the owner a browser that is known', async () => {
    const answer = await signInWith(bff, 'support', app.code());
    const known = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('desk-known')) ?? '';
    const headers = { Cookie: known.split(';')[0] ?? '' };
    await guess(5);
    bff.time.now += codeLife;
    expect(await signIn(app.code(), { headers })).toBe(200);
  });
});

describe('a recovery code', () => {
  test('signs in once, typed in any way', async () => {
    const [code = '', next = ''] = app.recoveryCodes;
    expect(await signIn(code)).toBe(200);
    expect(await signIn(code)).toEqual([401, 'wrong-code']);
    expect(await signIn(` ${next.toUpperCase().replaceAll('-', ' ')}`)).toBe(200);
  });

  test('opens one session, at however many servers it is tried at once', async () => {
    const other = createBff({ ...bff.deps, random: createDice(2).bytes });
    const [code = ''] = app.recoveryCodes;
    const tries = [bff, other, bff, other].map((server) => outcomeOf(signInWith(server, 'support', code)));
    expect((await Promise.all(tries)).filter((outcome) => outcome === 200)).toHaveLength(1);
  });

  test('does not open another account', async () => {
    await setUpApp(bff, await bff.signIn('viewer'));
    expect(await outcomeOf(signInWith(bff, 'viewer', app.recoveryCodes[0]))).toEqual([401, 'wrong-code']);
  });

  test('is one of ten, each of 60 bits, and only digests are stored', async () => {
    expect(new Set(app.recoveryCodes).size).toBe(10);
    for (const code of app.recoveryCodes) expect(code).toMatch(/^([a-km-np-z2-9]{4}-){2}[a-km-np-z2-9]{4}$/);
    const stored = JSON.stringify(await bff.db.selectFrom('recovery_codes').selectAll().execute());
    for (const code of app.recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll('-', ''));
    }
  });

  test('is named by the entry of its sign-in', async () => {
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

describe('with a one-time password', () => {
  test('the code is asked for too, and a wrong one does not use the password up', async () => {
    await bff.db
      .updateTable('staff')
      .set({ must_change_password: 1, password_expires_at: bff.time.now + 60_000 })
      .where('name', '=', 'support')
      .execute();
    expect(await signIn()).toEqual([401, 'code-needed']);
    expect(await signIn('000000')).toEqual([401, 'wrong-code']);
    expect(await signIn(app.code())).toBe(200);
    bff.time.now += codeLife;
    expect(await signIn(app.code())).toEqual([401, 'password-expired']);
  });
});

describe('the key of the app', () => {
  test('is encrypted where it is stored, for its account alone', async () => {
    await setUpApp(bff, await bff.signIn('viewer'));
    const rows = await bff.db.selectFrom('second_factors').selectAll().orderBy('created_at').execute();
    expect(JSON.stringify(rows)).not.toContain(app.key);
    await bff.db
      .updateTable('second_factors')
      .set({ secret: rows[0]?.secret ?? '' })
      .execute();
    expect(await signIn(app.code())).toBe(200);
    bff.time.now += codeLife;
    expect(await outcomeOf(signInWith(bff, 'viewer', app.code()))).toEqual([401, 'wrong-code']);
  });

  test('and all codes are in no line of the log', async () => {
    await signIn('000000');
    await signIn(app.code());
    await signIn(app.recoveryCodes[0]);
    await bff.fetch(
      ask('POST', '/bff/session', { body: { ...credentialsOf('support'), code: 'x'.repeat(65) } }),
    );
    const logged = JSON.stringify(bff.logs);
    for (const secret of [
      app.key,
      bff.deps.secondFactorKey,
      app.code(),
      '000000',
      app.recoveryCodes[0] ?? '',
    ])
      expect(logged).not.toContain(secret);
  });
});
