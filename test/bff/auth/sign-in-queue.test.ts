import { beforeEach, describe, expect, test } from 'vitest';
import { signInQueues } from '../../../src/bff/auth/local-sign-in.ts';
import { signInRateLimit } from '../../../src/bff/auth/sign-in-rate-limit.ts';
import { createBff } from '../../../src/bff/bff.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { ask, codeIn, credentialsOf } from '../../support/bff/browser.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';

let bff: TestDesk;
/** The passwords that are being looked at, in the order in which that began; a test lets each of them go. */
let looking: { password: string; goOn: () => void }[];
/** How many sign-ins have come to a queue. */
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

interface Tried {
  password?: string;
  address?: string;
  cookie?: string;
  signal?: AbortSignal;
}

function trySignIn(name: string, tried: Tried = {}): Promise<Response> {
  const { password, address = '192.0.2.1', cookie, signal = new AbortController().signal } = tried;
  const body = { ...credentialsOf(name), ...(password !== undefined && { password }) };
  const request = ask('POST', '/bff/session', { body, headers: cookie ? { Cookie: cookie } : {} });
  // Only a queue looks whether the client is still there.
  return bff.fetch(request, { address, signal: () => ((queued += 1), signal) });
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;
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
    trySignIn(`stranger ${from + index}`, {
      password: `wrong ${from + index}`,
      address: addressOf(from + index),
      ...tried,
    }),
  );
  await expect.poll(() => queued).toBe(before + count);
  return answers;
}

const attempts = async () => (await bff.db.selectFrom('sign_in_attempts').select('id').execute()).length;

describe('while strangers keep the hashing busy', () => {
  const { fresh } = signInQueues;

  test('who is over a limit is refused at once', async () => {
    for (let count = 0; count < signInRateLimit.account; count += 1)
      await trySignIn('manager', { password: 'wrong', address: addressOf(count) });
    holdPasswords();
    const strangers = await flood(fresh.atOnce + 5, 1000);
    const refused = await trySignIn('manager');
    expect([refused.status, await codeIn(refused)]).toEqual([429, 'too-many-attempts']);
    expect(looking).toHaveLength(fresh.atOnce);
    await letAllGo(strangers);
  });

  test('those who come beyond the queue are refused at once, are not counted, and change nothing', async () => {
    holdPasswords();
    const strangers = await flood(fresh.atOnce + fresh.mostWaiting);
    // Each is counted before its password is looked at.
    await expect.poll(() => looking).toHaveLength(fresh.atOnce);
    const before = await attempts();
    const refused = await trySignIn('manager');
    expect([refused.status, await codeIn(refused)]).toEqual([503, 'busy']);
    expect(refused.headers.get('Retry-After')).toMatch(/^\d$/);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await attempts()).toBe(before);
    await letAllGo(strangers);
    expect(await statusOf(letAllGo([trySignIn('manager')]).then(([answer]) => answer as Response))).toBe(200);
  });

  test('those who have gone leave the queue, and their passwords are never looked at', async () => {
    holdPasswords();
    const stay = await flood(fresh.atOnce);
    const gone = new AbortController();
    const left = await flood(fresh.mostWaiting, 1000, { signal: gone.signal });
    gone.abort();
    const answers = await Promise.all(left);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    const manager = trySignIn('manager');
    const [answer] = await letAllGo([manager, ...stay]);
    expect(answer?.status).toBe(200);
    expect(passwordsSeen().filter((text) => text.startsWith('wrong 1'))).toEqual(['wrong 1']);
    expect(await attempts()).toBe(fresh.atOnce);
  });

  test('a known browser does not wait for them', async () => {
    const cookie = (await trySignIn('manager')).headers.getSetCookie()[1]?.split(';')[0] ?? '';
    holdPasswords();
    const strangers = await flood(fresh.atOnce + fresh.mostWaiting);
    const owner = trySignIn('manager', { cookie });
    const { password } = credentialsOf('manager');
    await expect.poll(passwordsSeen).toContain(password);
    looking.find((one) => one.password === password)?.goOn();
    expect(await statusOf(owner)).toBe(200);
    await letAllGo(strangers);
  });

  test('who has tried nothing wrong does not wait for those who have', async () => {
    await Promise.all(await flood(40));
    holdPasswords();
    const again = await flood(40);
    const newcomer = trySignIn('manager');
    await expect.poll(passwordsSeen).toContain(credentialsOf('manager').password);
    const [answer] = await letAllGo([newcomer, ...again]);
    expect(answer?.status).toBe(200);
  });

  test('two servers have the same limits', async () => {
    const other = createBff({ ...bff.deps, random: createDice(2).bytes });
    const body = { name: 'manager', password: 'wrong' };
    for (let count = 0; count < signInRateLimit.account; count += 1)
      await other.fetch(ask('POST', '/bff/session', { body }), { address: addressOf(count) });
    holdPasswords();
    expect(await statusOf(trySignIn('manager'))).toBe(429);
    expect(looking).toEqual([]);
  });
});

describe('the address that a limit counts', () => {
  const wrong = (address: string) => statusOf(trySignIn('nobody', { password: 'wrong', address }));

  test('is the first 64 bits of an IPv6 address, which its owner has all of', async () => {
    for (let count = 0; count < signInRateLimit.address; count += 1)
      await trySignIn(`stranger ${count}`, {
        password: 'wrong',
        address: `2001:db8::${count.toString(16)}:1`,
      });
    expect(await wrong('2001:db8:0:0:ffff::2')).toBe(429);
    expect(await wrong('2001:db8:0:1::1')).toBe(401);
  });

  test('is the IPv4 address that an IPv6 one holds', async () => {
    for (let count = 0; count < signInRateLimit.address; count += 1)
      await trySignIn(`stranger ${count}`, { password: 'wrong', address: '::ffff:192.0.2.7' });
    expect([await wrong('192.0.2.7'), await wrong('::ffff:192.0.2.8')]).toEqual([429, 401]);
  });
});

describe('when the clock jumps', () => {
  test.each([500, -500])(
    'by %i days and back, nobody is locked out for longer than the window',
    async (days) => {
      const jump = days * 24 * 60 * 60_000;
      bff.time.now += jump;
      for (let count = 0; count < signInRateLimit.account; count += 1)
        await trySignIn('manager', { password: 'wrong', address: addressOf(count) });
      expect(await statusOf(trySignIn('manager'))).toBe(429);
      bff.time.now -= jump;
      expect(await statusOf(trySignIn('manager'))).toBe(200);
      expect(await attempts()).toBe(0);
    },
  );
});
