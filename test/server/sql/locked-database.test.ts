import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { beginServing } from '../../../src/server/sql/node-sqlite.ts';
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
