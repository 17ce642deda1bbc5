import { DatabaseSync } from 'node:sqlite';
import { sql, type Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { runOnce, type Command } from '../../../src/server/run-command.ts';
import { codeIn } from '../../support/bff/browser.ts';
import { trySignIn } from '../../support/bff/person.ts';
import { createTestDesk } from '../../support/desk.ts';
import { person } from '../../support/people.ts';
import { openCheckedDesk } from '../../support/server/checked-desk.ts';
import { openServiceFile } from '../../support/server/sqlite-file.ts';
import { startService } from '../../support/service/harness.ts';
import { anna } from '../../support/service/people.ts';
import { problemOf } from '../../support/service/problem-of.ts';

/** A full disk: SQLite takes no more pages than it is allowed, and says the same then. */
const allowPages = async <Tables>(db: Kysely<Tables>, most: number) =>
  void (await sql`PRAGMA max_page_count = ${sql.lit(most)}`.execute(db));
const pages = { none: 1, plenty: 1_000_000 };

const ways: [string, (username: string) => Record<string, string>][] = [
  ['', () => ({})],
  [' and comes with a key', (username) => ({ [changeHeaders.key]: `a-key-for-a-full-disk-${username}` })],
];

test.each(ways)(
  'a change that the disk has no room for%s is refused, and done when there is some again',
  async (_, headersOf) => {
    const { db } = await openServiceFile();
    const { send, client, log } = await startService({ db });
    const create = (username: string) =>
      send('POST', '/subscribers', {
        body: { ...anna, username, note: 'x'.repeat(2000) },
        headers: headersOf(username),
      });
    const names = async () => {
      const query = { SortBy: 'username', PageSize: 200 } as const;
      return (await client.listSubscribers({ query })).data.items.map(({ username }) => username);
    };
    await allowPages(db, pages.none);
    // SQLite first fills the pages that the file already has.
    const { done, full, last } = await fillUp(create);
    expect(await problemOf(full)).toMatchObject({ problem: '503 disk-full' });
    expect(full.headers.get('Retry-After')).toBe('30');
    expect(log.map(({ event }) => event)).toContain('disk-full');
    expect(await names()).toEqual(done);
    await allowPages(db, pages.plenty);
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

const staff = (number: number) => ({ name: `Person ${number} ${'y'.repeat(30)}`, role: 'viewer' });

test('a full disk of the BFF is the reason of every answer and of its line in the log, no sign-in counts as limited, and readiness says so', async () => {
  const { db, manager, logs, fetch, isReady, checkLog } = await openCheckedDesk();
  expect(await isReady()).toBe(true);
  await allowPages(db, pages.none);
  let answer = new Response();
  for (let number = 0; number < 500 && answer.ok; number += 1)
    answer = await manager.ask('POST', '/bff/staff', staff(number));
  expect([answer.status, await codeIn(answer.clone())]).toEqual([503, 'disk-full']);
  expect((await answer.json()).detail).toBe(
    'The disk of the server is full. Nothing was changed. Tell an administrator to make room on it.',
  );
  logs.length = 0;
  let tried = 0;
  const tryWrong = () => {
    tried += 1;
    const address = `2001:db8:${tried.toString(16)}::1`;
    return trySignIn({ fetch }, `somebody ${tried}`, { password: 'not the password of it', address });
  };
  // The pages that are there already take some more.
  await expect.poll(async () => (await tryWrong()).status, { timeout: 20_000, interval: 0 }).toBe(503);
  expect(logs.map(({ event }) => event)).not.toContain('sign-in-limited');
  expect(logs).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'disk-full', errcode: 13, route: '/bff/session' }),
  );
  const lines = logs.filter(({ event, status }) => event === 'request' && Number(status) >= 500);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatchObject({ level: 'warn', code: 'disk-full' });
  expect((await manager.ask('GET', '/bff/staff')).status).toBe(200);
  expect(await isReady()).toBe(false);
  const why = { event: 'database-not-writable', database: 'desk', reason: 'disk-full', errcode: 13 };
  expect(checkLog).toEqual([expect.objectContaining(why)]);
  expect(logs).toContainEqual(
    expect.objectContaining({ level: 'warn', route: '/readyz', status: 503, missing: 'database' }),
  );
});

test('a full disk of the service is said as such by the BFF, which goes on reading', async () => {
  const desk = await createTestDesk({ people: [person('first')] });
  const support = await desk.signIn('support');
  await allowPages(await desk.serviceDb(), pages.none);
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

test('a command that the disk has no room for says so, and shows no stack', async () => {
  const copy: Command = async () => {
    using database = new DatabaseSync(':memory:');
    database.exec('PRAGMA max_page_count = 1; CREATE TABLE copies (text)');
    return true;
  };
  const complaints: string[] = [];
  const terminal = { env: {}, say: () => {}, sayApart: (sentence: string) => void complaints.push(sentence) };
  expect(await runOnce('server', { copy }, ['copy'], terminal)).toBe(1);
  expect(complaints).toEqual([
    'The disk of the server is full. Nothing was changed. Tell an administrator to make room on it.',
  ]);
});
