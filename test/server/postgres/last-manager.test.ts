import { expect, test } from 'vitest';
import { createStaffAccounts, type StaffAccounts } from '../../../src/bff/staff/store.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { createTestDesk } from '../../support/desk.ts';
import { openTwice } from '../../support/setup/database.ts';
import { recordEventOf, someone } from '../../support/bff/entries.ts';

const ways = {
  disable: (accounts: StaffAccounts | undefined, id: string) =>
    accounts?.change(id, { disabled: true }, someone),
  'give a one-time password to': (accounts: StaffAccounts | undefined, id: string) =>
    accounts?.resetPassword(id, someone),
};

test.each(Object.entries(ways))(
  'one of two managers who %s each other at two servers at once is refused, in each of 50 races',
  async (_, change) => {
    const [firstDb, secondDb] = await openTwice<BffTables>('bff', bffMigrations);
    const { deps } = await createTestDesk({ db: firstDb, staff: { Ann: 'manager', Kari: 'manager' } });
    const [one, other] = [firstDb, secondDb].map((db) =>
      createStaffAccounts({ ...deps, db, recordEvent: recordEventOf(deps) }),
    );
    const ids = (await firstDb.selectFrom('staff').select('id').orderBy('name').execute()).map(
      ({ id }) => id,
    );
    const [ann = '', kari = ''] = ids;
    for (let race = 0; race < 50; race += 1) {
      const outcomes = await Promise.allSettled([change(one, kari), change(other, ann)]);
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: { code: 'last-manager' } }]);
      const able = firstDb.selectFrom('staff').select('id').where('disabled', '=', 0);
      expect(await able.where('must_change_password', '=', 0).execute()).toHaveLength(1);
      await firstDb.updateTable('staff').set({ disabled: 0, must_change_password: 0 }).execute();
    }
  },
);
