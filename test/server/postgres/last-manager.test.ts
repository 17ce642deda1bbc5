import { expect, test } from 'vitest';
import { createStaffAccounts } from '../../../src/bff/staff/store.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { createTestDesk } from '../../support/desk.ts';
import { openTwice } from '../../support/setup/database.ts';

test('of two managers who disable each other at two servers at once, in 50 races, one is refused each time', async () => {
  const [firstDb, secondDb] = await openTwice<BffTables>('bff', bffMigrations);
  const { deps } = await createTestDesk({ db: firstDb, staff: { Ann: 'manager', Kari: 'manager' } });
  const [one, other] = [firstDb, secondDb].map((db) => createStaffAccounts({ ...deps, db }));
  const ids = (await firstDb.selectFrom('staff').select('id').orderBy('name').execute()).map(({ id }) => id);
  const [ann = '', kari = ''] = ids;
  for (let race = 0; race < 50; race += 1) {
    const outcomes = await Promise.allSettled([
      one?.change(kari, { disabled: true }),
      other?.change(ann, { disabled: true }),
    ]);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'last-manager' } }]);
    const enabled = firstDb.selectFrom('staff').select('id').where('disabled', '=', 0);
    expect(await enabled.execute()).toHaveLength(1);
    for (const id of ids) await one?.change(id, { disabled: false });
  }
});
