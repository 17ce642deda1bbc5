import { describe, expect, it } from 'vitest';
import { names } from '../../src/demo/settings.ts';
import { scenarios } from '../../src/demo/scenarios.ts';
import { countOf, day, openReloadableTab, openTab, readWhole, type Tab } from '../support/demo/tab.ts';

/** All entries of the activity, the newest first. */
const readActivity = async ({ bff }: Tab) =>
  (await bff.listActivity({ query: { pageSize: 100 } })).data.items;

describe('the history', () => {
  it('is of two weeks of three colleagues, with the numbers that the demo names, and the same after a reload', async () => {
    const { tab, reload } = await openReloadableTab({ data: '2000' });
    const entries = await readActivity(tab);
    const people = new Set(entries.map(({ staff }) => staff.name));
    expect(people).toEqual(new Set([names.support, names.manager, 'Sigrid']));
    const days = entries.map(({ at }) => Math.floor((Date.now() - Date.parse(at)) / day));
    expect(new Set(days).size).toBeGreaterThanOrEqual(12);
    expect(Math.max(...days)).toBeLessThanOrEqual(14);
    expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
    const { upgrades } = (await tab.bff.getOverviewChanges({ query: {} })).data;
    expect(upgrades.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(5);

    expect(await countOf(tab)).toBe(2000);
    expect(await countOf(tab, { Expired: true, IsTrial: true })).toBe(157);
    expect(scenarios['clean-up'].title).toContain('157');
    const { username, expiresAt } = (await readWhole(tab, 1632)).data;
    expect(username).toBe('m.bianchi');
    expect(Date.parse(expiresAt)).toBeLessThan(Date.now());

    const again = await reload();
    expect(await readActivity(again)).toEqual(entries);
  });

  it.each(['25', 'empty', 'expired-trials'] as const)('does not exist for the data set %s', async (data) => {
    const tab = await openTab({ data });
    expect(await readActivity(tab)).toEqual([]);
  });
});
