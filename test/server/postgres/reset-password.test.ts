import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { addStaff, findStaff } from '../../../src/bff/staff/store.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { createPasswords } from '../../../src/server/passwords.ts';
import { clock, random } from '../../../src/server/runtime.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { createDatabase } from '../../support/setup/database.ts';
import { startProcess } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

test('an account in PostgreSQL is given a one-time password from the terminal, without a folder', async () => {
  const url = await createDatabase();
  const config = { variable: 'DATABASE_URL', url };
  const options = { name: 'desk', migrations: bffMigrations, fill: async () => {} } as const;
  const db = await openDatabase<BffTables>(config, options);
  onTestFinished(() => db.destroy());
  const passwords = createPasswords(random);
  const deps = { db, passwords, random, clock };
  await addStaff(deps, { name: 'Kari', role: 'manager', password: 'the one that nobody remembers' });

  const folder = join(temporaryFolder(), 'none');
  const env = { DATA_DIR: folder, DATABASE_URL: url };
  const { code, stdout, stderr } = await startProcess(['src/server/admin.ts', 'reset-password', 'kari'], env)
    .ended;
  expect([code, stderr]).toEqual([0, '']);
  const [, password = ''] = /one-time password (\S{23})$/m.exec(stdout) ?? [];
  const staff = await findStaff(db, 'Kari');
  expect(staff).toMatchObject({ role: 'manager', must_change_password: 1 });
  expect(await passwords.verify(password, staff?.password_hash ?? '')).toBe(true);
  expect(existsSync(folder)).toBe(false);
});

test('a database without tables stays empty, and a sentence says so', async () => {
  const url = await createDatabase();
  const env = { DATA_DIR: join(temporaryFolder(), 'none'), DATABASE_URL: url };
  const { code, stderr } = await startProcess(['src/server/admin.ts', 'reset-password', 'kari'], env).ended;
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The database in DATABASE_URL has no tables of Subscriber Desk\./),
  ]);
  const db = openPostgres(url);
  onTestFinished(() => db.destroy());
  const tables = sql`select table_name from information_schema.tables where table_schema = current_schema()`;
  expect((await tables.execute(db)).rows).toEqual([]);
});
