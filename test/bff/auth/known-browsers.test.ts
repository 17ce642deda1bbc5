import { beforeEach, describe, expect, it } from 'vitest';
import { attemptLimits } from '../../../src/bff/auth/attempts.ts';
import { findStaff } from '../../../src/bff/staff/store.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, password } from '../../support/bff/browser.ts';
import { manage, trySignIn } from '../../support/bff/person.ts';

const address = '192.0.2.1';
const hour = 60 * 60_000;
const day = 24 * hour;
const fresh = 'nine tired otters sing';

let bff: TestDesk;
beforeEach(async () => {
  bff = await createTestDesk();
});

/** A browser with the cookies that it was given, at an address that it may share with others. */
function openBrowser(from = address) {
  const cookies = new Map<string, string>();
  const header = () => ({ Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') });
  const statusOf = async (answer: Promise<Response>) => {
    const { status, headers } = await answer;
    for (const text of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    return status;
  };
  return {
    cookies,
    signIn: (name: string, tried = password) =>
      statusOf(trySignIn(bff, name, { password: tried, headers: header(), address: from })),
    changePassword: (newPassword: string) => {
      const body = { password, newPassword };
      return statusOf(bff.fetch(ask('PUT', '/bff/password', { body, headers: header() }), { address: from }));
    },
  };
}

async function guess(times: number, name: string, from = openBrowser()) {
  for (let count = 0; count < times; count += 1) await from.signIn(name, 'wrong');
}

async function openKnown(name: string) {
  const browser = openBrowser();
  expect(await browser.signIn(name)).toBe(200);
  return browser;
}

/** Guesses at the account and from the address, more than either limit allows. */
async function lockOut(name: string) {
  await guess(attemptLimits.password.account, name);
  for (let count = 0; count < attemptLimits.password.address; count += 1) await guess(1, `somebody ${count}`);
}

const rowsOf = async (name: string) => {
  const account = await findStaff(bff.db, name);
  return (await bff.rows('known_browsers')).filter((row) => row.staff_id === account?.id);
};

describe('the owner of an account at which others guess, also from the same address', () => {
  it('gets in from a browser that is known, and from no other, and can change the password there', async () => {
    const known = await openKnown('manager');
    await lockOut('manager');
    expect(await openBrowser().signIn('manager')).toBe(429);
    expect(await openBrowser('198.51.100.9').signIn('manager')).toBe(429);
    expect(await known.signIn('manager')).toBe(200);
    expect(await known.signIn('manager')).toBe(200);
    expect(await known.changePassword(fresh)).toBe(200);
  });

  it('does not reset their count by a sign-in elsewhere', async () => {
    await guess(attemptLimits.password.account - 1, 'manager');
    expect(await openBrowser('198.51.100.9').signIn('manager')).toBe(200);
    await guess(1, 'manager');
    expect(await openBrowser().signIn('manager')).toBe(429);
  });
});

describe('a known browser', () => {
  it('has limits of its own', async () => {
    const known = await openKnown('manager');
    await guess(attemptLimits.password.account, 'manager', known);
    expect(await known.signIn('manager')).toBe(429);
    expect(await openBrowser().signIn('manager')).toBe(200);
  });

  it('is known for the account that signed in there last, and for no other', async () => {
    const known = await openKnown('viewer');
    await lockOut('manager');
    expect(await known.signIn('manager')).toBe(429);
    expect(await known.signIn('viewer')).toBe(200);
  });

  it('stays known for 400 days after it was last used', async () => {
    const known = await openKnown('manager');
    bff.time.now += 399 * day;
    await lockOut('manager');
    expect(await known.signIn('manager')).toBe(200);
    bff.time.now += 400 * day;
    await lockOut('manager');
    expect(await known.signIn('manager')).toBe(429);
  });

  it('needs the password all the same', async () => {
    const known = await openKnown('manager');
    known.cookies.delete('desk');
    expect(await known.signIn('manager', 'wrong')).toBe(401);
    const headers = { Cookie: `desk=${known.cookies.get('desk-known')}` };
    expect((await bff.fetch(ask('GET', '/bff/session', { headers }))).status).toBe(401);
  });

  it('is known by a cookie of which only the digest is kept, and which stays at the next sign-in', async () => {
    const known = await openKnown('manager');
    const id = known.cookies.get('desk-known') ?? '';
    expect(id).toMatch(/^[\w-]{43}$/);
    await known.signIn('manager');
    expect(known.cookies.get('desk-known')).toBe(id);
    const rows = await bff.rows('known_browsers');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify([rows, bff.logs])).not.toContain(id);
  });

  it('is one of at most 20 of an account: the one that was used longest ago is forgotten', async () => {
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
    expect([(await rowsOf('manager')).length, (await rowsOf('viewer')).length]).toEqual([20, 1]);
    await lockOut('manager');
    expect(await oldest.signIn('manager')).toBe(200);
    expect(await next.signIn('manager')).toBe(429);
  });

  it('is one of at most 20 also where many sign in at once at two servers', async () => {
    const servers = [bff, bff.openReplica()];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        trySignIn(servers[index % 2] ?? bff, 'manager', { address: `192.0.2.${index}` }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await rowsOf('manager')).toHaveLength(20);
  });

  it('crowds out no other and is known for no longer if a clock of the future has seen it', async () => {
    bff.time.now += 500 * day;
    const early: Awaited<ReturnType<typeof openKnown>>[] = [];
    for (let count = 0; count < 20; count += 1) early.push(await openKnown('manager'));
    bff.time.now -= 500 * day;
    const known = await openKnown('manager');
    await lockOut('manager');
    expect(await known.signIn('manager')).toBe(200);
    bff.time.now += 400 * day;
    await lockOut('manager');
    for (const browser of early) expect(await browser.signIn('manager')).toBe(429);
  });
});

describe('a browser that was known', () => {
  it('is unknown after another one changed the password, which is known under another id', async () => {
    const [here, elsewhere] = [await openKnown('manager'), await openKnown('manager')];
    const copied = here.cookies.get('desk-known') ?? '';
    expect(await here.changePassword(fresh)).toBe(200);
    await lockOut('manager');
    expect(await elsewhere.signIn('manager', fresh)).toBe(429);
    expect(await here.signIn('manager', fresh)).toBe(200);
    here.cookies.set('desk-known', copied);
    expect(await here.signIn('manager', fresh)).toBe(429);
  });

  it('is unknown after a manager reset the password', async () => {
    const known = await openKnown('support');
    const manager = await manage(bff);
    expect((await manager.reset('support')).status).toBe(200);
    await lockOut('support');
    expect(await known.signIn('support')).toBe(429);
    expect(await rowsOf('support')).toHaveLength(0);
  });

  it('is unknown after the account was disabled, and stays so when it is enabled', async () => {
    const known = await openKnown('support');
    const manager = await manage(bff);
    for (const disabled of [true, false])
      expect((await manager.change('support', { disabled })).status).toBe(200);
    await lockOut('support');
    expect(await known.signIn('support')).toBe(429);
    expect(await openBrowser('198.51.100.9').signIn('viewer')).toBe(200);
  });
});

describe('the cookie of a known browser', () => {
  it.each([
    ['http://localhost:8080', 'desk-known', ''],
    ['https://desk.test', '__Host-Http-desk-known', '; Secure'],
  ])('lasts 400 days and is bound as that of a session is at %s', async (base, name, end) => {
    const desk = await createTestDesk({ transport: { kind: 'http', publicUrl: base } });
    const cookie = (await trySignIn(desk, 'viewer', { base })).headers.getSetCookie()[1];
    const attributes = 'Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict';
    expect(cookie).toMatch(new RegExp(`^${name}=[\\w-]{43}; ${attributes}${end}$`));
  });

  it('is ignored where there are two of it', async () => {
    const known = await openKnown('manager');
    await lockOut('manager');
    const Cookie = `desk-known=${known.cookies.get('desk-known')}; desk-known=${'A'.repeat(43)}`;
    expect((await trySignIn(bff, 'manager', { headers: { Cookie }, address })).status).toBe(429);
  });
});
