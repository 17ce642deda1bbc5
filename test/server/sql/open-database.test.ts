import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { startProcess } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

test('processes that open a new SQLite file at the same moment all do, and one of them fills it', async () => {
  const file = join(temporaryFolder(), 'desk.sqlite');
  const moment = String(Date.now() + 700);
  const processes = Array.from({ length: 4 }, () =>
    startProcess(['test/support/server/open-bff-database.ts', file, moment]),
  );
  const ends = await Promise.all(processes.map(({ ended }) => ended));
  expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(ends.map(() => [0, '']));
  expect(new Set(ends.map(({ stdout }) => stdout)).size).toBe(1);
});

test('a file that is no database is said to be so, with what to do', async () => {
  const file = join(temporaryFolder(), 'desk.sqlite');
  writeFileSync(file, 'this is no database, and long enough to be seen as none. '.repeat(20));
  const opening = openDatabase({ file }, { name: 'desk', migrations: bffMigrations, fill: async () => {} });
  await expect(opening).rejects.toThrow(/^Cannot open .*desk\.sqlite \(file is not a database\)\. Restore /);
});

test('a file of a newer version is said to be one: moved away, nobody would see its data', async () => {
  const file = join(temporaryFolder(), 'desk.sqlite');
  const open = (migrations: typeof bffMigrations) =>
    openDatabase({ file }, { name: 'desk', migrations, fill: async () => {} });
  await (await open({ ...bffMigrations, '9999-newer': { up: async () => {} } })).destroy();
  await expect(open(bffMigrations)).rejects.toThrow(
    `${file} belongs to a newer version of Subscriber Desk. Update Subscriber Desk, or set DATA_DIR to another folder.`,
  );
});
