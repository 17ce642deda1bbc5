import { describe, expect, test } from 'vitest';
import { createBff } from '../../../src/bff/bff.ts';
import { allowedTo } from '../../../src/contract/bff/permission.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, cookieOf, credentialsOf } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';

const minute = 60_000;
const years = 10 * 365 * 24 * 60 * minute;

const getSession = (bff: TestDesk, cookie: string) =>
  bff.fetch(ask('GET', '/bff/session', { headers: { Cookie: cookie } }));

describe('a session', () => {
  test('says who is signed in and what they may do', async () => {
    const bff = await createTestDesk({ service: 'canned' });
    const response = await getSession(bff, (await bff.signIn('support')).cookie());
    const accounts = bff.db.selectFrom('staff').select('id').where('name', '=', 'support');
    const found = await accounts.executeTakeFirstOrThrow();
    expect(await response.json()).toEqual({
      staff: { id: found.id, name: 'support', role: 'support', singleSignOn: false },
      can: allowedTo('support'),
      extensions: ['IsTrial', 'AfterId', 'ExpiresFrom', 'ExpiresTo'],
      statusHelp: 'Status is set in the billing system.',
      trialDays: 7,
      canSignOut: true,
      canChangePassword: true,
      mustChangePassword: false,
      views: [{ id: '7', name: 'Late', query: { Expired: 'true' }, shared: false }],
    });
  });

  test('says where a status is set, as the operator puts it', async () => {
    const bff = await createTestDesk({ service: 'canned', statusHelp: 'Ask billing@example.com.' });
    const viewer = await bff.signIn('viewer');
    expect((await viewer.bff.getSession({})).data.statusHelp).toBe('Ask billing@example.com.');
  });

  test('has the template of playlist addresses, where the operator gives one', async () => {
    const playlistUrlTemplate = 'https://tv.example/{token}';
    const bff = await createTestDesk({ service: 'canned', playlistUrlTemplate });
    const viewer = await bff.signIn('viewer');
    expect((await viewer.bff.getSession({})).data).toMatchObject({ playlistUrlTemplate });
  });

  test('is stored as the SHA-256 of its id, which has 256 bits', async () => {
    const bff = await createTestDesk();
    const id = (await bff.signIn('viewer')).cookie().replace('desk=', '');
    const rows = await bff.db.selectFrom('sessions').selectAll().execute();
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id));
    expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    expect(rows.map((row) => row.key)).toEqual([Buffer.from(hash).toString('base64url')]);
    expect(JSON.stringify(rows)).not.toContain(id);
  });

  test('ends after 30 minutes without a request', async () => {
    const bff = await createTestDesk();
    const cookie = (await bff.signIn('viewer')).cookie();
    bff.time.now += 29 * minute;
    expect((await getSession(bff, cookie)).status).toBe(200);
    bff.time.now += 29 * minute;
    expect((await getSession(bff, cookie)).status).toBe(200);
    bff.time.now += 30 * minute;
    expect((await getSession(bff, cookie)).status).toBe(401);
  });

  test('ends after 8 hours, even when it is in use', async () => {
    const bff = await createTestDesk();
    const cookie = (await bff.signIn('viewer')).cookie();
    const answers: number[] = [];
    for (let passed = 0; passed < 480; passed += 20) {
      answers.push((await getSession(bff, cookie)).status);
      bff.time.now += 20 * minute;
    }
    expect(new Set(answers)).toEqual(new Set([200]));
    expect((await getSession(bff, cookie)).status).toBe(401);
  });

  test('that a clock began that was years ahead ends with the error, and is deleted', async () => {
    const bff = await createTestDesk();
    bff.time.now += years;
    const ahead = (await bff.signIn('viewer')).cookie();
    expect((await getSession(bff, ahead)).status).toBe(200);
    bff.time.now -= years;
    expect((await getSession(bff, ahead)).status).toBe(401);
    const cookie = (await bff.signIn('viewer')).cookie();
    expect((await getSession(bff, cookie)).status).toBe(200);
    expect(await bff.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
  });

  test('that another server began, whose clock is some minutes ahead, is one here too', async () => {
    const bff = await createTestDesk();
    bff.time.now += 20 * minute;
    const cookie = (await bff.signIn('viewer')).cookie();
    bff.time.now -= 20 * minute;
    expect((await getSession(bff, cookie)).status).toBe(200);
  });

  test('has its use written also after the clock was years ahead', async () => {
    const bff = await createTestDesk();
    bff.time.now += years;
    const ahead = (await bff.signIn('viewer')).cookie();
    bff.time.now += 2 * minute;
    await getSession(bff, ahead);
    bff.time.now -= years;
    const cookie = (await bff.signIn('support')).cookie();
    for (let passed = 0; passed < 60; passed += 20) {
      expect((await getSession(bff, cookie)).status).toBe(200);
      bff.time.now += 20 * minute;
    }
  });

  test('in use at one server does not end because another writes an earlier use', async () => {
    const bff = await createTestDesk();
    const other = createBff(bff.deps);
    const cookies = [(await bff.signIn('support')).cookie(), (await bff.signIn('viewer')).cookie()];
    const use = async (server: Pick<TestDesk, 'fetch'>, Cookie = cookies[1] ?? '') =>
      (await server.fetch(ask('GET', '/bff/session', { headers: { Cookie } }))).status;
    bff.time.now += 2 * minute;
    // Right after a write, a use is only noted.
    await use(other, cookies[0]);
    await use(other);
    bff.time.now += 20 * minute;
    await use(bff);
    await use(other);
    bff.time.now += 20 * minute;
    expect(await use(bff)).toBe(200);
  });

  test('has its last use written at most once a minute', async () => {
    const bff = await createTestDesk();
    const cookie = (await bff.signIn('viewer')).cookie();
    const seenAt = () => bff.db.selectFrom('sessions').select('seen_at').executeTakeFirstOrThrow();
    const before = await seenAt();
    bff.time.now += minute - 1;
    await getSession(bff, cookie);
    expect(await seenAt()).toEqual(before);
    bff.time.now += 1;
    await getSession(bff, cookie);
    expect(await seenAt()).toEqual({ seen_at: bff.time.now });
  });

  test('ends with the account that is disabled', async () => {
    const bff = await createTestDesk();
    const cookie = (await bff.signIn('viewer')).cookie();
    await bff.db.updateTable('staff').set({ disabled: 1 }).where('name', '=', 'viewer').execute();
    expect((await getSession(bff, cookie)).status).toBe(401);
  });

  test('gets a new id at each sign-in, and the old one of that browser ends', async () => {
    const bff = await createTestDesk();
    const viewer = await bff.signIn('viewer');
    const first = viewer.cookie();
    await viewer.ask('POST', '/bff/session', credentialsOf('viewer'));
    const second = viewer.cookie();
    expect(second).not.toBe(first);
    expect((await getSession(bff, first)).status).toBe(401);
    expect((await getSession(bff, second)).status).toBe(200);
  });

  test('in another browser stays', async () => {
    const bff = await createTestDesk();
    const first = (await bff.signIn('viewer')).cookie();
    await bff.signIn('viewer');
    expect((await getSession(bff, first)).status).toBe(200);
  });

  test('that has expired is deleted at the next sign-in', async () => {
    const bff = await createTestDesk();
    await bff.signIn('viewer');
    bff.time.now += 30 * minute;
    await bff.signIn('support');
    expect(await bff.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
  });

  test('ends at sign-out, with its row and its cookie', async () => {
    const bff = await createTestDesk();
    const cookie = (await bff.signIn('viewer')).cookie();
    const response = await bff.fetch(ask('DELETE', '/bff/session', { headers: { Cookie: cookie } }));
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual(['desk=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
    expect(await bff.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect((await getSession(bff, cookie)).status).toBe(401);
  });
});

describe('the session cookie', () => {
  test('on loopback http is HttpOnly, Strict and for every path', async () => {
    const bff = await createTestDesk();
    const request = ask('POST', '/bff/session', { body: credentialsOf('viewer') });
    const cookies = (await bff.fetch(request)).headers.getSetCookie();
    expect(cookies[0]).toMatch(/^desk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('on https is bound to the host by its name and Secure', async () => {
    const base = 'https://desk.test';
    const bff = await createTestDesk({ transport: { kind: 'http', publicUrl: base } });
    const request = ask('POST', '/bff/session', { body: credentialsOf('viewer'), base });
    const response = await bff.fetch(request);
    const form = /^__Host-Http-desk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;
    expect(response.headers.getSetCookie()[0]).toMatch(form);
    const again = ask('GET', '/bff/session', { headers: { Cookie: cookieOf(response) }, base });
    expect((await bff.fetch(again)).status).toBe(200);
  });

  test('twice in a request is refused, whichever of them is right', async () => {
    const bff = await createTestDesk();
    const right = (await bff.signIn('viewer')).cookie();
    const planted = `desk=${'A'.repeat(43)}`;
    for (const cookie of [`${planted}; ${right}`, `${right}; ${planted}`, `${right};desk=`]) {
      const response = await getSession(bff, cookie);
      expect([response.status, await codeIn(response)]).toEqual([400, 'bad-request']);
    }
    const request = ask('POST', '/bff/session', {
      body: credentialsOf('viewer'),
      headers: { Cookie: `${planted}; ${right}` },
    });
    expect((await bff.fetch(request)).status).toBe(400);
  });

  test.each(everyRoute)(
    'twice is refused by $name too, and changes nothing',
    async ({ method, path, body }) => {
      const bff = await createTestDesk();
      const Cookie = `${(await bff.signIn('manager')).cookie()}; desk=${'A'.repeat(43)}`;
      const response = await bff.fetch(ask(method, path, { body, headers: { Cookie } }));
      expect([response.status, await codeIn(response)]).toEqual([400, 'bad-request']);
      expect(bff.upstream.calls).toEqual([]);
    },
  );

  test.each(['desk=', 'desk=short', `desk=${'A'.repeat(43)}`, `Desk=${'A'.repeat(43)}`, 'other=1'])(
    'that belongs to no session (%s) is ignored',
    async (cookie) => {
      const bff = await createTestDesk();
      const response = await getSession(bff, cookie);
      expect([response.status, await codeIn(response)]).toEqual([401, 'not-signed-in']);
    },
  );
});

/** Three users who have been signed in for a while, and when each of them was last seen. */
async function signInThree() {
  const bff = await createTestDesk();
  const began = bff.time.now;
  const cookies: string[] = [];
  for (const name of ['viewer', 'support', 'manager'] as const)
    cookies.push((await bff.signIn(name)).cookie());
  bff.time.now += 10 * minute;
  const use = (index: number) =>
    bff.fetch(ask('GET', '/bff/session', { headers: { Cookie: cookies[index] ?? '' } }));
  return { bff, began, use, seen: () => seenAt(bff, began) };
}

/** In ms after the beginning, sorted. */
async function seenAt({ db }: TestDesk, began: number): Promise<number[]> {
  const rows = await db.selectFrom('sessions').select('seen_at').execute();
  return rows.map((row) => row.seen_at - began).toSorted((one, other) => one - other);
}

test('the uses of many sessions within a second are written together', async () => {
  const { bff, use, seen } = await signInThree();
  await use(0);
  expect(await seen()).toEqual([0, 0, 10 * minute]);
  bff.time.now += 400;
  await Promise.all([use(1), use(2)]);
  expect(await seen()).toEqual([0, 0, 10 * minute]);
  bff.time.now += 600;
  await use(0);
  expect(await seen()).toEqual([10 * minute, 10 * minute + 400, 10 * minute + 400]);
});

test('a use that no other request follows is written by the maintenance', async () => {
  const { bff, use, seen } = await signInThree();
  await use(0);
  await use(1);
  bff.time.now += minute;
  await bff.runMaintenance();
  expect(await seen()).toEqual([0, 10 * minute, 10 * minute]);
});
