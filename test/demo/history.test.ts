import { expect, test } from 'vitest';
import { names } from '../../src/demo/people.ts';
import { scenarios } from '../../src/demo/scenarios.ts';
import { createStorage, day, newKey, openTab, readWhole } from '../support/demo/tab.ts';

/** All entries of the activity, the newest first. */
async function readActivity({ bff }: Awaited<ReturnType<typeof openTab>>) {
  return (await bff.listActivity({ query: { pageSize: 100 } })).data.items;
}

/** The first page of a tab with what colleagues did before. */
async function openWithHistory(...given: Parameters<typeof openTab>) {
  const tab = await openTab(...given);
  await tab.writeHistory(async () => undefined);
  return tab;
}

test('three colleagues have worked for two weeks, and left the numbers as the demo tells them', async () => {
  const tab = await openWithHistory({ data: '2000' });
  const entries = await readActivity(tab);
  expect(new Set(entries.map(({ staff }) => staff.name))).toEqual(
    new Set([names.support, names.manager, 'Sigrid']),
  );
  const days = entries.map(({ at }) => Math.floor((Date.now() - Date.parse(at)) / day));
  expect(new Set(days).size).toBeGreaterThanOrEqual(12);
  expect(Math.max(...days)).toBeLessThanOrEqual(14);
  expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
  const { conversions } = (await tab.bff.getOverviewChanges({ query: {} })).data;
  expect(conversions.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(5);

  const count = async (query: object) => (await tab.service.listSubscribers({ query })).data.totalCount;
  expect(await count({})).toBe(2000);
  expect(await count({ Expired: true, IsTrial: true })).toBe(157);
  expect(scenarios['clean-up'].title).toContain('157');
  const { username, expiresAt } = (await readWhole(tab, 1632)).data;
  expect(username).toBe('m.bianchi');
  expect(Date.parse(expiresAt)).toBeLessThan(Date.now());
});

test('a reload has the same history', async () => {
  const storage = createStorage();
  const first = await openWithHistory({ data: '2000' }, { storage });
  const entries = await readActivity(first);
  expect(await readActivity(await openWithHistory({}, { storage, seed: 2 }))).toEqual(entries);
});

test('a reload in the middle of it has all of it, and what the user did meanwhile', async () => {
  const told = async (tab: Awaited<ReturnType<typeof openTab>>) =>
    (await readActivity(tab)).map(({ operation, staff }) => `${staff.name} ${operation}`).toSorted();
  const whole = await told(await openWithHistory({ data: '2000' }));
  const storage = createStorage();
  const first = await openTab({ data: '2000' }, { storage });
  let pauses = 0;
  await new Promise<void>((reload) => {
    const untilReload = () => ((pauses += 1) < 20 ? Promise.resolve() : new Promise<void>(() => reload()));
    void first.writeHistory(untilReload);
  });
  const note = { params: { id: 1 }, body: { note: 'Mine.' } };
  await first.service.updateSubscriber(note, { headers: newKey() });
  expect((await told(first)).length).toBe(20);
  const second = await openWithHistory({}, { storage, seed: 2 });
  expect(await told(second)).toEqual([...whole, `${names.manager} updateSubscriber`].toSorted());
});

test.each(['25', 'empty', 'expired-trials'] as const)('the data set %s has no history', async (data) => {
  expect(await readActivity(await openWithHistory({ data }))).toEqual([]);
});
