import { describe, expect, it } from 'vitest';
import { sortOrders } from '../../../src/contract/service/list-rules.ts';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import { addSamples } from '../../../src/service/samples/samples.ts';
import { startService, type TestService } from '../../support/service/harness.ts';
import { checkCounts, listOf, readAll } from '../../support/service/list-as-array.ts';

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
async function startSpread(): Promise<TestService> {
  const service = await startService();
  const { db, time } = service;
  await addSamples(db, { count: 100, seed: 9, now: time.now });
  const times = expiries(time.now);
  // From the last, so that no id is taken.
  for (let index = 99; index >= 0; index -= 1)
    await db
      .updateTable('subscribers')
      .set({
        id: (ids[index % 10] ?? 0) + (1 + Math.floor(index / 10)) * 20_000,
        expires_at: times[(index * 7 + Math.floor(index / 10)) % 10] ?? 0,
        status_id: index % 4 === 0 ? 2 : 1,
        is_trial: index % 3 === 0 ? 1 : 0,
      })
      .where('id', '=', index + 1)
      .execute();
  return service;
}

/** Compares the first, the last and other pages with those of a filtered array, in every order. */
async function comparePages({ client, time }: TestService, filters: readonly ListQuery[]): Promise<void> {
  const all = await readAll(client);
  for (const filter of filters)
    for (const SortBy of [undefined, ...sortOrders]) {
      const { totalPages } = listOf(all, { ...filter, PageSize: 12 }, time.now);
      const pages = [
        1,
        Math.ceil(totalPages / 3),
        Math.ceil((totalPages * 2) / 3),
        totalPages,
        totalPages + 1,
      ];
      for (const Page of new Set(pages.filter((page) => page > 0))) {
        const query = { ...filter, SortBy, Page, PageSize: 12 };
        const { data } = await client.listSubscribers({ query });
        expect(data, JSON.stringify(query)).toEqual(listOf(all, query, time.now));
      }
    }
}

describe('a page of the list', () => {
  it('is that of a filtered array, whatever ids and expiries there are', async () => {
    const service = await startSpread();
    await comparePages(service, [
      {},
      { Expired: true },
      { StatusId: 1 },
      { StatusId: 3 },
      { StatusIds: '3,1' },
      { IsTrial: false },
      { StatusId: 2, IsTrial: true },
      { Expired: true, StatusId: 1, IsTrial: true },
      // Texts that the search index has, and one that is too short for it.
      { Username: 'sen' },
      { Email: 'example', IsTrial: true },
      { Email: 'a', Expired: true },
    ]);
  });

  it('is that of a filtered array where hundreds of names contain the text', async () => {
    const service = await startService();
    await addSamples(service.db, { count: 2000, seed: 9, now: service.time.now });
    await comparePages(service, [
      { Username: 'han' },
      { Username: 'han', StatusId: 1 },
      { Username: 'han', StatusIds: '2,3' },
      { Username: 'n.h', Expired: true },
      { Email: 'example.c' },
      { Email: 'example.c', IsTrial: true },
      { Username: 'sen', Email: 'example.org' },
      { Username: 'hansen', Email: 'e' },
    ]);
  });

  it('counts the expired by the clock, to the millisecond', async () => {
    const service = await startSpread();
    const noon = service.time.now;
    for (const ms of [-1, 0, 1]) {
      service.time.now = noon + ms;
      await checkCounts(service);
    }
  });
});
