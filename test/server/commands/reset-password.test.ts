import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { addStaff, findStaff } from '../../../src/bff/staff/store.ts';
import { replaceRecoveryCodes } from '../../../src/bff/auth/recovery-codes.ts';
import { addFactor } from '../../../src/bff/auth/second-factor.ts';
import { insertSession } from '../../../src/bff/auth/session-store.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import type { Role } from '../../../src/contract/bff/permission.ts';
import { openDataFile } from '../../../src/server/data-folder.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { createPasswords } from '../../../src/server/passwords.ts';
import { clock, random } from '../../../src/server/runtime.ts';
import { startProcess } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const forgotten = 'the one that nobody remembers';
const passwords = createPasswords(random);

let folder: string;
let db: Awaited<ReturnType<typeof openDatabase<BffTables>>>;

// The database stays open, as that of a running server.
beforeEach(async () => {
  folder = join(temporaryFolder(), 'data');
  const file = await openDataFile(folder, 'desk');
  db = await openDatabase<BffTables>(
    { file },
    { name: 'desk', migrations: bffMigrations, fill: async () => {} },
  );
  onTestFinished(() => db.destroy());
});

const hire = (name: string, role: Role) =>
  addStaff({ db, passwords, random, clock }, { name, role, password: forgotten });

const run = (dataDir: string, ...options: string[]) =>
  startProcess(['src/server/admin.ts', ...options], { DATA_DIR: dataDir }).ended;

const told = (stdout: string) => /^Sign in as (.+) with the one-time password (\S{23})$/m.exec(stdout) ?? [];

describe('a password that is reset from the terminal', () => {
  test('opens the account once more, told once, and has to be changed', async () => {
    const { id } = await hire('Kari Nordmann', 'manager');
    await db.updateTable('staff').set({ disabled: 1 }).where('id', '=', id).execute();
    const session = { key: 'somewhere', publicId: 'known', browser: 'Firefox on Linux' };
    await insertSession(db, { ...session, staffId: id, now: clock() });
    const { code, stdout, stderr } = await run(folder, 'reset-password', 'kari nordmann');
    const [, name, password = ''] = told(stdout);
    expect([code, stderr, name]).toEqual([0, '', 'Kari Nordmann']);
    expect(stdout.split(password)).toHaveLength(2);

    const staff = await findStaff(db, 'Kari Nordmann');
    expect(staff).toMatchObject({ role: 'manager', disabled: 0, must_change_password: 1 });
    expect(await passwords.verify(password, staff?.password_hash ?? '')).toBe(true);
    expect(await passwords.verify(forgotten, staff?.password_hash ?? '')).toBe(false);
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });

  test('takes the second factor away too, and says so', async () => {
    const { id } = await hire('jonas', 'viewer');
    const factor = { staffId: id, kind: 'totp', secret: '', counter: 0 } as const;
    await db.transaction().execute(async (tx) => {
      await addFactor(tx, factor, { clock, random });
      await replaceRecoveryCodes(tx, id, { random, secondFactorKey: '' });
    });
    const { stdout } = await run(folder, 'reset-password', 'jonas');
    expect(stdout).toMatch(
      /^The second factor of the account is removed, too\. Set another one up under My account\.$/m,
    );
    for (const table of ['second_factors', 'recovery_codes'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    const entries = db.selectFrom('journal').select(['operation', 'staff_id']).orderBy('seq');
    expect(await entries.execute()).toEqual([
      { operation: 'resetStaffPassword', staff_id: 'terminal' },
      { operation: 'resetSecondFactor', staff_id: 'terminal' },
    ]);
    expect((await run(folder, 'reset-password', 'jonas')).stdout).not.toContain('second factor');
  });

  test('of an account that is no manager keeps its role, and says so', async () => {
    await hire('jonas', 'viewer');
    const { code, stdout } = await run(folder, 'reset-password', 'jonas');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The account keeps its role viewer\. It is not a manager\.$/m);
    expect(await findStaff(db, 'jonas')).toMatchObject({ role: 'viewer' });
  });

  test('leaves all other accounts as they are', async () => {
    await hire('jonas', 'viewer');
    const other = await hire('kari', 'manager');
    await run(folder, 'reset-password', 'jonas');
    expect(await findStaff(db, 'kari')).toEqual(other);
  });
});

describe('it is a sentence and exit code 1, and nothing changes,', () => {
  test('where nobody has the name; those that there are stay untold', async () => {
    const jonas = await hire('jonas', 'manager');
    const { code, stdout, stderr } = await run(folder, 'reset-password', 'jona');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe('There is no account with this name. Check the spelling.\n');
    expect(await findStaff(db, 'jonas')).toEqual(jonas);
  });

  test('where the account signs in elsewhere and has no password', async () => {
    const { id } = await hire('jonas', 'manager');
    const there = { issuer: 'https://id.example.com', subject: 'x', password_hash: '' };
    await db.updateTable('staff').set(there).where('id', '=', id).execute();
    const before = await findStaff(db, 'jonas');
    const { code, stdout, stderr } = await run(folder, 'reset-password', 'jonas');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^This account signs in with single sign-on and has no password here\..*\n$/);
    expect(await findStaff(db, 'jonas')).toEqual(before);
  });

  test('where there is no database, and none is created', async () => {
    const empty = join(folder, 'elsewhere');
    mkdirSync(empty);
    const { code, stdout, stderr } = await run(empty, 'reset-password', 'jonas');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `There is no desk.sqlite in ${empty}. Set DATA_DIR to the folder that contains it.\n`,
    );
    expect(readdirSync(empty)).toEqual([]);
  });

  test.each([[], ['Kari', 'Nordmann']])('without one name: %j', async (...names) => {
    const { code, stderr } = await run(folder, 'reset-password', ...names);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Give the name of one account: npm run desk -- reset-password NAME\..*\n$/);
  });

  test.each([[], ['unknown'], ['constructor']])('without a command that there is: %j', async (...options) => {
    const { code, stderr } = await run(folder, ...options);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Give a command: npm run desk -- COMMAND\. The commands are: .*reset-password.*\.\n$/,
    );
  });
});
