import { describe, expect, test } from 'vitest';
import { allowedTo } from '../../../src/contract/bff/permission.ts';
import { ask, codeIn, cookieOf, credentialsOf, signIn } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';
import { openStaffedDesk, type Desk } from '../../support/bff/desk.ts';

const minute = 60_000;

const whoIs = (desk: Desk, cookie: string) =>
  desk.fetch(ask('GET', '/bff/session', { headers: { Cookie: cookie } }));

describe('a session', () => {
  test('says who is signed in and what they may do', async () => {
    const desk = await openStaffedDesk();
    const response = await whoIs(desk, await signIn(desk, 'support'));
    const accounts = desk.db.selectFrom('staff').select('id').where('name', '=', 'support');
    const found = await accounts.executeTakeFirstOrThrow();
    expect(await response.json()).toEqual({
      staff: { id: found.id, name: 'support', role: 'support' },
      can: allowedTo('support'),
      extensions: ['IsTrial'],
      canSignOut: true,
      canChangePassword: true,
      mustChangePassword: false,
      views: [{ id: '7', name: 'Late', query: { Expired: 'true' } }],
    });
  });

  test('is stored as the SHA-256 of its id, which has 256 bits', async () => {
    const desk = await openStaffedDesk();
    const id = (await signIn(desk, 'viewer')).replace('desk=', '');
    const rows = await desk.db.selectFrom('sessions').selectAll().execute();
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id));
    expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    expect(rows.map((row) => row.key)).toEqual([Buffer.from(hash).toString('base64url')]);
    expect(JSON.stringify(rows)).not.toContain(id);
  });

  test('ends after 30 minutes without a request', async () => {
    const desk = await openStaffedDesk();
    const cookie = await signIn(desk, 'viewer');
    desk.time.now += 29 * minute;
    expect((await whoIs(desk, cookie)).status).toBe(200);
    desk.time.now += 29 * minute;
    expect((await whoIs(desk, cookie)).status).toBe(200);
    desk.time.now += 30 * minute;
    expect((await whoIs(desk, cookie)).status).toBe(401);
  });

  test('ends after 8 hours however busy', async () => {
    const desk = await openStaffedDesk();
    const cookie = await signIn(desk, 'viewer');
    const answers: number[] = [];
    for (let passed = 0; passed < 480; passed += 20) {
      answers.push((await whoIs(desk, cookie)).status);
      desk.time.now += 20 * minute;
    }
    expect(new Set(answers)).toEqual(new Set([200]));
    expect((await whoIs(desk, cookie)).status).toBe(401);
  });

  test('has its last use written once a minute at most', async () => {
    const desk = await openStaffedDesk();
    const cookie = await signIn(desk, 'viewer');
    const seenAt = () => desk.db.selectFrom('sessions').select('seen_at').executeTakeFirstOrThrow();
    const before = await seenAt();
    desk.time.now += minute - 1;
    await whoIs(desk, cookie);
    expect(await seenAt()).toEqual(before);
    desk.time.now += 1;
    await whoIs(desk, cookie);
    expect(await seenAt()).toEqual({ seen_at: desk.time.now });
  });

  test('ends with the account that is disabled', async () => {
    const desk = await openStaffedDesk();
    const cookie = await signIn(desk, 'viewer');
    await desk.db.updateTable('staff').set({ disabled: 1 }).where('name', '=', 'viewer').execute();
    expect((await whoIs(desk, cookie)).status).toBe(401);
  });

  test('gets a new id at each sign-in, and the old one of that browser ends', async () => {
    const desk = await openStaffedDesk();
    const first = await signIn(desk, 'viewer');
    const second = await signIn(desk, 'viewer', { Cookie: first });
    expect(second).not.toBe(first);
    expect((await whoIs(desk, first)).status).toBe(401);
    expect((await whoIs(desk, second)).status).toBe(200);
  });

  test('of another browser goes on', async () => {
    const desk = await openStaffedDesk();
    const first = await signIn(desk, 'viewer');
    await signIn(desk, 'viewer');
    expect((await whoIs(desk, first)).status).toBe(200);
  });

  test('that has run out is cleared away at the next sign-in', async () => {
    const desk = await openStaffedDesk();
    await signIn(desk, 'viewer');
    desk.time.now += 30 * minute;
    await signIn(desk, 'support');
    expect(await desk.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
  });

  test('ends at sign-out, with its row and its cookie', async () => {
    const desk = await openStaffedDesk();
    const cookie = await signIn(desk, 'viewer');
    const response = await desk.fetch(ask('DELETE', '/bff/session', { headers: { Cookie: cookie } }));
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual(['desk=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
    expect(await desk.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect((await whoIs(desk, cookie)).status).toBe(401);
  });
});

describe('the session cookie', () => {
  test('on loopback http is HttpOnly, Strict and for every path', async () => {
    const desk = await openStaffedDesk();
    const request = ask('POST', '/bff/session', { body: credentialsOf('viewer') });
    const cookies = (await desk.fetch(request)).headers.getSetCookie();
    expect(cookies[0]).toMatch(/^desk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('on https is bound to the host by its name and Secure', async () => {
    const base = 'https://desk.test';
    const desk = await openStaffedDesk({ transport: { kind: 'http', publicUrl: base } });
    const request = ask('POST', '/bff/session', { body: credentialsOf('viewer'), base });
    const response = await desk.fetch(request);
    const form = /^__Host-Http-desk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;
    expect(response.headers.getSetCookie()[0]).toMatch(form);
    const again = ask('GET', '/bff/session', { headers: { Cookie: cookieOf(response) }, base });
    expect((await desk.fetch(again)).status).toBe(200);
  });

  test('twice in a request is refused, whichever of them is right', async () => {
    const desk = await openStaffedDesk();
    const right = await signIn(desk, 'viewer');
    const planted = `desk=${'A'.repeat(43)}`;
    for (const cookie of [`${planted}; ${right}`, `${right}; ${planted}`, `${right};desk=`]) {
      const response = await whoIs(desk, cookie);
      expect([response.status, await codeIn(response)]).toEqual([400, 'bad-request']);
    }
    const request = ask('POST', '/bff/session', {
      body: credentialsOf('viewer'),
      headers: { Cookie: `${planted}; ${right}` },
    });
    expect((await desk.fetch(request)).status).toBe(400);
  });

  test.each(everyRoute)(
    'twice is refused at $name too, and changes nothing',
    async ({ method, path, body }) => {
      const desk = await openStaffedDesk();
      const Cookie = `${await signIn(desk, 'manager')}; desk=${'A'.repeat(43)}`;
      const response = await desk.fetch(ask(method, path, { body, headers: { Cookie } }));
      expect([response.status, await codeIn(response)]).toEqual([400, 'bad-request']);
      expect(desk.upstream.calls).toEqual([]);
    },
  );

  test.each(['desk=', 'desk=short', `desk=${'A'.repeat(43)}`, `Desk=${'A'.repeat(43)}`, 'other=1'])(
    'that opens nothing (%s) is as none',
    async (cookie) => {
      const desk = await openStaffedDesk();
      const response = await whoIs(desk, cookie);
      expect([response.status, await codeIn(response)]).toEqual([401, 'not-signed-in']);
    },
  );
});
