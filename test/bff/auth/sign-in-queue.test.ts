import { beforeEach, describe, expect, it } from 'vitest';
import { signInQueues } from '../../../src/bff/auth/sign-in.ts';
import { attemptLimits } from '../../../src/bff/auth/attempts.ts';
import { outcomeOf, password as rightPassword } from '../../support/bff/browser.ts';
import { trySignIn, type Tried } from '../../support/bff/person.ts';
import { setUpApp } from '../../support/bff/second-factor.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';

let bff: TestDesk;
/** The passwords that are being looked at, in the order in which that began; a test lets each of them go. */
let looking: { password: string; goOn: () => void }[];
/** Number of sign-ins that have come to a queue. */
let queued: number;

beforeEach(async () => {
  bff = await createTestDesk();
  looking = [];
  queued = 0;
});

/** From now on, looking at a password takes until the test says so. */
function holdPasswords(): void {
  const verify = bff.passwords.verify.bind(bff.passwords);
  bff.passwords.verify = async (password, hash) => {
    const gate = Promise.withResolvers<void>();
    looking.push({ password, goOn: gate.resolve });
    await gate.promise;
    return verify(password, hash);
  };
}

function signIn(name: string, tried: Tried = {}): Promise<Response> {
  const { signal = () => new AbortController().signal, ...others } = tried;
  // Only a queue looks whether the client is still there.
  const countedSignal = () => ((queued += 1), signal());
  return trySignIn(bff, name, { address: '192.0.2.1', ...others, signal: countedSignal });
}

const passwordsSeen = () => looking.map(({ password }) => password);

/** Lets go of all that is looked at, until nothing is any more. */
async function letAllGo(answers: readonly Promise<Response>[]): Promise<Response[]> {
  const ended = new AbortController();
  const all = Promise.all(answers).finally(() => ended.abort());
  while (!ended.signal.aborted) {
    for (const { goOn } of looking) goOn();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return all;
}

const addressOf = (index: number) => `198.51.${Math.floor(index / 200)}.${index % 200}`;

/** Wrong passwords from so many addresses that have tried nothing yet; each that waits is in the queue by then. */
async function flood(count: number, from = 0, tried: Tried = {}) {
  const before = queued;
  const answers = Array.from({ length: count }, (_, index) =>
    signIn(`stranger ${from + index}`, {
      password: `wrong ${from + index}`,
      address: addressOf(from + index),
      ...tried,
    }),
  );
  await expect.poll(() => queued).toBe(before + count);
  return answers;
}

/** More wrong passwords for an account than are allowed, each from another address. */
async function exhaust(name: string, server: Pick<TestDesk, 'fetch'> = bff) {
  for (let count = 0; count < attemptLimits.password.account; count += 1)
    await trySignIn(server, name, { password: 'wrong', address: addressOf(count) });
}

describe('a sign-in while strangers keep the hashing busy', () => {
  const { fresh } = signInQueues;

  it('is refused at once if it is over a limit, which two servers share', async () => {
    await exhaust('manager', bff.openReplica());
    holdPasswords();
    const strangers = await flood(fresh.atOnce + 5, 1000);
    expect(await outcomeOf(signIn('manager'))).toBe('429 too-many-attempts');
    expect(looking).toHaveLength(fresh.atOnce);
    await letAllGo(strangers);
  });

  it('is refused at once if it comes beyond the queue, is not counted, and changes nothing', async () => {
    holdPasswords();
    const strangers = await flood(fresh.atOnce + fresh.mostWaiting);
    // Each is counted before its password is looked at.
    await expect.poll(() => looking).toHaveLength(fresh.atOnce);
    const before = await bff.rows('attempts');
    const refused = await signIn('manager');
    expect(await outcomeOf(refused)).toBe('503 busy');
    expect(refused.headers.get('Retry-After')).toMatch(/^\d$/);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await bff.rows('attempts')).toEqual(before);
    await letAllGo(strangers);
    const [later] = await letAllGo([signIn('manager')]);
    expect(later?.status).toBe(200);
  });

  it('leaves the queue once its client has gone, and its password is never looked at', async () => {
    holdPasswords();
    const stay = await flood(fresh.atOnce);
    const deleted = new AbortController();
    const remaining = await flood(fresh.mostWaiting, 1000, { signal: () => deleted.signal });
    deleted.abort();
    const answers = await Promise.all(remaining);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    const [answer] = await letAllGo([signIn('manager'), ...stay]);
    expect(answer?.status).toBe(200);
    expect(passwordsSeen().filter((text) => text.startsWith('wrong 1'))).toEqual(['wrong 1']);
    const tried = (await bff.rows('attempts')).filter(
      ({ key, until }) => key.startsWith('password account') && until > bff.time.now,
    );
    expect(tried).toHaveLength(fresh.atOnce);
  });

  it('does not wait for them in a known browser', async () => {
    const Cookie = (await signIn('manager')).headers.getSetCookie()[1]?.split(';')[0] ?? '';
    holdPasswords();
    const strangers = await flood(fresh.atOnce + fresh.mostWaiting);
    const owner = signIn('manager', { headers: { Cookie } });
    await expect.poll(passwordsSeen).toContain(rightPassword);
    looking.find(({ password }) => password === rightPassword)?.goOn();
    expect((await owner).status).toBe(200);
    await letAllGo(strangers);
  });

  it('does not wait for many from one address', async () => {
    holdPasswords();
    const { fresh: queue, failing } = signInQueues;
    const strangers = await flood(queue.atOnce + queue.mostWaiting + failing.mostWaiting, 0, {
      address: '203.0.113.9',
    });
    const newcomer = signIn('manager');
    await expect.poll(() => queued).toBeGreaterThan(strangers.length);
    const [answer] = await letAllGo([newcomer, ...strangers]);
    expect(answer?.status).toBe(200);
  });

  it('does not wait for many from another known browser', async () => {
    const cookieOf = async (name: string) =>
      (await signIn(name)).headers.getSetCookie()[1]?.split(';')[0] ?? '';
    const [Cookie, other] = [await cookieOf('manager'), await cookieOf('viewer')];
    holdPasswords();
    const tried = { password: 'wrong 1', headers: { Cookie: other } };
    const others = Array.from({ length: 25 }, () => signIn('viewer', tried));
    await expect.poll(() => queued).toBe(others.length + 2);
    const owner = signIn('manager', { headers: { Cookie } });
    await expect.poll(passwordsSeen).toContain(rightPassword);
    const [answer] = await letAllGo([owner, ...others]);
    expect(answer?.status).toBe(200);
  });

  it('does not wait for those who have tried something wrong if it has not', async () => {
    await Promise.all(await flood(40));
    holdPasswords();
    const again = await flood(40);
    const newcomer = signIn('manager');
    await expect.poll(passwordsSeen).toContain(rightPassword);
    const [answer] = await letAllGo([newcomer, ...again]);
    expect(answer?.status).toBe(200);
  });

  it('does not wait for those either if it has a second factor, which its second request shows', async () => {
    const app = await setUpApp(bff, await bff.signIn('manager'));
    await Promise.all(await flood(40));
    expect(await outcomeOf(signIn('manager'))).toBe('401 code-needed');
    holdPasswords();
    const again = await flood(40);
    const newcomer = signIn('manager', { code: app.code() });
    await expect.poll(passwordsSeen).toContain(rightPassword);
    const [answer] = await letAllGo([newcomer, ...again]);
    expect(answer?.status).toBe(200);
  });
});

