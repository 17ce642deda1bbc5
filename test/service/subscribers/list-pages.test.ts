import { expect, test } from 'vitest';
import { sortOrders, type ListQuery } from '../../../src/contract/service/list-query.ts';
import type { Subscriber } from '../../../src/contract/service/subscriber.ts';
import { startService, type TestService } from '../../support/service/harness.ts';
import { listOf } from '../../support/service/list-as-array.ts';

const day = 86_400_000;

/** Ids and expiries near to and far from each other, and several subscribers with the same expiry. */
const ids = [1, 2, 4095, 4096, 4097, 8191, 8192, 500_000, 500_001, 2 ** 40];
const expiries = (now: number) => [
  Date.parse('0000-01-01T00:00:00Z'),
  -day,
  -1,
  0,
  1,
  now - 3 * day,
  now,
  now + 1,
  now + day,
  Date.parse('9999-12-31T23:59:59.999Z'),
];

/** A hundred subscribers with different ids, and with every expiry, status and trial among them. */
async function withSpread({ db, time }: TestService): Promise<Subscriber[]> {
  const times = expiries(time.now);
  const all = Array.from({ length: 100 }, (_, index) => ({
    id: (ids[index % 10] ?? 0) + Math.floor(index / 10) * 20_000,
    accessToken: `token-${index}`,
    username: `person ${(index * 37) % 100}`,
    email: `person-${index}@example.com`,
    expiresAt: new Date(times[(index * 7 + Math.floor(index / 10)) % 10] ?? 0).toISOString(),
    maxConnections: 1,
    isTrial: index % 3 === 0,
    note: '',
    status: index % 4 === 0 ? 2 : 1,
    hls: true,
    mpegTs: true,
  }));
  const lists = { bundles: '[]', ip_addresses: '[]', user_agents: '[]', countries: '[]' };
  const rows = all.map((one) => ({
    id: one.id,
    access_token: one.accessToken,
    username: one.username,
    username_search: one.username,
    email: one.email,
    email_search: one.email,
    expires_at: Date.parse(one.expiresAt),
    max_connections: 1,
    is_trial: one.isTrial ? (1 as const) : (0 as const),
    note: '',
    status_id: one.status,
    hls: 1 as const,
    mpeg_ts: 1 as const,
    ...lists,
  }));
  await db.insertInto('subscribers').values(rows).execute();
  return all;
}

const filters: [name: string, filter: ListQuery][] = [
  ['nothing', {}],
  ['Expired', { Expired: true }],
  ['StatusId', { StatusId: 1 }],
  ['a status that no subscriber has', { StatusId: 3 }],
  ['IsTrial', { IsTrial: false }],
  ['StatusId and IsTrial', { StatusId: 2, IsTrial: true }],
  ['Expired, StatusId and IsTrial', { Expired: true, StatusId: 1, IsTrial: true }],
  ['a text that the search index holds', { Username: 'son 1' }],
  ['such a text and a filter', { Username: 'person', IsTrial: true }],
  ['a text that is too short for it', { Email: '-1', Expired: true }],
];

test.each(filters)(
  'the list filtered by %s has the pages of a filtered array, in every sort order',
  async (_, filter) => {
    const service = await startService();
    const all = await withSpread(service);
    for (const SortBy of [undefined, ...sortOrders])
      for (const PageSize of [7, 50]) {
        const { totalPages } = listOf(all, { ...filter, PageSize }, service.time.now);
        for (let Page = 1; Page <= totalPages + 1; Page += 1) {
          const query = { ...filter, SortBy, PageSize, Page };
          const { data } = await service.client.listSubscribers({ query });
          expect(data).toEqual(listOf(all, query, service.time.now));
        }
      }
  },
);

test('the count of expired subscribers follows the clock to the millisecond', async () => {
  const service = await startService();
  const all = await withSpread(service);
  for (const now of [service.time.now - 1, service.time.now, service.time.now + 1]) {
    service.time.now = now;
    const { data } = await service.client.listSubscribers({ query: { Expired: true } });
    expect(data.totalCount).toBe(all.filter(({ expiresAt }) => Date.parse(expiresAt) <= now).length);
  }
});
