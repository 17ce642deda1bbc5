import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { addStaff, findStaff } from '../../../src/bff/staff/store.ts';
import { replaceRecoveryCodes } from '../../../src/bff/auth/one-time-password.ts';
import { addFactor } from '../../../src/bff/auth/second-factor.ts';
import { insertSession } from '../../../src/bff/auth/session-store.ts';
import type { Role } from '../../../src/contract/bff/permission.ts';
import { createPasswords } from '../../../src/server/passwords.ts';
import { clock, random } from '../../../src/server/runtime.ts';
import { runDesk } from '../../support/server/in-process.ts';
import { openBffFile } from '../../support/server/sqlite-file.ts';

const forgotten = 'the one that nobody remembers';
const passwords = createPasswords(random);

let { db, folder } = {} as Awaited<ReturnType<typeof openBffFile>>;

/** Their passwords are not hashed, which takes long, since nobody signs in with them. */
const hire = (name: string, role: Role) =>
  addStaff(
    { db, passwords: { ...passwords, hash: async () => 'a hash' }, random, clock },
    { name, role, password: forgotten },
  );

const reset = (...names: string[]) => runDesk({ DATA_DIR: folder }, 'reset-password', ...names);

describe('reset-password', () => {
  beforeEach(async () => void ({ db, folder } = await openBffFile()));

  it('opens the account once more by a password that it says once and that has to be changed', async () => {
    const { id } = await hire('Kari Nordmann', 'manager');
    await db.updateTable('staff').set({ disabled: 1 }).where('id', '=', id).execute();
    const session = { key: 'somewhere', publicId: 'known', browser: 'Firefox on Linux' };
    await insertSession(db, { ...session, staffId: id, now: clock() });
    const { code, stdout, stderr } = await reset('kari nordmann');
    const [, name, password = ''] =
      /^Sign in as (.+) with the one-time password (\S{23})$/m.exec(stdout) ?? [];
    expect([code, stderr, name]).toEqual([0, '', 'Kari Nordmann']);
    expect(stdout.split(password)).toHaveLength(2);

    const staff = await findStaff(db, 'Kari Nordmann');
    expect(staff).toMatchObject({ role: 'manager', disabled: 0, must_change_password: 1 });
    expect(await passwords.verify(password, staff?.password_hash ?? '')).toBe(true);
    expect(await passwords.verify(forgotten, staff?.password_hash ?? '')).toBe(false);
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });

  it('takes the second factor away too, and says so', async () => {
    const { id } = await hire('jonas', 'viewer');
    const factor = { staffId: id, kind: 'totp', secret: '', counter: 0 } as const;
    await db.transaction().execute(async (tx) => {
      await addFactor(tx, factor, { clock, random });
      await replaceRecoveryCodes(tx, id, { random, secondFactorKey: '' });
    });
    expect((await reset('jonas')).stdout).toMatch(
      /^The second factor of the account is removed, too\. Set another one up under My account\.$/m,
    );
    for (const table of ['second_factors', 'recovery_codes'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    const entries = db.selectFrom('journal').select(['operation', 'staff_id']).orderBy('seq');
    expect(await entries.execute()).toEqual([
      { operation: 'resetStaffPassword', staff_id: 'terminal' },
      { operation: 'resetSecondFactor', staff_id: 'terminal' },
    ]);
    expect((await reset('jonas')).stdout).not.toContain('second factor');
  });

  it('keeps the role of an account that is no manager, and all other accounts as they are', async () => {
    await hire('jonas', 'viewer');
    const other = await hire('kari', 'manager');
    const { code, stdout } = await reset('jonas');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^The account keeps its role viewer\. It is not a manager\. To make it one, add --manager\.$/m,
    );
    expect(await findStaff(db, 'jonas')).toMatchObject({ role: 'viewer' });
    expect(await findStaff(db, 'kari')).toEqual(other);
  });

  it('makes the account a manager on request, as where the last one was of single sign-on that is switched off', async () => {
    await hire('jonas', 'viewer');
    const { code, stdout } = await reset('jonas', '--manager');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^The account is a manager now\.$/m)]);
    expect(await findStaff(db, 'jonas')).toMatchObject({ role: 'manager' });
    const entries = db.selectFrom('journal').select(['operation', 'input']).orderBy('seq', 'desc');
    expect(await entries.executeTakeFirst()).toMatchObject({
      operation: 'changeStaff',
      input: expect.stringContaining('{"before":"viewer","after":"manager"}'),
    });
  });

  it('changes nothing without the name of one account that has a password here', async () => {
    await hire('jonas', 'manager');
    const { id } = await hire('kari', 'manager');
    const elsewhere = { issuer: 'https://id.example.com', subject: 'x', password_hash: '' };
    await db.updateTable('staff').set(elsewhere).where('id', '=', id).execute();
    const before = await db.selectFrom('staff').selectAll().execute();
    const rows: [names: string[], sentence: RegExp][] = [
      // It names nobody else.
      [['jona'], /^There is no account with this name\. Check the spelling\.\n$/],
      [['kari'], /^This account signs in with single sign-on and has no password here\..*\n$/],
      [[], /^Give the name of one account: npm run desk -- reset-password NAME\..*\n$/],
      [['Kari', 'Nordmann'], /^Give the name of one account: /],
    ];
    for (const [names, sentence] of rows)
      expect(await reset(...names)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(await db.selectFrom('staff').selectAll().execute()).toEqual(before);
  });

  it('creates no database where there is none', async () => {
    const empty = join(folder, 'elsewhere');
    mkdirSync(empty);
    expect(await runDesk({ DATA_DIR: empty }, 'reset-password', 'jonas')).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no desk.sqlite in ${empty}. Set DATA_DIR to the folder that contains it.\n`,
    });
    expect(readdirSync(empty)).toEqual([]);
  });
});

test('npm run desk names its commands where it is given another', async () => {
  const stderr = expect.stringMatching(
    /^Give a command: npm run desk -- COMMAND\. The commands are: .*reset-password.*\.\n$/,
  );
  for (const words of [[], ['unknown'], ['constructor']])
    expect(await runDesk({}, ...words)).toEqual({ code: 1, stdout: '', stderr });
});
