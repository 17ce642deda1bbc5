import { beforeEach, describe, expect, test } from 'vitest';
import { signInRateLimit } from '../../../src/bff/auth/sign-in-rate-limit.ts';
import { engine } from '../../support/setup/database.ts';
import { ask, codeIn, credentialsOf, signIn } from '../../support/bff/browser.ts';
import { hire, openStaffedDesk, type Desk } from '../../support/bff/desk.ts';

let desk: Desk;

beforeEach(async () => {
  desk = await openStaffedDesk();
});

function attempt(name: string, password?: string, address = '192.0.2.1') {
  const body = { ...credentialsOf(name), ...(password !== undefined && { password }) };
  return desk.fetch(ask('POST', '/bff/session', { body }), { address });
}

async function failTimes(times: number, name: string, address?: string) {
  for (let count = 0; count < times; count += 1) await attempt(name, 'wrong', address);
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;

describe('sign-in', () => {
  test('finds the name without regard to case and to blanks around it', async () => {
    expect(await statusOf(attempt(' MANAGER '))).toBe(200);
  });

  test('says nothing about what was wrong, and takes as long', async () => {
    await desk.db.updateTable('staff').set({ disabled: 1 }).where('name', '=', 'support').execute();
    const tries = [
      attempt('manager', 'wrong'),
      attempt('nobody', 'wrong'),
      attempt('nobody'),
      attempt('support'),
    ];
    const answers = await Promise.all(tries);
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(new Set(bodies.map((body) => JSON.stringify({ ...body, requestId: '' }))).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    expect(desk.passwords.verified).toBe(4);
  });

  test('makes the stand-in for an unknown account at the first attempt of any', async () => {
    const hashed = desk.passwords.hashed;
    await attempt('manager');
    expect(desk.passwords.hashed).toBe(hashed + 1);
    await attempt('nobody');
    expect(desk.passwords.hashed).toBe(hashed + 1);
  });

  test.each([
    {},
    { name: 'manager' },
    { name: '', password: 'x' },
    { ...credentialsOf('manager'), role: 'manager' },
    '[]',
    '{',
  ])('answers %j with what to correct', async (body) => {
    const response = await desk.fetch(ask('POST', '/bff/session', { body }));
    expect([response.status, await codeIn(response)]).toEqual([422, 'invalid-input']);
    expect(desk.passwords.verified).toBe(0);
  });

  test('reports success and failure without the name', async () => {
    await attempt('manager', 'wrong');
    await attempt('manager');
    const manager = await desk.db.selectFrom('staff').select('id').where('name', '=', 'manager').execute();
    const requestId = expect.stringMatching(/^[\w-]{16}$/);
    expect(desk.logs).toContainEqual({ level: 'warn', event: 'sign-in-failed', requestId });
    expect(desk.logs).toContainEqual({
      level: 'info',
      event: 'signed-in',
      requestId,
      staffId: manager[0]?.id,
    });
  });
});

describe('guessing at one account', () => {
  test('is stopped without hashing, whoever guesses and with what', async () => {
    for (let count = 0; count < signInRateLimit.account; count += 1)
      await attempt('manager', 'wrong', `192.0.2.${count}`);
    const hashes = desk.passwords.verified;
    const response = await attempt('Manager', undefined, '198.51.100.1');
    expect([response.status, await codeIn(response)]).toEqual([429, 'too-many-attempts']);
    expect(desk.passwords.verified).toBe(hashes);
    expect(desk.logs).toContainEqual(expect.objectContaining({ level: 'warn', event: 'sign-in-limited' }));
  });

  // Guesses cost a server more than a file in memory, and fewer show the same there.
  const guesses = engine === 'sqlite' ? 10_000 : 1000;
  test(`takes at most 20 hashes an hour for ${guesses} guesses, and its owner gets in from a known browser`, async () => {
    const hour = 60 * 60_000;
    const [, Cookie = ''] = (await attempt('manager')).headers.getSetCookie();
    const asOwner = ask('POST', '/bff/session', { body: credentialsOf('manager'), headers: { Cookie } });
    const owned: number[] = [];
    desk.passwords.verified = 0;
    for (let count = 0; count < guesses; count += 1) {
      await attempt('manager', 'wrong', `address ${count}`);
      if (count % (guesses / 20) === 0)
        owned.push(await statusOf(desk.fetch(asOwner.clone(), { address: '198.51.100.1' })));
      desk.time.now += hour / guesses;
    }
    expect(owned).toEqual(Array<number>(20).fill(200));
    expect(desk.passwords.verified - owned.length).toBeLessThanOrEqual(20);
  }, 60_000);

  test('many times at once gets no more tries than one after the other', async () => {
    const tries = Array.from({ length: 200 }, (_, count) => attempt('manager', 'wrong', `address ${count}`));
    const statuses = await Promise.all(tries.map(statusOf));
    expect(statuses.filter((status) => status === 401)).toHaveLength(signInRateLimit.account);
    expect(desk.passwords.verified).toBe(signInRateLimit.account);
  });

  test('stops an unknown account in the same way', async () => {
    await failTimes(signInRateLimit.account, 'nobody');
    expect(await statusOf(attempt('nobody', 'wrong'))).toBe(429);
  });

  test('leaves other accounts alone', async () => {
    await failTimes(signInRateLimit.account, 'manager');
    expect(await statusOf(attempt('support'))).toBe(200);
  });

  test('is possible again when Retry-After says so, and not before', async () => {
    await attempt('manager', 'wrong');
    desk.time.now += 60_000;
    await failTimes(signInRateLimit.account - 1, 'manager');
    desk.time.now += 500;
    const retryAfter = Number((await attempt('manager')).headers.get('Retry-After'));
    expect(retryAfter).toBe(Math.ceil((signInRateLimit.window - 60_500) / 1000));
    desk.time.now += retryAfter * 1000 - 1001;
    expect(await statusOf(attempt('manager'))).toBe(429);
    desk.time.now += 1001;
    expect(await statusOf(attempt('manager'))).toBe(200);
  });

  test('is counted anew after a right password', async () => {
    await failTimes(signInRateLimit.account - 1, 'manager');
    expect(await statusOf(attempt('manager'))).toBe(200);
    await failTimes(signInRateLimit.account - 1, 'manager');
    expect(await statusOf(attempt('manager'))).toBe(200);
  });

  test('does not sign out who is in', async () => {
    const cookie = await signIn(desk, 'manager');
    await failTimes(signInRateLimit.account + 1, 'manager');
    const session = ask('GET', '/bff/session', { headers: { Cookie: cookie } });
    expect(await statusOf(desk.fetch(session))).toBe(200);
  });
});

describe('guessing from one address', () => {
  test('is stopped, and other addresses go on', async () => {
    for (let count = 0; count < signInRateLimit.address; count += 1)
      await attempt(`somebody ${count}`, 'wrong', '192.0.2.9');
    expect(await statusOf(attempt('manager', undefined, '192.0.2.9'))).toBe(429);
    expect(await statusOf(attempt('manager', undefined, '192.0.2.10'))).toBe(200);
  });

  test('goes on being counted when an account of the guesser opens', async () => {
    await hire(desk, 'viewer', 'insider');
    for (let count = 0; count < signInRateLimit.address; count += 1) {
      await attempt(`somebody ${count}`, 'wrong', '192.0.2.9');
      if (count % 10 === 0) await attempt('insider', undefined, '192.0.2.9');
    }
    expect(await statusOf(attempt('insider', undefined, '192.0.2.9'))).toBe(429);
  });
});

describe('what is kept of attempts', () => {
  test('holds no name and goes when its time is over', async () => {
    await attempt('canary-typed-password', 'wrong');
    const rows = () => desk.db.selectFrom('sign_in_attempts').selectAll().execute();
    expect(await rows()).toHaveLength(1);
    expect(JSON.stringify(await rows())).not.toContain('canary');
    desk.time.now += signInRateLimit.window;
    await attempt('manager');
    expect(await rows()).toEqual([]);
  });
});
