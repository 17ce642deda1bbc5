import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { startWriteCheck } from '../../../src/server/sql/write-check.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { statusOfSignIn } from '../../support/bff/person.ts';
import { createTestDesk } from '../../support/desk.ts';
import { startService } from '../../support/service/harness.ts';
import { person } from '../../support/people.ts';
import { anna } from '../../support/service/people.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const pages = { none: 1, plenty: 1_000_000 };

/** A service whose disk can be full: SQLite takes no more pages than it is allowed, and says the same then. */
async function arrange() {
  const file = join(temporaryFolder(), 'x.sqlite');
  const db = await openDatabase<ServiceTables>(
    { file },
    { name: 'service', migrations: serviceMigrations, fill: async () => {} },
  );
  onTestFinished(() => db.destroy());
  const service = await startService({ db });
  const allow = (most: number) => sql`PRAGMA max_page_count = ${sql.lit(most)}`.execute(db);
  const names = async () =>
    (await service.client.listSubscribers({ query: { SortBy: 'username', PageSize: 200 } })).data.items.map(
      ({ username }) => username,
    );
  return { ...service, allow, names };
}

const ways: [string, (username: string) => Record<string, string>][] = [
  ['', () => ({})],
  [' and comes with a key', (username) => ({ [changeHeaders.key]: `a-key-for-a-full-disk-${username}` })],
];

test.each(ways)(
  'a change that the disk has no room for%s is refused, and done when there is some again',
  async (_, headersOf) => {
    const { send, allow, names, log } = await arrange();
    const create = (username: string) =>
      send('POST', '/subscribers', {
        body: { ...anna, username, note: 'x'.repeat(2000) },
        headers: headersOf(username),
      });
    await allow(pages.none);
    // SQLite first fills the pages that the file already has.
    const { done, full, last } = await fillUp(create);
    expect(await problemOf(full)).toMatchObject({ problem: '503 disk-full' });
    expect(full.headers.get('Retry-After')).toBe('30');
    expect(log.map(({ event }) => event)).toContain('disk-full');
    expect(await names()).toEqual(done);
    await allow(pages.plenty);
    expect((await create(last)).status).toBe(200);
    expect(await names()).toEqual([...done, last]);
  },
);

/** Creates until the answer is no 200. */
async function fillUp(create: (username: string) => Promise<Response>) {
  const done: string[] = [];
  for (let round = 100; round < 300; round += 1) {
    const last = `person-${round}`;
    const full = await create(last);
    if (full.status !== 200) return { done, full, last };
    done.push(last);
  }
  throw new Error('The disk does not get full.');
}

/** A desk whose own database has no room, and a check that readiness asks. */
async function openFullDesk() {
  const db = await openDatabase<BffTables>(
    { file: join(temporaryFolder(), 'x.sqlite') },
    { name: 'desk', migrations: bffMigrations, fill: async () => {} },
  );
  onTestFinished(() => db.destroy());
  const log: unknown[] = [];
  const write = () => db.insertInto('secrets').values({ name: crypto.randomUUID(), value: big }).execute();
  const time = { now: 1_000_000 };
  const check = startWriteCheck({
    database: 'desk',
    write,
    clock: () => time.now,
    log: (level, event, facts) => void log.push({ level, event, ...facts }),
  });
  onTestFinished(check.stop);
  const desk = await createTestDesk({ db, canWrite: check.canWrite });
  const manager = await desk.signIn('manager');
  const allow = (most: number) => sql`PRAGMA max_page_count = ${sql.lit(most)}`.execute(db);
  const isReady = async () => (await desk.fetch(ask('GET', '/readyz'))).status === 200;
  desk.logs.length = 0;
  return { ...desk, manager, allow, isReady, log, checkTime: time };
}

const big = 'x'.repeat(20_000);
const staff = (number: number) => ({ name: `Person ${number} ${'y'.repeat(30)}`, role: 'viewer' });

describe('a full disk of the BFF', () => {
  test('is the reason of every answer and of its line in the log, and no sign-in counts as limited', async () => {
    const { manager, allow, logs, fetch } = await openFullDesk();
    await allow(pages.none);
    let answer = new Response();
    for (let number = 0; number < 500 && answer.ok; number += 1)
      answer = await manager.ask('POST', '/bff/staff', staff(number));
    expect([answer.status, await codeIn(answer.clone())]).toEqual([503, 'disk-full']);
    expect((await answer.json()).detail).toBe(
      'The disk of the server is full. Nothing was changed. Tell an administrator to make room on it.',
    );
    logs.length = 0;
    const wrong = 'not the password of it';
    // The pages that are there already take some more.
    await expect
      .poll(() => statusOfSignIn({ fetch }, `somebody ${Math.random()}`, wrong), {
        timeout: 20_000,
        interval: 0,
      })
      .toBe(503);
    expect(logs.map(({ event }) => event)).not.toContain('sign-in-limited');
    expect(logs).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'disk-full', errcode: 13, route: '/bff/session' }),
    );
    const lines = logs.filter(({ event, status }) => event === 'request' && Number(status) >= 500);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatchObject({ level: 'warn', code: 'disk-full' });
    expect((await manager.ask('GET', '/bff/staff')).status).toBe(200);
  });

  test('is noticed by readiness and logged once, and so is its end', async () => {
    const { allow, isReady, log, checkTime, logs } = await openFullDesk();
    expect(await isReady()).toBe(true);
    await allow(pages.none);
    for (const _ of [1, 2, 3]) {
      checkTime.now += 5000;
      expect(await isReady()).toBe(false);
    }
    expect(log).toEqual([
      expect.objectContaining({
        level: 'error',
        event: 'database-not-writable',
        database: 'desk',
        reason: 'disk-full',
        errcode: 13,
      }),
    ]);
    expect(logs).toContainEqual(
      expect.objectContaining({ level: 'warn', route: '/readyz', status: 503, missing: 'database' }),
    );
    await allow(pages.plenty);
    checkTime.now += 5000;
    expect(await isReady()).toBe(true);
    expect(log.slice(1)).toEqual([{ level: 'info', event: 'database-writable', database: 'desk' }]);
  });
});

test('a full disk of the service is said as such by the BFF, which goes on reading', async () => {
  const desk = await createTestDesk({ people: [person('first')] });
  const support = await desk.signIn('support');
  await sql`PRAGMA max_page_count = 1`.execute(await desk.serviceDb());
  const answers: Response[] = [];
  for (let number = 0; number < 200 && answers.length < 10; number += 1) {
    const body = person(`person-${number}`, { note: 'x'.repeat(900) });
    const answer = await support.ask('POST', '/api/subscribers', body);
    if (!answer.ok) answers.push(answer);
  }
  for (const answer of answers) {
    expect([answer.status, await codeIn(answer.clone())]).toEqual([503, 'disk-full']);
    expect((await answer.json()).detail).toBe(
      'Nothing was changed. The disk of the subscriber service is full. Tell an administrator to make room on it.',
    );
  }
  expect(answers).toHaveLength(10);
  expect((await support.ask('GET', '/api/subscribers/1')).status).toBe(200);
  expect(desk.logs).toContainEqual(
    expect.objectContaining({ event: 'upstream-answered', status: 503, code: 'disk-full' }),
  );
  expect(desk.logs.map(({ event }) => event)).not.toContain('upstream-breaker');
});
