import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { openDatabase, type DatabaseOptions } from '../../../src/server/open-database.ts';
import { beginServing } from '../../../src/server/sql/node-sqlite.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask, credentialsOf } from '../../support/bff/browser.ts';
import { startService } from '../../support/service/harness.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

/** A database that serves, and another process's hold on it. */
async function arrange<Tables>(migrations: DatabaseOptions<Tables>['migrations']) {
  const file = join(temporaryFolder(), 'x.sqlite');
  const db = await openDatabase<Tables>({ file }, { name: 'desk', migrations, fill: async () => {} });
  await beginServing(db);
  const other = new DatabaseSync(file);
  onTestFinished(async () => {
    other.close();
    await db.destroy();
  });
  return { db, lock: () => other.exec('BEGIN IMMEDIATE'), release: () => other.exec('COMMIT') };
}

const facts = async (answer: Response) => [answer.status, answer.headers.get('Retry-After')];

test('a change while another process writes is answered with 503 soon, and done when it is sent again', async () => {
  const { db, lock, release } = await arrange<BffTables>(bffMigrations);
  const bff = await createTestDesk({ db, staff: {} });
  const signIn = () =>
    bff.fetch(ask('POST', '/bff/session', { body: { ...credentialsOf('nobody'), password: 'wrong' } }));
  lock();
  const before = performance.now();
  expect(await facts(await signIn())).toEqual([503, '1']);
  expect(performance.now() - before).toBeLessThan(4500);
  release();
  expect(await facts(await signIn())).toEqual([401, null]);
});

test('reading goes on while another process writes', async () => {
  const { db, lock } = await arrange<BffTables>(bffMigrations);
  lock();
  expect(await db.selectFrom('staff').selectAll().execute()).toEqual([]);
});

test('the service says the same', async () => {
  const { db, lock, release } = await arrange<ServiceTables>(serviceMigrations);
  const { send } = await startService({ db });
  const body = { username: 'kari', email: 'kari@example.com', expiresAt: '2027-01-01T00:00:00Z' };
  lock();
  expect(await facts(await send('POST', '/subscribers', { body }))).toEqual([503, '1']);
  release();
  expect(await facts(await send('POST', '/subscribers', { body }))).toEqual([200, null]);
});
