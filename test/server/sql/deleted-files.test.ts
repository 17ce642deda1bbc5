import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { startWriteCheck } from '../../../src/server/sql/write-check.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { runService, serviceAddress } from '../../support/server/service-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

/** A desk that runs on files. */
async function arrange() {
  const file = join(temporaryFolder(), 'x.sqlite');
  const db = await openDatabase<BffTables>(
    { file },
    { name: 'desk', migrations: bffMigrations, fill: async () => {} },
  );
  onTestFinished(() => db.destroy());
  const log: unknown[] = [];
  const time = { now: 1_000_000 };
  const { canWrite, stop } = startWriteCheck({
    database: 'desk',
    file,
    write: () => db.updateTable('staff').set({ disabled: 0 }).execute(),
    clock: () => time.now,
    log: (level, event, facts) => void log.push({ level, event, ...facts }),
  });
  onTestFinished(stop);
  const desk = await createTestDesk({ db, canWrite });
  const manager = await desk.signIn('manager');
  let number = 0;
  const add = async () => {
    const answer = await manager.ask('POST', '/bff/staff', {
      name: `Person ${(number += 1)}`,
      role: 'viewer',
    });
    return answer.ok ? 'done' : `${answer.status} ${await codeIn(answer)}`;
  };
  const isReady = async () => {
    time.now += 5000;
    return (await desk.fetch(ask('GET', '/readyz'))).status === 200;
  };
  const count = async () => (await db.selectFrom('staff').select('id').execute()).length;
  return { ...desk, file, manager, add, isReady, count, log };
}

const unavailable = '503 database-unavailable';
const gone = { level: 'error', event: 'database-not-writable', database: 'desk', reason: 'files-deleted' };

describe.each(['', '-wal', '-shm'])(
  'a file of the database (x.sqlite%s) that is deleted under the server',
  (suffix) => {
    test('ends writing at once, not reading, and the server is not ready and says why', async () => {
      const { file, add, isReady, count, manager, log, logs } = await arrange();
      expect([await add(), await isReady()]).toEqual(['done', true]);
      const before = await count();
      rmSync(file + suffix);
      expect([await add(), await add()]).toEqual([unavailable, unavailable]);
      expect(await count()).toBe(before);
      expect((await manager.ask('GET', '/bff/staff')).status).toBe(200);
      expect(await isReady()).toBe(false);
      expect(await isReady()).toBe(false);
      expect(log).toEqual([gone]);
      expect(logs).toContainEqual(
        expect.objectContaining({ event: 'database-unavailable', code: 'DATABASE_FILES_DELETED' }),
      );
    });

    test('is used again when it is put back, and not a copy of it', async () => {
      const { file, add, isReady } = await arrange();
      await add();
      const path = file + suffix;
      renameSync(path, `${path}.away`);
      expect(await add()).toBe(unavailable);
      copyFileSync(`${path}.away`, path);
      expect(await add()).toBe(unavailable);
      renameSync(`${path}.away`, path);
      expect([await add(), await isReady()]).toEqual(['done', true]);
    });
  },
);

test('a change whose files are deleted before its commit is not done', async () => {
  const { db, file, count } = await arrange();
  const before = await count();
  const change = db.transaction().execute(async (tx) => {
    await tx.deleteFrom('staff').execute();
    rmSync(file);
  });
  await expect(change).rejects.toMatchObject({ code: 'database-unavailable' });
  expect(await count()).toBe(before);
});

test('another process that writes, empties the log and ends does not end writing', async () => {
  const { file, add } = await arrange();
  for (let round = 0; round < 3; round += 1) {
    const other = new DatabaseSync(file);
    other.exec("insert or replace into secrets values ('other', 'x')");
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    expect(await add()).toBe('done');
  }
});

test('a running service is alive, not ready, and says why', async () => {
  const folder = join(temporaryFolder(), 'data');
  const service = runService(folder);
  const url = await serviceAddress(service);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  rmSync(join(folder, 'service.sqlite'));
  const isReady = async () => (await fetch(`${url}/readyz`)).status;
  await expect.poll(isReady, { timeout: 30_000, interval: 500 }).toBe(503);
  await service.line(/"event":"database-not-writable","database":"service","reason":"files-deleted"/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
