import { expect, test } from 'vitest';
import { pageSizes, type ListQuery } from '../../src/contract/service/list-query.ts';
import { limits, listNames, type SubscriberDetail } from '../../src/contract/service/subscriber.ts';
import { CreateBody } from '../../src/contract/service/subscriber-input.ts';
import { addSamples, hasSubscribers } from '../../src/service/samples/samples.ts';
import { createDice } from '../../src/service/samples/dice.ts';
import { inventUsernames } from '../../src/service/samples/people.ts';
import { searchText } from '../../src/contract/service/search-text.ts';
import { startService, type TestService } from '../support/service/harness.ts';
import { anna } from '../support/service/people.ts';

const count = 2000;

async function sampled(seed = 7): Promise<TestService> {
  const service = await startService();
  await addSamples(service.db, { count, seed, now: service.time.now });
  return service;
}

/** Every subscriber, read through the service. */
async function everybody({ client }: TestService): Promise<SubscriberDetail[]> {
  const all: SubscriberDetail[] = [];
  for (let id = 1; id <= count; id++) {
    const { data } = await client.getSubscriber({ params: { id }, query: { include: [...listNames] } });
    const { bundles = [], ipAddresses = [], userAgents = [], countries = [] } = data;
    all.push({ ...data, bundles, ipAddresses, userAgents, countries });
  }
  return all;
}

const share = <T>(list: readonly T[], test: (one: T) => boolean) => list.filter(test).length / list.length;

test('samples are as many as were asked for, none before', async () => {
  const service = await startService();
  expect(await hasSubscribers(service.db)).toBe(false);
  await addSamples(service.db, { count: 3, seed: 1, now: service.time.now });
  expect(await hasSubscribers(service.db)).toBe(true);
  expect((await service.client.listSubscribers({ query: {} })).data.totalCount).toBe(3);
});

test('samples of none are none', async () => {
  const service = await startService();
  await addSamples(service.db, { count: 0, seed: 1, now: service.time.now });
  expect(await hasSubscribers(service.db)).toBe(false);
});

test('each sample could have been created through the contract, and reads back as it would then', async () => {
  for (const { id: _, accessToken, status: __, ...body } of await everybody(await sampled())) {
    expect(CreateBody.parse(body)).toEqual(body);
    expect(accessToken).toMatch(/^[\w-]{43}$/);
    expect(body.email).toMatch(/^[\x21-\x7e]+@example\.(com|net|org)$/);
  }
});

test('the same seed and time make the same people, another seed others', async () => {
  const first = async (seed: number) => {
    const { client } = await sampled(seed);
    return (await client.listSubscribers({ query: { PageSize: pageSizes.most } })).data.items;
  };
  const people = await first(7);
  expect(await first(7)).toEqual(people);
  expect(await first(8)).not.toEqual(people);
});

test('samples are spread as a service would have them', async () => {
  const service = await sampled();
  const all = await everybody(service);
  const { now } = service.time;
  const until = (one: SubscriberDetail) => (Date.parse(one.expiresAt) - now) / 86_400_000;
  const trials = all.filter(({ isTrial }) => isTrial);
  const shares = {
    active: share(all, ({ status }) => status === 1),
    suspended: share(all, ({ status }) => status === 2),
    blocked: share(all, ({ status }) => status === 3),
    expired: share(all, (one) => until(one) <= 0),
    trials: share(all, ({ isTrial }) => isTrial),
    expiredTrials: share(trials, (one) => until(one) <= 0),
    withinAYear: share(all, (one) => Math.abs(until(one)) <= 365),
    fewConnections: share(all, ({ maxConnections }) => maxConnections <= 5),
    withoutNote: share(all, ({ note }) => note === ''),
    otherScripts: share(all, ({ username }) => /[^\x20-\x7e]/.test(username)),
  };
  // With what chance may do to so many people, about three standard deviations.
  const wanted: Record<keyof typeof shares, readonly [share: number, within: number]> = {
    active: [0.9, 0.02],
    suspended: [0.08, 0.02],
    blocked: [0.02, 0.01],
    expired: [0.25, 0.03],
    trials: [0.17, 0.03],
    expiredTrials: [0.45, 0.08],
    withinAYear: [0.94, 0.02],
    fewConnections: [0.98, 0.01],
    withoutNote: [0.62, 0.04],
    otherScripts: [0.02, 0.01],
  };
  for (const [name, [share, within]] of Object.entries(wanted))
    expect(Math.abs(shares[name as keyof typeof shares] - share), name).toBeLessThan(within);
  expect(all.some((one) => until(one) <= 0 && until(one) > -1 / 24)).toBe(true);
  expect(all.some(({ note }) => note.includes('\n'))).toBe(true);
  expect(all.some(({ note }) => note.length > limits.note - 120)).toBe(true);
});

test('no two of many samples have one username, whatever the case', () => {
  const names = inventUsernames(createDice(7), 20_000).map(searchText);
  expect(new Set(names).size).toBe(20_000);
});

test('samples are added all or not at all', async () => {
  const service = await sampled();
  await service.db.deleteFrom('subscribers').where('id', '<', count).execute();
  const again = addSamples(service.db, { count, seed: 7, now: service.time.now });
  await expect(again).rejects.toThrow(/unique constraint/i);
  expect((await service.client.listSubscribers({ query: {} })).data.totalCount).toBe(1);
});

test('samples so many that the lists are indexed after them are counted and found like others', async () => {
  const service = await startService();
  await addSamples(service.db, { count: 20_000, seed: 7, now: service.time.now });
  const { client, db } = service;
  const total = async (query: ListQuery) => (await client.listSubscribers({ query })).data.totalCount;
  const names = inventUsernames(createDice(7), 20_000).map(searchText);
  expect(await total({})).toBe(20_000);
  expect(await total({ Username: 'hansen' })).toBe(names.filter((name) => name.includes('hansen')).length);
  const { id } = await db.selectFrom('subscribers').select('id').executeTakeFirstOrThrow();
  await client.updateSubscriber({ params: { id }, body: { username: 'somebody-else' } });
  await client.createSubscriber({ body: { ...anna, username: 'Hansen of tomorrow' } });
  expect([await total({}), await total({ Username: 'body-els' })]).toEqual([20_001, 1]);
  expect(await total({ Username: 'of tomorrow' })).toBe(1);
});
