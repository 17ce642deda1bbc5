import type { Insertable } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBff } from '../../../src/bff/bff.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { addStaff } from '../../../src/bff/staff/store.ts';
import type { EventEntry } from '../../../src/contract/bff/journal.ts';
import { sha256 } from '../../../src/contract/http/crypto.ts';
import { migrate } from '../../../src/server/sql/migrate.ts';
import { createPerson, isIn, manage, type Person } from '../../support/bff/person.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { openEmpty } from '../../support/setup/database.ts';
import { codeIn, credentialsOf, password, publicUrl } from '../../support/bff/browser.ts';

const minute = 60_000;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

let desk: TestDesk;
beforeEach(async () => {
  desk = await createTestDesk();
});

/** Signs in with a browser that calls itself so. */
async function signInWith(userAgent: string, name = 'support', fetch = desk.fetch): Promise<Person> {
  const person = createPerson((request) => {
    request.headers.set('User-Agent', userAgent);
    return fetch(request);
  }, publicUrl);
  await person.bff.signIn({ body: credentialsOf(name) });
  return person;
}

const sessionsOf = async (person: Person) => (await person.bff.listSessions({})).data;
const idOf = async (person: Person) => (await sessionsOf(person)).find((own) => own.isCurrent)?.id ?? '';
const at = (ms: number) => new Date(ms).toISOString();

describe('the own sessions', () => {
  test('are listed with their browsers, this one first', async () => {
    const began = desk.time.now;
    const one = await signInWith(safari);
    desk.time.now += 5 * minute;
    const other = await signInWith(firefox);
    await signInWith(firefox, 'colleague');
    desk.time.now += 2 * minute;
    expect(await sessionsOf(one)).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        browser: 'Safari on iPhone',
        since: at(began),
        lastUsed: at(began + 7 * minute),
        isCurrent: true,
      },
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        browser: 'Firefox on Linux',
        since: at(began + 5 * minute),
        lastUsed: at(began + 5 * minute),
        isCurrent: false,
      },
    ]);
    expect((await sessionsOf(other)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });

  test('are those that have not expired', async () => {
    await signInWith(safari);
    desk.time.now += 30 * minute;
    // Signed in before, so that nothing deletes the expired one.
    await desk.db.updateTable('sessions').set({ created_at: desk.time.now }).execute();
    const kept = await desk.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    const support = await signInWith(firefox);
    await desk.db.insertInto('sessions').values(kept).execute();
    expect(await sessionsOf(support)).toHaveLength(1);
    const ended = await support.ask('DELETE', `/bff/sessions/${kept.public_id}`);
    expect([ended.status, await codeIn(ended)]).toEqual([404, 'no-such-session']);
    expect((await support.bff.endOtherSessions({})).data).toEqual({ ended: 0 });
  });

  test('show nothing that opens a session, and nothing else of what the browser sent', async () => {
    const support = await signInWith(`${firefox} canary-of-the-header`);
    const rows = await desk.db.selectFrom('sessions').selectAll().execute();
    const listed = JSON.stringify(await sessionsOf(support));
    for (const { key } of rows) expect(listed).not.toContain(key);
    expect(JSON.stringify(rows) + JSON.stringify(desk.logs)).not.toContain('canary-of-the-header');
  });

  test('keep the browser after another password, which ends the others', async () => {
    const [support, other] = [await signInWith(firefox), await signInWith(safari)];
    await support.bff.changePassword({ body: { password, newPassword: 'nine tired otters sing' } });
    expect(await sessionsOf(support)).toMatchObject([{ browser: 'Firefox on Linux', isCurrent: true }]);
    expect(await isIn(other)).toBe(false);
  });
});

