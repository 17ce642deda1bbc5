import { describe, expect, it } from 'vitest';
import { names } from '../../src/demo/settings.ts';
import { readState, startOver } from '../../src/demo/state.ts';
import {
  codeOf,
  countOf,
  createBrowser,
  createStorage,
  day,
  nameIn,
  newKey,
  noteOf,
  openReloadableTab,
  openTab,
  readWhole,
  saveNote,
  type Tab,
} from '../support/demo/tab.ts';

const create = async ({ service }: Tab, username: string) => {
  const body = { username, email: 'x@example.com', expiresAt: '2030-01-01T00:00:00Z' };
  return (await service.createSubscriber({ body }, { headers: newKey() })).data.id;
};

describe('a reload of the demo', () => {
  it('keeps records, ids, settings, the session and the activity, also at the second time', async () => {
    const { tab: before, reload } = await openReloadableTab();
    await saveNote(before, 'Stored.');
    await before.service.deleteSubscriber({ params: { id: 2 } }, { headers: newKey() });
    const id = await create(before, 'first');
    await before.service.deleteSubscriber({ params: { id } }, { headers: newKey() });
    await before.viewAs('support');
    before.turn('slow', true);
    await before.moveClock(7);
    const [record, untouched] = [await readWhole(before), await readWhole(before, 3)];

    for (let reloads = 0; reloads < 2; reloads += 1) {
      const after = await reload();
      expect(await readWhole(after)).toEqual(record);
      expect(await readWhole(after, 3)).toEqual(untouched);
      expect(await codeOf(readWhole(after, 2))).toBe('no-such-subscriber');
      expect(after.state.get()).toMatchObject({ role: 'support', data: '25', faults: ['slow'], days: 7 });
      const { staff } = (await after.bff.getSession({})).data;
      expect(staff).toMatchObject({ name: names.support, role: 'support' });
    }
    const after = await reload({ role: 'manager' });
    const { items } = (await after.bff.listActivity({ query: {} })).data;
    const operations = ['deleteSubscriber', 'createSubscriber', 'deleteSubscriber', 'updateSubscriber'];
    expect(items.map(({ operation }) => operation)).toEqual(operations);
    expect(new Set(items.map(({ staff }) => staff.name))).toEqual(new Set([names.manager]));
    expect(await create(after, 'second')).toBe(id + 1);
  });

  it('keeps the faults that are on, without one that has happened', async () => {
    const { tab, reload } = await openReloadableTab();
    tab.turn('slow', true);
    tab.turn('session-ends', true);
    const second = await reload();
    expect(second.state.get().faults).toEqual(['slow', 'session-ends']);
    await codeOf(second.service.listStatuses({}));
    expect((await reload()).state.get()).toMatchObject({ faults: ['slow'], session: null });
  });

  it('keeps a user signed out who has signed out', async () => {
    const { tab, reload } = await openReloadableTab();
    await tab.bff.signOut({});
    const after = await reload();
    expect(await codeOf(after.bff.getSession({}))).toBe('not-signed-in');
    expect(after.state.get().session).toBe(null);
  });

  it('continues a job at once', async () => {
    const { tab, reload, browser } = await openReloadableTab({ data: '2000' });
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    const { id } = (await tab.bff.createJob({ body: { kind: 'delete', targets: { ids } } })).data;
    const after = await reload();
    const state = async () => (await after.bff.getJob({ params: { id } })).data.state;
    expect(await state()).toBe('preparing');
    await browser.backend?.runMaintenance();
    // A lease ends after a minute.
    await expect.poll(state, { timeout: 45_000 }).toBe('ready');
  });

  it('signs in as another role, and moves the clock, if the address says so', async () => {
    const { reload } = await openReloadableTab();
    const after = await reload({ role: 'viewer', days: 30 });
    expect((await after.bff.getSession({})).data.staff.role).toBe('viewer');
    await expect.poll(() => after.state.get().days).toBe(30);
  });
});

describe('the stored state of a tab', () => {
  it('is replaced by "Start over", and the old page stores nothing more', async () => {
    const { tab, storage } = await openReloadableTab();
    tab.state.startOver();
    tab.turn('slow', true);
    expect(readState(() => storage)).toBe(startOver);
  });

  it.each(['', '{', '{"role":"viewer"}', 'null'])('is replaced if it is not valid: %j', async (stored) => {
    const storage = createStorage();
    storage.setItem('demo', stored);
    expect(await countOf(await openTab({}, { storage }))).toBe(25);
  });

  it('does not sign in to data that are no longer there', async () => {
    const storage = createStorage();
    await (await openTab({ role: 'support' }, { storage })).bff.signOut({});
    expect(await nameIn(await openTab({}, { storage }))).toBe('Ingrid');
  });
});

describe('a browser that stores nothing', () => {
  const refuse = () => {
    throw new Error('The quota is exceeded.');
  };

  it.each([
    ['of the data', { browser: { isStored: false }, storage: {} }],
    ['of the tab', { browser: {}, storage: { setItem: refuse, getItem: refuse } }],
  ])('runs the demo, which says so: nothing %s', async (_, fault) => {
    const browser = Object.assign(createBrowser(), fault.browser);
    const tab = await openTab({}, { browser, storage: { ...createStorage(), ...fault.storage } });
    await saveNote(tab, 'Here.');
    expect(await noteOf(tab)).toBe('Here.');
    expect(tab.state.get().isStored).toBe(false);
  });
});

describe('the clock of the demo', () => {
  it('lets subscriptions expire when it is moved ahead, and the session continue', async () => {
    const tab = await openTab();
    const [before, began] = [await countOf(tab, { Expired: true }), Date.now()];
    await Promise.all([tab.moveClock(20), tab.moveClock(10)]);
    expect(await countOf(tab, { Expired: true })).toBeGreaterThan(before);
    expect(Math.round((Date.now() - began) / day)).toBe(30);
    expect(await nameIn(tab)).toBe(names.manager);
  });
});
