import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import { addStaff, findStaff } from '../../../src/bff/staff/store.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { createPasswords } from '../../../src/server/passwords.ts';
import { clock, random } from '../../../src/server/runtime.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { createDatabase } from '../../support/setup/database.ts';
import { runDesk } from '../../support/server/in-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

/** @param migrations those of the BFF, or none for a database without tables */
async function arrange(migrations: typeof bffMigrations | null) {
  const url = await createDatabase();
  const config = { variable: 'DATABASE_URL', url };
  if (migrations)
    await (await openDatabase(config, { name: 'desk', migrations, fill: async () => {} })).destroy();
  const db = openPostgres<BffTables>(url);
  onTestFinished(() => db.destroy());
  const folder = join(temporaryFolder(), 'none');
  const reset = () => runDesk({ DATA_DIR: folder, DATABASE_URL: url }, 'reset-password', 'kari');
  return { db, folder, reset };
}

test('an account in PostgreSQL is given a one-time password from the terminal, without a folder', async () => {
  const { db, folder, reset } = await arrange(bffMigrations);
  const passwords = createPasswords(random);
  const forgotten = { name: 'Kari', role: 'manager', password: 'the one that nobody remembers' } as const;
  await addStaff({ db, passwords, random, clock }, forgotten);
  const { code, stdout, stderr } = await reset();
  expect([code, stderr]).toEqual([0, '']);
  const [, password = ''] = /one-time password (\S{23})$/m.exec(stdout) ?? [];
  const staff = await findStaff(db, 'Kari');
  expect(staff).toMatchObject({ role: 'manager', must_change_password: 1 });
  expect(await passwords.verify(password, staff?.password_hash ?? '')).toBe(true);
  expect(existsSync(folder)).toBe(false);
});

test('a database without tables stays empty, and a sentence says so', async () => {
  const { db, reset } = await arrange(null);
  expect(await reset()).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The database in DATABASE_URL has no tables of Subscriber Desk\./),
  });
  const tables = sql`select table_name from information_schema.tables where table_schema = current_schema()`;
  expect((await tables.execute(db)).rows).toEqual([]);
});
