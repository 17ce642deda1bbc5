import { beforeEach, describe, expect, test } from 'vitest';
import { createKnownBrowsers } from '../../../src/bff/auth/known-browsers.ts';
import { signInRateLimit } from '../../../src/bff/auth/sign-in-rate-limit.ts';
import { createBff } from '../../../src/bff/bff.ts';
import { findStaff } from '../../../src/bff/staff/store.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, credentialsOf, password } from '../../support/bff/browser.ts';
import { manage } from '../../support/bff/person.ts';

const address = '192.0.2.1';
const hour = 60 * 60_000;
const day = 24 * hour;

let bff: TestDesk;

beforeEach(async () => {
  bff = await createTestDesk();
});

/** A browser with the cookies that it was given, at an address that it may share with others. */
function openBrowser(from = address) {
  const cookies = new Map<string, string>();
  const send = async (request: Request) => {
    const answer = await bff.fetch(request, { address: from });
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const header = () => ({ Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') });
  return {
    cookies,
    signIn: (name: string, tried = password) =>
      send(
        ask('POST', '/bff/session', {
          body: { ...credentialsOf(name), password: tried },
          headers: header(),
        }),
      ),
    changePassword: (newPassword: string, present = password) =>
      send(ask('PUT', '/bff/password', { body: { password: present, newPassword }, headers: header() })),
  };
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;

async function guess(times: number, name: string, from = openBrowser()) {
  for (let count = 0; count < times; count += 1) await from.signIn(name, 'wrong');
}

async function openKnown(name: string) {
  const browser = openBrowser();
  expect(await statusOf(browser.signIn(name))).toBe(200);
  return browser;
}

/** Guesses at the account and from the address, more than either limit allows. */
async function lockOut(name: string) {
  await guess(signInRateLimit.account, name);
  for (let count = 0; count < signInRateLimit.address; count += 1) await guess(1, `somebody ${count}`);
}

describe('while others guess, from the same address too,', () => {
  test('the owner gets in from a browser that is known, and from no other', async () => {
    const known = await openKnown('manager');
    await lockOut('manager');
    expect(await statusOf(openBrowser().signIn('manager'))).toBe(429);
    expect(await statusOf(openBrowser('198.51.100.9').signIn('manager'))).toBe(429);
    expect(await statusOf(known.signIn('manager'))).toBe(200);
    expect(await statusOf(known.signIn('manager'))).toBe(200);
  });

  test('a user who is signed in can change the password', async () => {
    const known = await openKnown('manager');
    await lockOut('manager');
    expect(await statusOf(known.changePassword('nine tired otters sing'))).toBe(200);
  });

  test('they get no more than 20 hashes an hour, though the owner signs in again and again', async () => {
    const known = await openKnown('manager');
    const guesser = openBrowser();
    let hashes = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      const before = bff.passwords.verified;
      await guess(5, 'manager', guesser);
      hashes += bff.passwords.verified - before;
      expect(await statusOf(known.signIn('manager'))).toBe(200);
      bff.time.now += hour / 60;
    }
    expect(hashes).toBeLessThanOrEqual(20);
  });

  test('a sign-in of the owner elsewhere does not reset their count', async () => {
    await guess(signInRateLimit.account - 1, 'manager');
    expect(await statusOf(openBrowser('198.51.100.9').signIn('manager'))).toBe(200);
    await guess(1, 'manager');
    expect(await statusOf(openBrowser().signIn('manager'))).toBe(429);
  });
});

describe('a known browser', () => {
  test('has limits of its own', async () => {
    const known = await openKnown('manager');
    await guess(signInRateLimit.account, 'manager', known);
    expect(await statusOf(known.signIn('manager'))).toBe(429);
    expect(await statusOf(openBrowser().signIn('manager'))).toBe(200);
  });

  test('is known for the account that signed in there last, and for no other', async () => {
    const known = await openKnown('viewer');
    await lockOut('manager');
    expect(await statusOf(known.signIn('manager'))).toBe(429);
    expect(await statusOf(known.signIn('viewer'))).toBe(200);
  });

  test('stays known for 400 days after it was last used', async () => {
    const known = await openKnown('manager');
    bff.time.now += 399 * day;
    await lockOut('manager');
    expect(await statusOf(known.signIn('manager'))).toBe(200);
    bff.time.now += 400 * day;
    await lockOut('manager');
    expect(await statusOf(known.signIn('manager'))).toBe(429);
  });

  test('still needs the password', async () => {
    const known = await openKnown('manager');
    known.cookies.delete('desk');
    expect(await statusOf(known.signIn('manager', 'wrong'))).toBe(401);
    const cookie = `desk=${known.cookies.get('desk-known')}`;
    expect(await statusOf(bff.fetch(ask('GET', '/bff/session', { headers: { Cookie: cookie } })))).toBe(401);
  });

  test('is known by a cookie of which only the digest is kept', async () => {
    const known = await openKnown('manager');
    const rows = JSON.stringify(await bff.db.selectFrom('known_browsers').selectAll().execute());
    const id = known.cookies.get('desk-known') ?? '';
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(rows + JSON.stringify(bff.logs)).not.toContain(id);
  });

  test('keeps its id where it is known already', async () => {
    const known = await openKnown('manager');
    const id = known.cookies.get('desk-known');
    await known.signIn('manager');
    expect(known.cookies.get('desk-known')).toBe(id);
    expect(await bff.db.selectFrom('known_browsers').selectAll().execute()).toHaveLength(1);
  });
});

describe('a browser is no longer known', () => {
  const fresh = 'nine tired otters sing';

  test('after the password was changed elsewhere; where it was changed it is known under another id', async () => {
    const [here, elsewhere] = [await openKnown('manager'), await openKnown('manager')];
    const copied = here.cookies.get('desk-known') ?? '';
    expect(await statusOf(here.changePassword(fresh))).toBe(200);
    await lockOut('manager');
    expect(await statusOf(elsewhere.signIn('manager', fresh))).toBe(429);
    expect(await statusOf(here.signIn('manager', fresh))).toBe(200);
    here.cookies.set('desk-known', copied);
    expect(await statusOf(here.signIn('manager', fresh))).toBe(429);
  });

  test('after a manager reset the password', async () => {
    const known = await openKnown('support');
    const manager = await manage(bff);
    const { oneTimePassword } = await (await manager.reset('support')).json();
    await lockOut('support');
    expect(await statusOf(known.signIn('support', oneTimePassword))).toBe(429);
    expect(await rowsOf('support')).toHaveLength(0);
  });

  test('after the account was disabled, and stays unknown when it is enabled', async () => {
    const known = await openKnown('support');
    const manager = await manage(bff);
    for (const disabled of [true, false])
      expect((await manager.change('support', { disabled })).status).toBe(200);
    await lockOut('support');
    expect(await statusOf(known.signIn('support'))).toBe(429);
    expect(await statusOf(openBrowser('198.51.100.9').signIn('viewer'))).toBe(200);
  });

  test.each(['reset', 'disable'] as const)('where a manager comes in between (%s)', async (way) => {
    const manager = await manage(bff);
    const asLookedAt = await findStaff(bff.db, 'support');
    if (!asLookedAt) throw new Error('There is no such account.');
    await (way === 'reset' ? manager.reset('support') : manager.change('support', { disabled: true }));
    const request = ask('POST', '/bff/session', { body: credentialsOf('support') });
    expect(await createKnownBrowsers(bff.deps).remember(request, asLookedAt)).toBeNull();
    expect(await rowsOf('support')).toEqual([]);
  });
});

describe('the browsers of an account', () => {
  test('are at most 20: the one that was used longest ago is forgotten', async () => {
    const oldest = await openKnown('manager');
    bff.time.now += 1000;
    const next = await openKnown('manager');
    for (let count = 2; count < 20; count += 1) {
      bff.time.now += 1000;
      await openKnown('manager');
    }
    bff.time.now += 1000;
    await oldest.signIn('manager');
    await openKnown('manager');
    await openKnown('viewer');
    expect([await rowsOf('manager'), await rowsOf('viewer')].map(({ length }) => length)).toEqual([20, 1]);
    await lockOut('manager');
    expect(await statusOf(oldest.signIn('manager'))).toBe(200);
    expect(await statusOf(next.signIn('manager'))).toBe(429);
  });

  test('are at most 20 also where many sign in at once at two servers', async () => {
    const servers = [bff.fetch, createBff({ ...bff.deps, random: createDice(2).bytes }).fetch];
    const request = () => ask('POST', '/bff/session', { body: credentialsOf('manager') });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        servers.map((fetch, server) => fetch(request(), { address: `192.0.2.${2 * index + server}` })),
      ).flat(),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await rowsOf('manager')).toHaveLength(20);
  });

  test('that a clock of the future has seen neither crowd out others nor stay known for longer', async () => {
    bff.time.now += 500 * day;
    const early: Awaited<ReturnType<typeof openKnown>>[] = [];
    for (let count = 0; count < 20; count += 1) early.push(await openKnown('manager'));
    bff.time.now -= 500 * day;
    const known = await openKnown('manager');
    await lockOut('manager');
    expect(await statusOf(known.signIn('manager'))).toBe(200);
    bff.time.now += 400 * day;
    await lockOut('manager');
    for (const browser of early) expect(await statusOf(browser.signIn('manager'))).toBe(429);
  });
});

const rowsOf = (name: string) =>
  bff.db
    .selectFrom('known_browsers')
    .innerJoin('staff', 'staff.id', 'known_browsers.staff_id')
    .select('known_browsers.key')
    .where('staff.name', '=', name)
    .execute();

describe('the cookie of a known browser', () => {
  const given = async (publicUrl: string) => {
    bff = await createTestDesk({ transport: { kind: 'http', publicUrl } });
    const request = ask('POST', '/bff/session', { body: credentialsOf('viewer'), base: publicUrl });
    return (await bff.fetch(request)).headers.getSetCookie()[1];
  };

  test('lasts 400 days and is bound as that of a session is', async () => {
    const attributes = 'Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict';
    expect(await given('http://localhost:8080')).toMatch(
      new RegExp(`^desk-known=[\\w-]{43}; ${attributes}$`),
    );
    expect(await given('https://desk.test')).toMatch(
      new RegExp(`^__Host-Http-desk-known=[\\w-]{43}; ${attributes}; Secure$`),
    );
  });

  test('is ignored where there are two of it', async () => {
    const known = await openKnown('manager');
    await lockOut('manager');
    const Cookie = `desk-known=${known.cookies.get('desk-known')}; desk-known=${'A'.repeat(43)}`;
    const request = ask('POST', '/bff/session', { body: credentialsOf('manager'), headers: { Cookie } });
    expect(await statusOf(bff.fetch(request, { address }))).toBe(429);
  });
});
