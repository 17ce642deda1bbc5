import { beforeEach, describe, expect, it } from 'vitest';
import { mostSessions } from '../../../src/bff/auth/session-store.ts';
import { unattendedHeader } from '../../../src/contract/bff/paths.ts';
import { allowedTo } from '../../../src/contract/bff/permission.ts';
import { extensionNames } from '../../../src/contract/service/list-rules.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, cookieOf, outcomeOf, publicUrl } from '../../support/bff/browser.ts';
import { createPerson, isIn, trySignIn, type Person } from '../../support/bff/person.ts';
import { everyRoute } from '../../support/bff/routes.ts';

const minute = 60_000;
const years = 10 * 365 * 24 * 60 * minute;

let bff: TestDesk;
let viewer: Person;
beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
  viewer = await bff.signIn('viewer');
});

/** Uses a session every 20 minutes; returns whether it was live each time. */
async function useFor(hours: number, person: Person) {
  const answers: boolean[] = [];
  for (let passed = 0; passed < hours * 60; passed += 20) {
    answers.push(await isIn(person));
    bff.time.now += 20 * minute;
  }
  return [...new Set(answers)];
}
const look = (Cookie: string) => bff.fetch(ask('GET', '/bff/session', { headers: { Cookie } }));

describe('a session', () => {
  it('ends when its account begins more than a person has, if it was not used for longest', async () => {
    const [row] = await bff.rows('sessions');
    if (!row) throw new Error('There is a session.');
    const others = Array.from({ length: mostSessions }, (_, index) => ({
      ...row,
      key: `key ${index}`,
      public_id: `id ${index}`,
      seen_at: row.seen_at + 1 + index,
    }));
    await bff.db.insertInto('sessions').values(others).execute();
    const support = await bff.signIn('support');
    const another = await bff.signIn('viewer');
    expect([await isIn(viewer), await isIn(support), await isIn(another)]).toEqual([false, true, true]);
    const remaining = (await bff.rows('sessions')).filter(({ staff_id: id }) => id === row.staff_id);
    expect(remaining).toHaveLength(mostSessions);
    expect(remaining.map(({ key }) => key)).not.toContain('key 0');
    expect(remaining.map(({ key }) => key)).toContain('key 1');
  });

  it('says who is signed in and what they may do', async () => {
    const support = (await bff.rows('staff')).find(({ name }) => name === 'support');
    const session = await (await bff.signIn('support')).ask('GET', '/bff/session');
    expect(await session.json()).toEqual({
      staff: { id: support?.id, name: 'support', role: 'support', singleSignOn: false },
      can: allowedTo('support'),
      extensions: [...extensionNames],
      statusHelp: 'Status is set in the billing system.',
      trialDays: 7,
      canSignOut: true,
      canChangePassword: true,
      mustChangePassword: false,
      isProven: true,
      views: [{ id: '7', name: 'Late', query: { Expired: 'true' }, shared: false }],
    });
  });

  it('says where a status is set and has the template of playlist addresses, as the operator puts it', async () => {
    const given = {
      statusHelp: 'Ask billing@example.com.',
      playlistUrlTemplate: 'https://tv.example/{token}',
    };
    const person = createPerson(bff.openReplica(given).fetch, 'http://127.0.0.1:8080', viewer.cookie());
    expect((await person.bff.getSession({})).data).toMatchObject(given);
  });

  it('is stored as the SHA-256 of its id, which has 256 bits', async () => {
    const id = viewer.cookie().replace('desk=', '');
    const rows = await bff.rows('sessions');
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id));
    expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    expect(rows.map((row) => row.key)).toEqual([Buffer.from(hash).toString('base64url')]);
    expect(JSON.stringify(rows)).not.toContain(id);
  });

  it('is not kept by what the page asks for while nobody uses it', async () => {
    const unattended = { [unattendedHeader.name]: unattendedHeader.value };
    const statuses: number[] = [];
    for (let passed = 0; passed < 60; passed += 20) {
      const answer = await viewer.ask('GET', '/api/subscribers', undefined, unattended);
      statuses.push(answer.status);
      bff.time.now += 20 * minute;
    }
    expect(statuses).toEqual([200, 200, 401]);
  });

  it('is not kept by an export, which looks at it every few seconds', async () => {
    const desk = await createTestDesk({ samples: 2000 });
    const manager = await desk.signIn('manager');
    const reader = (await manager.ask('GET', '/bff/export')).body?.getReader();
    for (let passed = 0; passed < 2; passed += 1) {
      desk.time.now += 14 * minute;
      await reader?.read();
    }
    expect((await desk.rows('sessions')).map((row) => desk.time.now - row.seen_at)).toEqual([28 * minute]);
    await reader?.cancel();
  });

  it('ends after 30 minutes without a request, and is deleted', async () => {
    for (const [passed, isLive] of [
      [29, true],
      [29, true],
      [30, false],
    ] as const) {
      bff.time.now += passed * minute;
      expect(await isIn(viewer)).toBe(isLive);
    }
    await bff.runMaintenance();
    expect(await bff.rows('sessions')).toEqual([]);
  });

  it('ends after 8 hours, even when it is in use', async () => {
    expect(await useFor(8, viewer)).toEqual([true]);
    expect(await isIn(viewer)).toBe(false);
  });

  it('ends with the error of a clock that was years ahead when it began, and is deleted', async () => {
    bff.time.now += years;
    const ahead = await bff.signIn('viewer');
    expect(await isIn(ahead)).toBe(true);
    bff.time.now -= years;
    expect(await isIn(ahead)).toBe(false);
    await bff.runMaintenance();
    const [, ...others] = await bff.rows('sessions');
    expect([await isIn(viewer), others]).toEqual([true, []]);
  });

  it('is one here too if another server began it, whose clock is some minutes ahead', async () => {
    bff.time.now += 20 * minute;
    const ahead = await bff.signIn('viewer');
    bff.time.now -= 20 * minute;
    expect(await isIn(ahead)).toBe(true);
  });

  it('does not end in use at one server because another writes an earlier use', async () => {
    const other = bff.openReplica();
    const support = await bff.signIn('support');
    const useElsewhere = async (person: Person) =>
      other.fetch(ask('GET', '/bff/session', { headers: { Cookie: person.cookie() } }));
    bff.time.now += 2 * minute;
    // Right after a write, a use is only noted.
    await useElsewhere(support);
    await useElsewhere(viewer);
    bff.time.now += 20 * minute;
    await isIn(viewer);
    await useElsewhere(viewer);
    bff.time.now += 20 * minute;
    expect(await isIn(viewer)).toBe(true);
  });

  it('has its last use written at most once a minute', async () => {
    const [before] = await bff.rows('sessions');
    bff.time.now += minute - 1;
    await isIn(viewer);
    expect(await bff.rows('sessions')).toEqual([before]);
    bff.time.now += 1;
    await isIn(viewer);
    expect(await bff.rows('sessions')).toMatchObject([{ seen_at: bff.time.now }]);
  });

  it('has its use written with those of others within a second, or by the maintenance', async () => {
    const began = bff.time.now;
    const [support, manager] = [await bff.signIn('support'), await bff.signIn('manager')];
    const seen = async () =>
      (await bff.rows('sessions')).map((row) => row.seen_at - began).toSorted((one, other) => one - other);
    const later = 10 * minute;
    bff.time.now += later;
    await isIn(viewer);
    expect(await seen()).toEqual([0, 0, later]);
    bff.time.now += 400;
    await Promise.all([isIn(support), isIn(manager)]);
    expect(await seen()).toEqual([0, 0, later]);
    bff.time.now += 600;
    await isIn(viewer);
    expect(await seen()).toEqual([later, later + 400, later + 400]);
    bff.time.now += 2 * minute;
    await Promise.all([isIn(support), isIn(manager)]);
    bff.time.now += minute;
    await bff.runMaintenance();
    expect((await seen()).filter((at) => at > later + minute)).toHaveLength(2);
  });

  it('makes no change if it ends before the body of a request is there', async () => {
    const manager = await bff.signIn('manager');
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const { headers } = ask('POST', '/bff/staff', { body: '' });
    const init = { method: 'POST', headers, body: body.readable, duplex: 'half' };
    const answer = manager.fetch(new Request(`${publicUrl}/bff/staff`, init));
    const writer = body.writable.getWriter();
    // It is taken once the route reads the body, after all that is asked before.
    await writer.write(new TextEncoder().encode('{"name":"New",'));
    await bff.changeAccount('manager', { disabled: 1 });
    await writer.write(new TextEncoder().encode('"role":"manager"}'));
    await writer.close();
    expect(await outcomeOf(answer)).toBe('401 not-signed-in');
    expect((await bff.rows('staff')).map(({ name }) => name)).not.toContain('New');
  });

  it('gets a new id at each sign-in, and only the old one of that browser ends', async () => {
    const first = viewer.cookie();
    const elsewhere = await bff.signIn('viewer');
    await viewer.ask('POST', '/bff/session', { name: 'viewer', password: 'canary-right-password' });
    expect(viewer.cookie()).not.toBe(first);
    expect(await outcomeOf(look(first))).toBe('401 not-signed-in');
    expect([await isIn(viewer), await isIn(elsewhere)]).toEqual([true, true]);
  });

  it('ends at sign-out, with its row and its cookie', async () => {
    const cookie = viewer.cookie();
    const response = await viewer.ask('DELETE', '/bff/session');
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual(['desk=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
    expect(await bff.rows('sessions')).toEqual([]);
    expect((await look(cookie)).status).toBe(401);
  });
});

