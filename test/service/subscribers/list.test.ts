import { expect, test } from 'vitest';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import { startService } from '../../support/service/harness.ts';
import { anna } from '../../support/service/people.ts';

test('the filter by status finds the subscribers with that status', async () => {
  const { client, db } = await startService();
  for (const username of ['Anna', 'Bert']) await client.createSubscriber({ body: { ...anna, username } });
  await db.updateTable('subscribers').set({ status_id: 2 }).where('id', '=', 2).execute();
  const names = async (query: ListQuery) =>
    (await client.listSubscribers({ query })).data.items.map(({ username }) => username);
  expect(await names({ StatusId: 1 })).toEqual(['Anna']);
  expect(await names({ StatusId: 2 })).toEqual(['Bert']);
});

test('the filter by expiry finds expired subscribers, to the millisecond', async () => {
  const service = await startService();
  await service.client.createSubscriber({ body: anna });
  service.time.now = Date.parse(anna.expiresAt) - 1;
  const token = await service.token('subscribers:read');
  const expired = async () => {
    const response = await service.send('GET', '/subscribers?Expired=true', { token });
    return ((await response.json()) as { totalCount: number }).totalCount;
  };
  expect(await expired()).toBe(0);
  service.time.now += 1;
  expect(await expired()).toBe(1);
});
