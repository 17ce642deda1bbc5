import { expect, test } from 'vitest';
import { startService } from '../../support/service/harness.ts';

test('the statuses are those of the table, where a deployment has added its own', async () => {
  const { client, db } = await startService();
  await db.insertInto('subscriber_statuses').values({ id: 9, name: 'Paused' }).execute();
  expect((await client.listStatuses({})).data).toEqual([
    { id: 1, name: 'Active' },
    { id: 2, name: 'Suspended' },
    { id: 3, name: 'Blocked' },
    { id: 9, name: 'Paused' },
  ]);
});
