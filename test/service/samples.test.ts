import { describe, expect, test } from 'vitest';
import type { ListQuery } from '../../src/contract/service/list-query.ts';
import { limits, listNames } from '../../src/contract/service/limits.ts';
import type { Subscriber } from '../../src/contract/service/subscriber.ts';
import { CreateBody } from '../../src/contract/service/subscriber-input.ts';
import { addSamples, hasHadSubscribers } from '../../src/service/samples/samples.ts';
import { createSeededRandom } from '../../src/service/samples/seeded-random.ts';
import { inventUsernames } from '../../src/service/samples/subscriber.ts';
import { searchText } from '../../src/contract/service/search-text.ts';
import { startService, type TestService } from '../support/service/harness.ts';
import { readAll } from '../support/service/list-as-array.ts';
import { anna } from '../support/service/people.ts';

async function startSampled(count: number, seed = 7): Promise<TestService> {
  const service = await startService();
  await addSamples(service.db, { count, seed, now: service.time.now });
  return service;
}

type Is = (one: Subscriber, daysLeft: number) => boolean;

/** With what chance may do to 2,000 people, about three standard deviations. */
const shares: Record<string, readonly [share: number, within: number, is: Is]> = {
  active: [0.9, 0.02, ({ status }) => status === 1],
  suspended: [0.08, 0.02, ({ status }) => status === 2],
  blocked: [0.02, 0.01, ({ status }) => status === 3],
  expired: [0.25, 0.03, (_, daysLeft) => daysLeft <= 0],
  trials: [0.17, 0.03, ({ isTrial }) => isTrial],
  expiredTrials: [0.075, 0.02, ({ isTrial }, daysLeft) => isTrial && daysLeft <= 0],
  withinAYear: [0.94, 0.02, (_, daysLeft) => Math.abs(daysLeft) <= 365],
  fewConnections: [0.98, 0.01, ({ maxConnections }) => maxConnections <= 5],
  withoutNote: [0.62, 0.04, ({ note }) => note === ''],
  otherScripts: [0.02, 0.01, ({ username }) => /[^\x20-\x7e]/.test(username)],
};

describe('the samples', () => {
  test('the samples are as many as requested, none among them, and known as subscribers, also once they are deleted', async () => {
    for (const count of [0, 3]) {
      const { db, client } = await startSampled(count);
      expect(await readAll(client)).toHaveLength(count);
      expect(await hasHadSubscribers(db)).toBe(count > 0);
      await db.deleteFrom('subscribers').execute();
      expect(await hasHadSubscribers(db)).toBe(count > 0);
    }
  });

  test('each sample could have been created through the contract, and is read back as it would be then', async () => {
    const { client } = await startSampled(300);
    for (let id = 1; id <= 300; id++) {
      const { data } = await client.getSubscriber({ params: { id }, query: { include: [...listNames] } });
      const { id: _, accessToken, status: __, ...body } = data;
      expect(CreateBody.parse(body)).toEqual(body);
      expect(accessToken).toMatch(/^[\w-]{43}$/);
      expect(body.email).toMatch(/^[\x21-\x7e]+@example\.(com|net|org)$/);
    }
  });

  test('the samples are the same for the same seed and time, and others for another seed', async () => {
    const [one, same, other] = [await startSampled(200), await startSampled(200), await startSampled(200, 8)];
    const people = await readAll(one.client);
    expect(await readAll(same.client)).toEqual(people);
    expect(await readAll(other.client)).not.toEqual(people);
  });

  test('the samples are spread as a service would have them', async () => {
    const { client, time } = await startSampled(2000);
    const all = await readAll(client);
    const until = (one: Subscriber) => (Date.parse(one.expiresAt) - time.now) / 86_400_000;
    for (const [name, [expected, within, is]] of Object.entries(shares)) {
      const found = all.filter((one) => is(one, until(one))).length / all.length;
      expect(Math.abs(found - expected), name).toBeLessThan(within);
    }
    expect(all.some((one) => until(one) <= 0 && until(one) > -1 / 24)).toBe(true);
    expect(all.some(({ note }) => note.includes('\n'))).toBe(true);
    expect(all.some(({ note }) => note.length > limits.note - 120)).toBe(true);
  });

  test('the samples are added all or not at all', async () => {
    // The last is taken, which only the last of several statements meets.
    const count = 1200;
    const { client, db, time } = await startSampled(count);
    await db.deleteFrom('subscribers').where('id', '<', count).execute();
    const again = addSamples(db, { count, seed: 7, now: time.now });
    await expect(again).rejects.toThrow(/unique constraint/i);
    expect(await readAll(client)).toHaveLength(1);
  });

  test('the samples have unique names, and are counted and found like others where the indexes are built after them', async () => {
    const names = inventUsernames(createSeededRandom(7), 20_000).map(searchText);
    expect(new Set(names).size).toBe(20_000);
    const { client } = await startSampled(20_000);
    const total = async (query: ListQuery) => (await client.listSubscribers({ query })).data.totalCount;
    expect(await total({})).toBe(20_000);
    const found = names.filter((name) => name.includes('hansen')).length;
    expect(await total({ Username: 'hansen' })).toBe(found);
    await client.updateSubscriber({ params: { id: 1 }, body: { username: 'somebody-else' } });
    await client.createSubscriber({ body: { ...anna, username: 'Hansen of tomorrow' } });
    expect([await total({}), await total({ Username: 'body-els' })]).toEqual([20_001, 1]);
    expect(await total({ Username: 'of tomorrow' })).toBe(1);
  });
});