describe('ending a session', () => {
  test('signs that browser out at its next request, whichever server it asks, and no other', async () => {
    const replica = createBff(desk.deps);
    const [here, there] = [await signInWith(firefox), await signInWith(safari, 'support', replica.fetch)];
    const third = await signInWith(firefox);
    await here.bff.endSession({ params: { id: await idOf(there) } });
    expect([await isIn(here), await isIn(there), await isIn(third)]).toEqual([true, false, true]);
    const answer = await there.ask('GET', '/bff/sessions');
    expect([answer.status, await codeIn(answer)]).toEqual([401, 'not-signed-in']);
    await replica.stop();
  });

  test('is refused with the same words for somebody else’s and for one that nobody has', async () => {
    const [support, colleague] = [await signInWith(firefox), await signInWith(safari, 'colleague')];
    const answers = [await idOf(colleague), 'nobodys'].map(async (id) => {
      const answer = await support.ask('DELETE', `/bff/sessions/${id}`);
      const { requestId: _, ...problem }: Record<string, unknown> = await answer.json();
      return problem;
    });
    const [others, unknown] = await Promise.all(answers);
    expect(others).toMatchObject({ status: 404, detail: expect.stringMatching(/^You have no such session/) });
    expect(others).toEqual(unknown);
    expect(await isIn(colleague)).toBe(true);
  });

  test('of all others keeps this one and those of other accounts', async () => {
    const [one, two, three] = [
      await signInWith(firefox),
      await signInWith(safari),
      await signInWith(firefox),
    ];
    const colleague = await signInWith(firefox, 'colleague');
    expect((await two.bff.endOtherSessions({})).data).toEqual({ ended: 2 });
    const live = await Promise.all([one, two, three, colleague].map(isIn));
    expect(live).toEqual([false, true, false, true]);
    expect((await two.bff.endOtherSessions({})).data).toEqual({ ended: 0 });
  });

  test('is refused where the journal cannot be written, and ends nothing', async () => {
    const [support, other] = [await signInWith(firefox), await signInWith(safari)];
    const id = await idOf(other);
    await desk.db.schema.dropTable('journal').execute();
    const answers = [
      await support.ask('DELETE', `/bff/sessions/${id}`),
      await support.ask('DELETE', '/bff/sessions'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(await isIn(other)).toBe(true);
  });

  test('is recorded: in which browser, or how many; not if there was none', async () => {
    const [support, other] = [await signInWith(firefox), await signInWith(safari)];
    await support.bff.endSession({ params: { id: await idOf(other) } });
    await support.bff.endOtherSessions({});
    await signInWith(safari);
    await signInWith(safari);
    await support.bff.endOtherSessions({});
    const { items } = (await support.bff.listActivity({ query: { kind: 'sign-in' } })).data;
    const ended = (items as EventEntry[]).filter(({ operation }) => operation !== 'signIn');
    expect(ended.map(({ operation, details, staff }) => [staff.name, operation, details])).toEqual([
      ['support', 'endOtherSessions', { sessions: 2 }],
      ['support', 'endSession', { sessions: 1, browser: 'Safari on iPhone' }],
    ]);
  });
});

test('a session of a one-time password can neither see nor end the others', async () => {
  const manager = await manage(desk);
  const other = await signInWith(safari);
  await desk.db.updateTable('staff').set({ must_change_password: 1 }).where('name', '=', 'support').execute();
  const newcomer = await signInWith(firefox);
  const answers = await Promise.all(
    [
      ['GET', '/bff/sessions'],
      ['DELETE', '/bff/sessions'],
      ['DELETE', '/bff/sessions/7'],
    ].map(async ([method = '', path = '']) => codeIn(await newcomer.ask(method, path))),
  );
  expect(new Set(answers)).toEqual(new Set(['password-change-needed']));
  expect([await isIn(other), await isIn(manager)]).toEqual([true, true]);
});

test('sessions from before they had an ID go on, and can be ended, once the database is migrated', async () => {
  const db = await openEmpty<BffTables>();
  await migrate(db, Object.fromEntries(Object.entries(bffMigrations).filter(([name]) => name < '0033')));
  const { id } = await addStaff({ ...desk.deps, db }, { name: 'support', role: 'support', password });
  const now = desk.time.now;
  const idOfCookie = 'x'.repeat(43);
  for (const [key, age] of [
    [await sha256(idOfCookie), 2],
    ['another', 1],
  ] as const) {
    const times = { created_at: now - age * minute, seen_at: now };
    // The columns of that time.
    const row = { key, staff_id: id, ...times } as Insertable<BffTables['sessions']>;
    await db.insertInto('sessions').values(row).execute();
  }
  await migrate(db, bffMigrations);
  const bff = createBff({ ...desk.deps, db });
  const person = createPerson((request) => {
    request.headers.set('Cookie', `desk=${idOfCookie}`);
    return bff.fetch(request);
  }, publicUrl);
  const own = await sessionsOf(person);
  expect(own.map(({ browser, isCurrent }) => [browser, isCurrent])).toEqual([
    ['Unknown browser', true],
    ['Unknown browser', false],
  ]);
  await person.bff.endSession({ params: { id: own[1]?.id ?? '' } });
  expect(await sessionsOf(person)).toHaveLength(1);
  await bff.stop();
});
