import { beforeEach, describe, expect, it } from 'vitest';
import { attemptLimits, attemptWindow } from '../../../src/bff/auth/attempts.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { isIn, trySignIn, type Tried } from '../../support/bff/person.ts';
import { roundsOf } from '../../support/setup/rounds.ts';

const { account: ofAccount, address: ofAddress } = attemptLimits.password;
const wrong = 'wrong';

let bff: TestDesk;
beforeEach(async () => {
  bff = await createTestDesk();
});

const statusOf = async (name: string, tried: Tried = {}) => (await trySignIn(bff, name, tried)).status;
const failTimes = async (times: number, name: string) => {
  for (let count = 0; count < times; count += 1) await trySignIn(bff, name, { password: wrong });
};

describe('a sign-in', () => {
  it('finds the name without regard to case and to blanks around it', async () => {
    expect(await statusOf(' MANAGER ')).toBe(200);
  });

  it('gives the same answer for every cause, after the same work', async () => {
    await bff.changeAccount('support', { disabled: 1 });
    const answers = await Promise.all([
      trySignIn(bff, 'manager', { password: wrong }),
      trySignIn(bff, 'nobody', { password: wrong }),
      trySignIn(bff, 'nobody'),
      trySignIn(bff, 'support'),
    ]);
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(new Set(bodies.map((body) => JSON.stringify({ ...body, requestId: '' }))).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    expect(bff.passwords.verified).toBe(4);
  });

  it('makes the decoy hash for unknown accounts at the first sign-in of any account', async () => {
    const hashed = bff.passwords.hashed;
    await trySignIn(bff, 'manager');
    expect(bff.passwords.hashed).toBe(hashed + 1);
    await trySignIn(bff, 'nobody');
    expect(bff.passwords.hashed).toBe(hashed + 1);
  });

  it('is logged without the name, whether it succeeds or fails', async () => {
    await failTimes(1, 'manager');
    await trySignIn(bff, 'manager');
    const manager = (await bff.rows('staff')).find(({ name }) => name === 'manager');
    const requestId = expect.stringMatching(/^[\w-]{16}$/);
    const who = { requestId, staffId: manager?.id };
    expect(bff.logs).toContainEqual({ level: 'warn', event: 'sign-in-failed', ...who });
    expect(bff.logs).toContainEqual({ level: 'info', event: 'signed-in', ...who });
  });

  it('stores an attempt without the name and the address, and deletes it once it counts no more', async () => {
    await trySignIn(bff, 'canary-typed-password', { password: wrong, address: '203.0.113.7' });
    expect(await bff.rows('attempts')).toHaveLength(2);
    expect(JSON.stringify(await bff.rows('attempts'))).not.toMatch(/canary|203/);
    bff.time.now += attemptWindow / ofAccount;
    await bff.runMaintenance();
    expect(await bff.rows('attempts')).toEqual([]);
  });
});

describe('a guesser at one account', () => {
  it('is stopped without hashing, from any address and with any password', async () => {
    const owner = await bff.signIn('manager');
    for (let count = 0; count < ofAccount; count += 1)
      await trySignIn(bff, 'manager', { password: wrong, address: `192.0.2.${count}` });
    const hashes = bff.passwords.verified;
    const response = trySignIn(bff, 'Manager', { address: '198.51.100.1' });
    expect(await outcomeOf(response)).toBe('429 too-many-attempts');
    expect(bff.passwords.verified).toBe(hashes);
    expect(bff.logs).toContainEqual(expect.objectContaining({ level: 'warn', event: 'sign-in-limited' }));
    expect([await isIn(owner), await statusOf('support')]).toEqual([true, 200]);
  });

  it('gets at most 20 hashes an hour however often they guess, and the owner gets in from a known browser', async () => {
    const [hour, guesses] = [60 * 60_000, roundsOf(1000, 10_000)];
    const [, Cookie = ''] = (await trySignIn(bff, 'manager')).headers.getSetCookie();
    const owned: number[] = [];
    bff.passwords.verified = 0;
    for (let count = 0; count < guesses; count += 1) {
      await trySignIn(bff, 'manager', { password: wrong, address: `address ${count}` });
      if (count % (guesses / 20) === 0)
        owned.push(await statusOf('manager', { headers: { Cookie }, address: '198.51.100.1' }));
      bff.time.now += hour / guesses;
    }
    expect(owned).toEqual(Array<number>(20).fill(200));
    expect(bff.passwords.verified - owned.length).toBeLessThanOrEqual(20);
  });

  it('gets no more guesses many times at once than one after the other', async () => {
    const tries = Array.from({ length: 200 }, (_, count) =>
      statusOf('manager', { password: wrong, address: `address ${count}` }),
    );
    expect((await Promise.all(tries)).filter((status) => status === 401)).toHaveLength(ofAccount);
    expect(bff.passwords.verified).toBe(ofAccount);
  });

  it('is stopped in the same way where there is no such account', async () => {
    await failTimes(ofAccount, 'nobody');
    expect(await statusOf('nobody', { password: wrong })).toBe(429);
  });

  it('is let in again when Retry-After says so, and not before', async () => {
    await failTimes(ofAccount, 'manager');
    bff.time.now += 500;
    const retryAfter = Number((await trySignIn(bff, 'manager')).headers.get('Retry-After'));
    expect(retryAfter).toBe(Math.ceil((attemptWindow / ofAccount - 500) / 1000));
    bff.time.now += retryAfter * 1000 - 1001;
    expect(await statusOf('manager')).toBe(429);
    bff.time.now += 1001;
    expect(await statusOf('manager')).toBe(200);
  });

  it('starts again from 0 after a right password in a known browser', async () => {
    const [, Cookie = ''] = (await trySignIn(bff, 'manager')).headers.getSetCookie();
    const headers = { Cookie };
    for (const _ of [1, 2]) {
      for (let count = 1; count < ofAccount; count += 1)
        await trySignIn(bff, 'manager', { password: wrong, headers });
      expect(await statusOf('manager', { headers })).toBe(200);
    }
  });
});

describe('a guesser from one address', () => {
  const address = '192.0.2.9';

  it('is stopped, though signing in to an account of their own, and other addresses are not', async () => {
    await bff.hire('viewer', 'insider');
    for (let count = 0; count < ofAddress; count += 1) {
      await trySignIn(bff, `somebody ${count}`, { password: wrong, address });
      if (count % 10 === 0) await trySignIn(bff, 'insider', { address });
    }
    expect(await statusOf('insider', { address })).toBe(429);
    expect(await statusOf('manager', { address })).toBe(429);
    expect(await statusOf('manager', { address: '192.0.2.10' })).toBe(200);
  });
});
