import { expect, test } from 'vitest';
import { startService } from '../../support/service/harness.ts';

test('listStatuses answers all rows of the table, also those that a deployment added', async () => {
  const { client, db } = await startService();
  await db.insertInto('subscriber_statuses').values({ id: 9, name: 'Paused' }).execute();
  expect((await client.listStatuses({})).data).toEqual([
    { id: 1, name: 'Active' },
    { id: 2, name: 'Suspended' },
    { id: 3, name: 'Blocked' },
    { id: 9, name: 'Paused' },
  ]);
});