describe('a crowd that signs in at once', () => {
  it('is let in, two at a time', async () => {
    const verify = bff.passwords.verify.bind(bff.passwords);
    let [now, most] = [0, 0];
    // The first waits for a second one, which would never come if they were checked one at a time.
    const second = Promise.withResolvers<void>();
    bff.passwords.verify = async (text, hash) => {
      now += 1;
      most = Math.max(most, now);
      if (now === 2) second.resolve();
      await second.promise;
      await new Promise((resolve) => setImmediate(resolve));
      const right = await verify(text, hash);
      now -= 1;
      return right;
    };
    const all = Array.from({ length: 20 }, (_, index) => signIn('viewer', { address: addressOf(index) }));
    expect((await Promise.all(all)).filter(({ status }) => status === 200)).toHaveLength(20);
    expect(most).toBe(2);
  });
});

describe('the address that a limit counts', () => {
  const statusFrom = async (address: string, name = 'nobody') =>
    (await signIn(name, { password: 'wrong', address })).status;

  it('is the first 48 bits of an IPv6 address, as many as one stranger may have', async () => {
    for (let count = 0; count < attemptLimits.password.address; count += 1)
      await statusFrom(`2001:db8:0:${count.toString(16)}::1`, `stranger ${count}`);
    expect(await statusFrom('2001:db8:0:ffff::2')).toBe(429);
    expect(await statusFrom('2001:db8:1::1')).toBe(401);
  });
});

describe('a jump of the clock', () => {
  it.each([500, -500])('locks nobody out: by %i days and back', async (days) => {
    const jump = days * 24 * 60 * 60_000;
    bff.time.now += jump;
    await exhaust('manager');
    expect((await signIn('manager')).status).toBe(429);
    bff.time.now -= jump;
    expect((await signIn('manager')).status).toBe(200);
    await bff.runMaintenance();
    expect(await bff.rows('attempts')).toEqual([]);
  });
});
