import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, test } from 'vitest';
import { codeIn } from '../../support/bff/browser.ts';
import { openCheckedDesk } from '../../support/server/checked-desk.ts';
import { openServer, openService } from '../../support/server/in-process.ts';

/** A desk that runs on files, and somebody who adds accounts to it. */
async function arrange() {
  const desk = await openCheckedDesk();
  let number = 0;
  const add = async () => {
    const account = { name: `Person ${(number += 1)}`, role: 'viewer' };
    const answer = await desk.manager.ask('POST', '/bff/staff', account);
    return answer.ok ? 'done' : `${answer.status} ${await codeIn(answer)}`;
  };
  const count = async () => (await desk.db.selectFrom('staff').select('id').execute()).length;
  return { ...desk, add, count };
}

const unavailable = '503 database-unavailable';
const deleted = { level: 'error', event: 'database-not-writable', database: 'desk', reason: 'files-deleted' };

describe.each(['', '-wal', '-shm'])(
  'a file of the database (desk.sqlite%s) that is deleted under the server',
  (suffix) => {
    it('ends writing at once, not reading, and the server is not ready and says why', async () => {
      const { file, add, isReady, count, manager, checkLog, logs } = await arrange();
      expect([await add(), await isReady()]).toEqual(['done', true]);
      const before = await count();
      rmSync(file + suffix);
      expect([await add(), await add()]).toEqual([unavailable, unavailable]);
      expect(await count()).toBe(before);
      expect((await manager.ask('GET', '/bff/staff')).status).toBe(200);
      expect(await isReady()).toBe(false);
      expect(await isReady()).toBe(false);
      expect(checkLog).toEqual([deleted]);
      expect(logs).toContainEqual(
        expect.objectContaining({ event: 'database-unavailable', code: 'DATABASE_FILES_DELETED' }),
      );
    });

    it('is used again when it is put back, and not a copy of it', async () => {
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

test.each([
  ['server', 'desk', openServer],
  ['service', 'service', openService],
])('a running %s is alive, not ready, and says why', async (_, name, open) => {
  const { url, folder, output } = await open();
  const isReady = async () => (await fetch(`${url}/readyz`)).status;
  rmSync(join(folder, `${name}.sqlite`));
  expect(await isReady()).toBe(503);
  const fault = { event: 'database-not-writable', database: name, reason: 'files-deleted' };
  expect(output()).toContain(JSON.stringify(fault).slice(1, -1));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
