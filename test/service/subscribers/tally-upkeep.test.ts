import { sql, type Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { sortOrders } from '../../../src/contract/service/list-query.ts';
import type { Subscriber } from '../../../src/contract/service/subscriber.ts';
import { addSamples } from '../../../src/service/samples/samples.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { readTallies } from '../../../src/service/subscribers/tallies.ts';
import { keepTallies } from '../../../src/service/subscribers/tally-upkeep.ts';
import { engine } from '../../support/setup/database.ts';
import { compareCounts } from '../../support/service/compare-counts.ts';
import { startService, type TestService } from '../../support/service/harness.ts';
import { listOf } from '../../support/service/list-as-array.ts';

type Db = Kysely<ServiceTables>;

const day = 86_400_000;
const small = { mostLate: 0, atOnce: 40, nameSize: 8 };

const nameBuckets = (db: Db) =>
  db.selectFrom('subscriber_name_buckets').selectAll().orderBy('first').execute();

async function lateAt(db: Db, now: number): Promise<number> {
  return (await readTallies(db, 'id', { Expired: true }, now)).late;
}

/** As a list does each time that it lands there. */
async function cutAll(db: Db, now: number): Promise<void> {
  for (let before = 0, after = 1; before < after;) {
    before = (await nameBuckets(db)).length;
    for (const { bucket } of await nameBuckets(db))
      await keepTallies(db, { late: 0, nameBucket: bucket }, now, small);
    after = (await nameBuckets(db)).length;
  }
}

test('who is past is noted step by step, forward and back, and every count stays right', async () => {
  const service = await startService();
  const { db, time } = service;
  await addSamples(db, { count: 300, seed: 2, now: time.now });
  const noon = time.now;
  for (const now of [noon, noon + 200 * day, noon - 200 * day, noon]) {
    time.now = now;
    const late = await lateAt(db, now);
    expect(late).toBeGreaterThan(small.atOnce);
    await keepTallies(db, { late, nameBucket: null }, now, small);
    await compareCounts(service);
    for (let left = await lateAt(db, now), before = late; left > 0; left = await lateAt(db, now)) {
      expect(left).toBeLessThan(before);
      before = left;
      await keepTallies(db, { late: left, nameBucket: null }, now, small);
    }
    await compareCounts(service);
  }
});

test('a long stretch of usernames is cut, and every page by username stays where it belongs', async () => {
  const { db, time, client } = await startService();
  await addSamples(db, { count: 200, seed: 4, now: time.now });
  const all: Subscriber[] = (await client.listSubscribers({ query: { PageSize: 200 } })).data.items;
  await cutAll(db, time.now);
  const buckets = await nameBuckets(db);
  expect(buckets.length).toBeGreaterThan(200 / (2 * small.nameSize));
  await compareNames(db);
  for (const SortBy of sortOrders)
    for (const filter of [{}, { Expired: true }, { StatusId: 3 }, { IsTrial: true, StatusId: 1 }])
      for (let Page = 1; Page <= 7; Page += 1) {
        const query = { ...filter, SortBy, Page, PageSize: 30 };
        expect((await client.listSubscribers({ query })).data).toEqual(listOf(all, query, time.now));
      }
});

/** How many each stretch holds, beside how many it is said to. */
async function compareNames(db: Db): Promise<void> {
  const { buckets } = await readTallies(db, 'name', {}, 0);
  for (const { from, until, amount } of buckets) {
    const within = sql<{
      count: number;
    }>`select count(*) as count from subscribers where username_search >= ${from}
      ${until === null ? sql`` : sql`and username_search < ${until}`}`;
    expect((await within.execute(db)).rows[0]?.count, String(from)).toBe(amount);
  }
}

test('counts are right after tallies were kept while others wrote', async () => {
  const service = await startService();
  const { client, db, time } = service;
  await addSamples(db, { count: 200, seed: 6, now: time.now });
  const write = async (writer: number) => {
    for (let round = 0; round < 30; round += 1) await writeOne(service, writer, round);
  };
  const keep = async () => {
    for (let round = 0; round < 30; round += 1) {
      const buckets = await nameBuckets(db);
      const nameBucket = buckets[round % buckets.length]?.bucket ?? 0;
      await keepTallies(db, { late: 1, nameBucket }, time.now + ((round % 5) - 2) * day, small);
    }
  };
  await Promise.all([...[1, 2, 3, 4].map(write), keep()]);
  await client.deleteSubscriber({ params: { id: 7 } });
  await compareCounts(service);
  await compareNames(db);
  if (engine === 'postgres') await compareTrigrams(db);
});

/** What is counted of every three letters, beside the names that hold them. */
async function compareTrigrams(db: Db): Promise<void> {
  const held: Record<string, number> = {};
  for (const { username_search } of await db.selectFrom('subscribers').select('username_search').execute()) {
    const letters = [...username_search];
    for (const trigram of new Set(
      letters.slice(2).map((_, place) => letters.slice(place, place + 3).join('')),
    ))
      held[trigram] = (held[trigram] ?? 0) + 1;
  }
  const { rows } = await sql<{
    trigram: string;
    amount: number;
  }>`select trigram, cast(sum(amount) as bigint) as amount
    from subscriber_trigrams group by trigram having sum(amount) <> 0`.execute(db);
  expect(Object.fromEntries(rows.map(({ trigram, amount }) => [trigram, amount]))).toEqual(held);
}

async function writeOne({ client, time }: TestService, writer: number, round: number): Promise<void> {
  const expiresAt = new Date(time.now + ((round % 5) - 2) * day).toISOString();
  const username = `${'adgjmpsvy'.charAt((writer + round) % 9)} ${writer} ${round}`;
  if (round % 3 === 0)
    await client.createSubscriber({ body: { username, email: 'w@example.com', expiresAt } });
  else
    await client.updateSubscriber({
      params: { id: 1 + ((writer * 50 + round) % 200) },
      body: { username, expiresAt },
    });
}
