import { expect, test } from 'vitest';
import { pageSizes, sortOrders, type ListQuery } from '../../../src/contract/service/list-query.ts';
import type { Subscriber } from '../../../src/contract/service/subscriber.ts';
import { addSamples } from '../../../src/service/samples/samples.ts';
import { startService } from '../../support/service/harness.ts';
import { listOf } from '../../support/service/list-as-array.ts';

const count = 8000;

/** Texts that hundreds or thousands of names contain, so that each way to read a page is used. */
const queries: ListQuery[] = [
  { Username: 'han' },
  { Username: 'han', StatusId: 1 },
  { Username: 'n.h', Expired: true },
  { Email: 'example.c' },
  { Email: 'example.c', IsTrial: true },
  { Username: 'sen', Email: 'example.org' },
  { Username: 'hansen', Email: 'e' },
];

test('the list filtered by a text in thousands of names has the pages of a filtered array, in every sort order', async () => {
  const { client, db, time } = await startService();
  await addSamples(db, { count, seed: 9, now: time.now });
  const all: Subscriber[] = [];
  for (let Page = 1; all.length < count; Page += 1)
    all.push(...(await client.listSubscribers({ query: { Page, PageSize: pageSizes.most } })).data.items);
  for (const filter of queries)
    for (const SortBy of [undefined, ...sortOrders]) {
      const { totalPages } = listOf(all, filter, time.now);
      for (const Page of [1, Math.ceil(totalPages / 3), Math.ceil((totalPages * 2) / 3), totalPages]) {
        const query = { ...filter, SortBy, Page };
        expect((await client.listSubscribers({ query })).data, JSON.stringify(query)).toEqual(
          listOf(all, query, time.now),
        );
      }
    }
});