describe('the session cookie', () => {
  it('is HttpOnly, Strict and for every path on loopback http', async () => {
    const [cookie] = (await trySignIn(bff, 'viewer')).headers.getSetCookie();
    expect(cookie).toMatch(/^desk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it('is bound to the host by its name and Secure on https', async () => {
    const base = 'https://desk.test';
    const server = bff.openReplica({ transport: { kind: 'http', publicUrl: base } });
    const response = await trySignIn(server, 'viewer', { base });
    const form = /^__Host-Http-desk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;
    expect(response.headers.getSetCookie()[0]).toMatch(form);
    expect(await isIn(createPerson(server.fetch, base, cookieOf(response)))).toBe(true);
  });

  it('is refused twice in a request, whichever of them is right, by every route, and nothing changes', async () => {
    const right = (await bff.signIn('manager')).cookie();
    const planted = `desk=${'A'.repeat(43)}`;
    const refused = '400 bad-request';
    for (const cookie of [`${planted}; ${right}`, `${right}; ${planted}`, `${right};desk=`])
      expect(await outcomeOf(look(cookie))).toBe(refused);
    const outcomes: Record<string, string> = {};
    for (const { line, method, path, body } of everyRoute) {
      const headers = { Cookie: `${right}; ${planted}` };
      outcomes[line] = await outcomeOf(bff.fetch(ask(method, path, { body, headers })));
    }
    expect(outcomes).toEqual(Object.fromEntries(everyRoute.map(({ line }) => [line, refused])));
    expect(bff.upstream.calls).toEqual([]);
  });

  it('is ignored if it belongs to no session', async () => {
    const none = 'A'.repeat(43);
    for (const cookie of ['desk=', 'desk=short', `desk=${none}`, `Desk=${none}`, 'other=1'])
      expect(await outcomeOf(look(cookie)), cookie).toBe('401 not-signed-in');
  });
});
