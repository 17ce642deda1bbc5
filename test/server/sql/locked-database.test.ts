import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { beginServing, openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';
import { ask, credentialsOf } from '../../support/bff/browser.ts';
import { createTestDesk } from '../../support/desk.ts';
import { openBffFile, openServiceFile } from '../../support/server/sqlite-file.ts';
import { startService } from '../../support/service/harness.ts';
import { anna } from '../../support/service/people.ts';

/** Another process's hold on a database. */
function createLock(file: string) {
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  return { lock: () => other.exec('BEGIN IMMEDIATE'), release: () => other.exec('COMMIT') };
}

const details = async (answer: Response) => [answer.status, answer.headers.get('Retry-After')];

test('a change while another process writes is answered with 503 soon, and done when it is sent again', async () => {
  const { db, file } = await openBffFile();
  await beginServing(db);
  const { lock, release } = createLock(file);
  const bff = await createTestDesk({ db, staff: {} });
  const signIn = () =>
    bff.fetch(ask('POST', '/bff/session', { body: { ...credentialsOf('nobody'), password: 'wrong' } }));
  lock();
  const before = performance.now();
  expect(await details(await signIn())).toEqual([503, '1']);
  expect(performance.now() - before).toBeLessThan(4500);
  // Reading goes on.
  expect(await db.selectFrom('staff').selectAll().execute()).toEqual([]);
  release();
  expect(await details(await signIn())).toEqual([401, null]);
});

test('the service says the same of a change while another process writes', async () => {
  const { db, file } = await openServiceFile();
  await beginServing(db);
  const { lock, release } = createLock(file);
  const { send } = await startService({ db });
  lock();
  expect(await details(await send('POST', '/subscribers', { body: anna }))).toEqual([503, '1']);
  release();
  expect(await details(await send('POST', '/subscribers', { body: anna }))).toEqual([200, null]);
});

test('a change waits for another process while others have their turns', async () => {
  const { db, file } = await openServiceFile();
  await beginServing(db);
  const { lock, release } = createLock(file);
  const rename = () => db.updateTable('subscriber_statuses').set({ name: 'Paused' }).where('id', '=', 2);
  lock();
  setImmediate(release);
  expect((await rename().executeTakeFirstOrThrow()).numUpdatedRows).toBe(1n);
  lock();
  setImmediate(release);
  const twice = db.transaction().execute((tx) => tx.deleteFrom('service_once').execute());
  await expect(twice).resolves.toHaveLength(1);
});

test('a process with many changes that wait lets one that has made a change make another', async () => {
  const { db, file } = await openServiceFile();
  const other: typeof db = openNodeSqlite(file);
  onTestFinished(() => other.destroy());
  for (const one of [db, other]) await beginServing(one);
  const over = new AbortController();
  const change = (one: typeof db) =>
    one.transaction().execute(async (tx) => {
      await tx.updateTable('subscriber_statuses').set({ name: 'Paused' }).where('id', '=', 2).execute();
      await crypto.subtle.digest('SHA-256', new Uint8Array(1));
    });
  const changeOnAndOn = async () => {
    while (!over.signal.aborted) await change(db);
  };
  await change(other);
  const many = Array.from({ length: 8 }, changeOnAndOn);
  const outcome = await change(other).then(
    () => 'made',
    (error: unknown) => error,
  );
  over.abort();
  await Promise.all(many);
  expect(outcome).toBe('made');
});
