import { describe, expect, it } from 'vitest';
import { names } from '../../src/demo/people.ts';
import { scenarios } from '../../src/demo/scenarios.ts';
import { countOf, createStorage, day, openTab, readWhole, saveNote, type Tab } from '../support/demo/tab.ts';

/** All entries of the activity, the newest first. */
const readActivity = async ({ bff }: Tab) =>
  (await bff.listActivity({ query: { pageSize: 100 } })).data.items;

/** The first page of a tab with what colleagues did before. */
async function openWithHistory(...given: Parameters<typeof openTab>) {
  const tab = await openTab(...given);
  await tab.writeHistory(async () => undefined);
  return tab;
}

describe('the history', () => {
  it('is of two weeks of three colleagues, with the numbers that the demo names, and the same after a reload', async () => {
    const storage = createStorage();
    const tab = await openWithHistory({ data: '2000' }, { storage });
    const entries = await readActivity(tab);
    const people = new Set(entries.map(({ staff }) => staff.name));
    expect(people).toEqual(new Set([names.support, names.manager, 'Sigrid']));
    const days = entries.map(({ at }) => Math.floor((Date.now() - Date.parse(at)) / day));
    expect(new Set(days).size).toBeGreaterThanOrEqual(12);
    expect(Math.max(...days)).toBeLessThanOrEqual(14);
    expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
    const { conversions } = (await tab.bff.getOverviewChanges({ query: {} })).data;
    expect(conversions.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(5);

    expect(await countOf(tab)).toBe(2000);
    expect(await countOf(tab, { Expired: true, IsTrial: true })).toBe(157);
    expect(scenarios['clean-up'].title).toContain('157');
    const { username, expiresAt } = (await readWhole(tab, 1632)).data;
    expect(username).toBe('m.bianchi');
    expect(Date.parse(expiresAt)).toBeLessThan(Date.now());

    expect(await readActivity(await openWithHistory({}, { storage, seed: 2 }))).toEqual(entries);
  });

  it('is whole after a reload in the middle of it, with what the user did meanwhile', async () => {
    const linesOf = async (tab: Tab) =>
      (await readActivity(tab)).map(({ operation, staff }) => `${staff.name} ${operation}`).toSorted();
    const whole = await linesOf(await openWithHistory({ data: '2000' }));
    const storage = createStorage();
    const first = await openTab({ data: '2000' }, { storage });
    let pauses = 0;
    await new Promise<void>((reload) => {
      const untilReload = () => ((pauses += 1) < 20 ? Promise.resolve() : new Promise<void>(() => reload()));
      void first.writeHistory(untilReload);
    });
    await saveNote(first, 'Mine.');
    expect(await linesOf(first)).toHaveLength(20);
    const second = await openWithHistory({}, { storage, seed: 2 });
    expect(await linesOf(second)).toEqual([...whole, `${names.manager} updateSubscriber`].toSorted());
  });

  it.each(['25', 'empty', 'expired-trials'] as const)('does not exist for the data set %s', async (data) => {
    expect(await readActivity(await openWithHistory({ data }))).toEqual([]);
  });
});
