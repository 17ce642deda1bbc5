import { beforeEach, describe, expect, test } from 'vitest';
import { signInRateLimit } from '../../../src/bff/auth/sign-in-rate-limit.ts';
import { engine } from '../../support/setup/database.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, credentialsOf } from '../../support/bff/browser.ts';

let bff: TestDesk;

beforeEach(async () => {
  bff = await createTestDesk();
});

function trySignIn(name: string, password?: string, address = '192.0.2.1') {
  const body = { ...credentialsOf(name), ...(password !== undefined && { password }) };
  return bff.fetch(ask('POST', '/bff/session', { body }), { address });
}

async function failTimes(times: number, name: string, address?: string) {
  for (let count = 0; count < times; count += 1) await trySignIn(name, 'wrong', address);
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;

describe('sign-in', () => {
  test('finds the name without regard to case and to blanks around it', async () => {
    expect(await statusOf(trySignIn(' MANAGER '))).toBe(200);
  });

  test('gives the same answer for every cause, after the same work', async () => {
    await bff.db.updateTable('staff').set({ disabled: 1 }).where('name', '=', 'support').execute();
    const tries = [
      trySignIn('manager', 'wrong'),
      trySignIn('nobody', 'wrong'),
      trySignIn('nobody'),
      trySignIn('support'),
    ];
    const answers = await Promise.all(tries);
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(new Set(bodies.map((body) => JSON.stringify({ ...body, requestId: '' }))).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    expect(bff.passwords.verified).toBe(4);
  });

  test('makes the decoy hash for unknown accounts at the first sign-in of any account', async () => {
    const hashed = bff.passwords.hashed;
    await trySignIn('manager');
    expect(bff.passwords.hashed).toBe(hashed + 1);
    await trySignIn('nobody');
    expect(bff.passwords.hashed).toBe(hashed + 1);
  });

  test.each([
    {},
    { name: 'manager' },
    { name: '', password: 'x' },
    { ...credentialsOf('manager'), role: 'manager' },
    '[]',
    '{',
  ])('answers %j with what to correct', async (body) => {
    const response = await bff.fetch(ask('POST', '/bff/session', { body }));
    expect([response.status, await codeIn(response)]).toEqual([422, 'invalid-input']);
    expect(bff.passwords.verified).toBe(0);
  });

  test('reports success and failure without the name', async () => {
    await trySignIn('manager', 'wrong');
    await trySignIn('manager');
    const manager = await bff.db.selectFrom('staff').select('id').where('name', '=', 'manager').execute();
    const requestId = expect.stringMatching(/^[\w-]{16}$/);
    expect(bff.logs).toContainEqual({ level: 'warn', event: 'sign-in-failed', requestId });
    expect(bff.logs).toContainEqual({
      level: 'info',
      event: 'signed-in',
      requestId,
      staffId: manager[0]?.id,
    });
  });
});

describe('guessing at one account', () => {
  test('is stopped without hashing, from any address and with any password', async () => {
    for (let count = 0; count < signInRateLimit.account; count += 1)
      await trySignIn('manager', 'wrong', `192.0.2.${count}`);
    const hashes = bff.passwords.verified;
    const response = await trySignIn('Manager', undefined, '198.51.100.1');
    expect([response.status, await codeIn(response)]).toEqual([429, 'too-many-attempts']);
    expect(bff.passwords.verified).toBe(hashes);
    expect(bff.logs).toContainEqual(expect.objectContaining({ level: 'warn', event: 'sign-in-limited' }));
  });

  // Guesses cost a server more than a file in memory, and fewer show the same there.
  const guesses = engine === 'sqlite' ? 10_000 : 1000;
  test(`takes at most 20 hashes an hour for ${guesses} guesses, and its owner gets in from a known browser`, async () => {
    const hour = 60 * 60_000;
    const [, Cookie = ''] = (await trySignIn('manager')).headers.getSetCookie();
    const asOwner = ask('POST', '/bff/session', { body: credentialsOf('manager'), headers: { Cookie } });
    const owned: number[] = [];
    bff.passwords.verified = 0;
    for (let count = 0; count < guesses; count += 1) {
      await trySignIn('manager', 'wrong', `address ${count}`);
      if (count % (guesses / 20) === 0)
        owned.push(await statusOf(bff.fetch(asOwner.clone(), { address: '198.51.100.1' })));
      bff.time.now += hour / guesses;
    }
    expect(owned).toEqual(Array<number>(20).fill(200));
    expect(bff.passwords.verified - owned.length).toBeLessThanOrEqual(20);
  });

  test('many times at once gets no more guesses than one after the other', async () => {
    const tries = Array.from({ length: 200 }, (_, count) =>
      trySignIn('manager', 'wrong', `address ${count}`),
    );
    const statuses = await Promise.all(tries.map(statusOf));
    expect(statuses.filter((status) => status === 401)).toHaveLength(signInRateLimit.account);
    expect(bff.passwords.verified).toBe(signInRateLimit.account);
  });

  test('stops an unknown account in the same way', async () => {
    await failTimes(signInRateLimit.account, 'nobody');
    expect(await statusOf(trySignIn('nobody', 'wrong'))).toBe(429);
  });

  test('does not lock other accounts', async () => {
    await failTimes(signInRateLimit.account, 'manager');
    expect(await statusOf(trySignIn('support'))).toBe(200);
  });

  test('is possible again when Retry-After says so, and not before', async () => {
    await trySignIn('manager', 'wrong');
    bff.time.now += 60_000;
    await failTimes(signInRateLimit.account - 1, 'manager');
    bff.time.now += 500;
    const retryAfter = Number((await trySignIn('manager')).headers.get('Retry-After'));
    expect(retryAfter).toBe(Math.ceil((signInRateLimit.window - 60_500) / 1000));
    bff.time.now += retryAfter * 1000 - 1001;
    expect(await statusOf(trySignIn('manager'))).toBe(429);
    bff.time.now += 1001;
    expect(await statusOf(trySignIn('manager'))).toBe(200);
  });

  test('starts again from 0 after a right password', async () => {
    await failTimes(signInRateLimit.account - 1, 'manager');
    expect(await statusOf(trySignIn('manager'))).toBe(200);
    await failTimes(signInRateLimit.account - 1, 'manager');
    expect(await statusOf(trySignIn('manager'))).toBe(200);
  });

  test('does not sign out its owner', async () => {
    const cookie = (await bff.signIn('manager')).cookie();
    await failTimes(signInRateLimit.account + 1, 'manager');
    const session = ask('GET', '/bff/session', { headers: { Cookie: cookie } });
    expect(await statusOf(bff.fetch(session))).toBe(200);
  });
});

describe('guessing from one address', () => {
  test('is stopped, and other addresses are not', async () => {
    for (let count = 0; count < signInRateLimit.address; count += 1)
      await trySignIn(`somebody ${count}`, 'wrong', '192.0.2.9');
    expect(await statusOf(trySignIn('manager', undefined, '192.0.2.9'))).toBe(429);
    expect(await statusOf(trySignIn('manager', undefined, '192.0.2.10'))).toBe(200);
  });

  test('is still counted when the guesser signs in to an account of their own', async () => {
    await bff.hire('viewer', 'insider');
    for (let count = 0; count < signInRateLimit.address; count += 1) {
      await trySignIn(`somebody ${count}`, 'wrong', '192.0.2.9');
      if (count % 10 === 0) await trySignIn('insider', undefined, '192.0.2.9');
    }
    expect(await statusOf(trySignIn('insider', undefined, '192.0.2.9'))).toBe(429);
  });
});

describe('the stored sign-in attempts', () => {
  test('hold no name and are deleted after the window', async () => {
    await trySignIn('canary-typed-password', 'wrong');
    const rows = () => bff.db.selectFrom('sign_in_attempts').selectAll().execute();
    expect(await rows()).toHaveLength(1);
    expect(JSON.stringify(await rows())).not.toContain('canary');
    bff.time.now += signInRateLimit.window;
    await trySignIn('manager');
    expect(await rows()).toEqual([]);
  });
});
