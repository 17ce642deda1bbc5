import { describe, expect, it } from 'vitest';
import { listNames } from '../../../src/contract/service/limits.ts';
import { addSamples } from '../../../src/service/samples/samples.ts';
import { fillValues } from '../../../src/service/subscribers/values.ts';
import { startService } from '../../support/service/harness.ts';
import { listOf, readAll } from '../../support/service/list-as-array.ts';

/** A service with subscribers of before the table of values, of whom nobody is in it yet. */
async function startOld() {
  const service = await startService();
  const { db, time } = service;
  await addSamples(db, { count: 1200, seed: 5, now: time.now });
  await db.updateTable('subscribers').set({ address_keys: '[]' }).execute();
  await db.deleteFrom('subscriber_values').execute();
  await db.insertInto('subscriber_values_fill').values({ after_id: 0 }).execute();
  return service;
}

const filters = [
  { Bundle: 3 },
  { Country: 'NO' },
  { UserAgent: 'tv' },
  { IpAddress: '198.51.100.0/24' },
  { Bundle: 3, Expired: true },
];

describe('the table of values', () => {
  it('is filled in portions while others write, goes on after a stop, and then answers like a filtered array', async () => {
    const { client, db, time } = await startOld();
    const stopped = fillValues(db, () => Promise.reject(new Error('stopped')));
    await expect(stopped).rejects.toThrow('stopped');
    const { after_id: done } = await db
      .selectFrom('subscriber_values_fill')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(done).toBe(500);

    const lists = { bundles: [3], countries: ['NO'], ipAddresses: ['198.51.100.0/25'], userAgents: ['TV/1'] };
    for (const id of [2, 1000]) await client.updateSubscriber({ params: { id }, body: lists });
    for (const id of [3, 1001]) await client.deleteSubscriber({ params: { id } });
    await client.createSubscriber({
      body: {
        username: 'new',
        email: 'new@example.com',
        expiresAt: new Date(time.now).toISOString(),
        ...lists,
      },
    });
    let turns = 0;
    await fillValues(db, async () => void (turns += 1));
    expect(turns).toBe(2);

    const all = await readAll(client, [...listNames]);
    for (const filter of filters) {
      const query = { ...filter, include: [...listNames] };
      const { data } = await client.listSubscribers({ query });
      expect(data, JSON.stringify(filter)).toEqual(listOf(all, filter, time.now));
      expect(data.totalCount).toBeGreaterThan(0);
    }
  });

  it('refuses the filters until it is filled, and nothing else', async () => {
    const { client, db } = await startOld();
    for (const query of filters)
      await expect(client.listSubscribers({ query })).rejects.toMatchObject({
        status: 409,
        code: 'filter-not-ready',
        message:
          'After an update, the search by bundle, country, address and player is still being prepared. Try again in a minute, or leave this filter out until then.',
      });
    expect((await client.listSubscribers({ query: { Expired: true } })).data.totalCount).toBeGreaterThan(0);
    const count = async () => (await client.getStatistics({ query: {} })).data.values;
    expect(await count()).toBeNull();
    await fillValues(db, async () => {});
    expect((await client.listSubscribers({ query: { Country: 'NO' } })).data.totalCount).toBeGreaterThan(0);
    expect(await count()).toMatchObject({ bundles: {}, countries: {} });
  });

  it('has the addresses that a server of the version before writes beside it, and those of no deleted one', async () => {
    const { client, db, time } = await startService();
    await addSamples(db, { count: 5, seed: 5, now: time.now });
    // That version knows no other column.
    const write = (id: number, ip_addresses: string) =>
      db.updateTable('subscribers').set({ ip_addresses }).where('id', '=', id).execute();
    const {
      id: _id,
      address_keys: _keys,
      ...first
    } = await db.selectFrom('subscribers').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
    const other = { username_search: 'new', access_token: 'new', ip_addresses: '["203.0.113.0/24"]' };
    await db
      .insertInto('subscribers')
      .values({ ...first, ...other })
      .execute();
    for (const id of [2, 3, 4]) await write(id, '["203.0.113.9"]');
    await write(3, '[]');
    await client.deleteSubscriber({ params: { id: 4 } });
    const find = async () =>
      (await client.listSubscribers({ query: { IpAddress: '203.0.113.9' } })).data.items.map(({ id }) => id);
    await fillValues(db, async () => {});
    expect(await find()).toEqual([2, 6]);
    await write(2, '["198.51.100.7"]');
    await fillValues(db, async () => {});
    expect(await find()).toEqual([6]);
    // What this version writes needs no second look.
    await client.updateSubscriber({ params: { id: 1 }, body: { ipAddresses: ['203.0.113.9'] } });
    expect(await find()).toEqual([1, 6]);
    expect(await db.selectFrom('stale_addresses').selectAll().execute()).toEqual([]);
  });

  it('is not looked through for a page of a scan, where the next subscribers fill it', async () => {
    const { client, db, time } = await startService();
    await addSamples(db, { count: 300, seed: 5, now: time.now });
    const include = [...listNames];
    const all = await readAll(client, include);
    await db.deleteFrom('subscriber_values').execute();
    for (const filter of [{ UserAgent: 'tv' }, { IpAddress: '198.51.100.0/24' }]) {
      const query = { ...filter, PageSize: 5, include };
      const { data } = await client.listSubscribers({ query: { ...query, AfterId: 100 } });
      const others = all.filter(({ id }) => id > 100);
      expect(data.items, JSON.stringify(filter)).toEqual(listOf(others, query, time.now).items);
      expect(data.items).toHaveLength(5);
    }
  });

  it('refuses what is no address, and says what is', async () => {
    const { client } = await startService();
    for (const IpAddress of ['203.0.113', '203.0.113.7/33', 'anna'])
      await expect(client.listSubscribers({ query: { IpAddress } })).rejects.toMatchObject({
        status: 422,
        message: 'Use an IPv4 or IPv6 address, or a range such as 192.0.2.0/24.',
      });
  });
});
