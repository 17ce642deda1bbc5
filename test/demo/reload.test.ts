import { describe, expect, it } from 'vitest';
import { names } from '../../src/demo/people.ts';
import {
  codeOf,
  countOf,
  createStorage,
  day,
  nameIn,
  newKey,
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
    const storage = createStorage();
    const before = await openTab({}, { storage });
    await saveNote(before, 'Stored.');
    await before.service.deleteSubscriber({ params: { id: 2 } }, { headers: newKey() });
    const id = await create(before, 'first');
    await before.service.deleteSubscriber({ params: { id } }, { headers: newKey() });
    await before.viewAs('support');
    await before.turn('slow', true);
    await before.moveClock(7);
    const [record, untouched] = [await readWhole(before), await readWhole(before, 3)];

    for (const seed of [2, 3]) {
      const after = await openTab({}, { storage, seed });
      expect(await readWhole(after)).toEqual(record);
      expect(await readWhole(after, 3)).toEqual(untouched);
      expect(await codeOf(readWhole(after, 2))).toBe('no-such-subscriber');
      expect(after.state.get()).toMatchObject({ role: 'support', data: '25', faults: ['slow'], days: 7 });
      const { staff } = (await after.bff.getSession({})).data;
      expect(staff).toMatchObject({ name: names.support, role: 'support' });
      await after.keep();
    }
    const after = await openTab({ role: 'manager' }, { storage, seed: 4 });
    const { items } = (await after.bff.listActivity({ query: {} })).data;
    const operations = ['deleteSubscriber', 'createSubscriber', 'deleteSubscriber', 'updateSubscriber'];
    expect(items.map(({ operation }) => operation)).toEqual(operations);
    expect(new Set(items.map(({ staff }) => staff.name))).toEqual(new Set([names.manager]));
    expect(await create(after, 'second')).toBe(id + 1);
  });

  it('keeps the faults that are on, without one that has happened', async () => {
    const storage = createStorage();
    const before = await openTab({}, { storage });
    await before.turn('slow', true);
    await before.turn('session-ends', true);
    const second = await openTab({}, { storage, seed: 2 });
    expect(second.state.get().faults).toEqual(['slow', 'session-ends']);
    await codeOf(second.service.listStatuses({}));
    const third = await openTab({}, { storage, seed: 3 });
    expect(third.state.get()).toMatchObject({ faults: ['slow'], signedIn: false });
  });

  it('generates the same subscribers, however long ago the demo began', async () => {
    const storage = createStorage();
    const before = await openTab({}, { storage });
    await before.keep();
    if (storage.data) storage.data.begunAt -= 40 * day;
    const after = await openTab({}, { storage, seed: 2 });
    const [first = 0, second = 0] = await Promise.all(
      [before, after].map(async (tab) => Date.parse((await readWhole(tab, 3)).data.expiresAt)),
    );
    expect(first - second).toBe(40 * day);
  });

  it('keeps a user signed out who has signed out', async () => {
    const storage = createStorage();
    await (await openTab({}, { storage })).bff.signOut({});
    const after = await openTab({}, { storage, seed: 2 });
    expect(await codeOf(after.bff.getSession({}))).toBe('not-signed-in');
    expect(after.state.get().signedIn).toBe(false);
  });

  it('continues a job at once', async () => {
    const storage = createStorage();
    const before = await openTab({ data: '2000' }, { storage });
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    const { id } = (await before.bff.createJob({ body: { kind: 'delete', targets: { ids } } })).data;
    const after = await openTab({}, { storage, seed: 2 });
    const state = async () => (await after.bff.getJob({ params: { id } })).data.state;
    expect(await state()).toBe('preparing');
    await after.runMaintenance();
    // A lease ends after a minute.
    await expect.poll(state, { timeout: 45_000 }).toBe('ready');
  });

  it('signs in as another role if the address says so', async () => {
    const storage = createStorage();
    await (await openTab({}, { storage })).keep();
    const after = await openTab({ role: 'viewer' }, { storage, seed: 2 });
    expect((await after.bff.getSession({})).data.staff.role).toBe('viewer');
  });
});

describe('the stored state of the demo', () => {
  it('is small, even with many subscribers', async () => {
    const storage = createStorage();
    await (await openTab({ data: '2000' }, { storage })).keep();
    const { service, bff } = storage.data ?? {};
    expect((service?.length ?? Infinity) + (bff?.length ?? Infinity)).toBeLessThan(15_000);
  });

  it('is deleted by "Start over", and the old page stores nothing more', async () => {
    const storage = createStorage();
    const tab = await openTab({}, { storage });
    await tab.keep();
    tab.memory.forget();
    await tab.forget();
    await tab.keep();
    expect(tab.memory.read()).toBe(null);
    expect(storage.data).toBe(null);
  });

  it.each(['', '{', '{"settings":{}}', 'null'])('is replaced if it is not valid: %j', async (stored) => {
    const storage = createStorage();
    storage.setItem('demo', stored);
    expect(await countOf(await openTab({}, { storage }))).toBe(25);
  });

  it.each(['bff', 'service'])('is replaced if its changes of the %s no longer fit', async (part) => {
    const storage = createStorage();
    await (await openTab({}, { storage })).keep();
    if (storage.data) storage.data = { ...storage.data, [part]: new Uint8Array(3) };
    expect(await countOf(await openTab({}, { storage, seed: 2 }))).toBe(25);
  });
});

describe('a browser that stores nothing', () => {
  const refuse = () => {
    throw new Error('The quota is exceeded.');
  };

  it.each([
    ['its storage is full', { isFull: true }],
    ['its storage is blocked', { setItem: refuse, getItem: refuse, removeItem: refuse }],
  ])('runs the demo, which says so: %s', async (_, fault) => {
    const tab = await openTab({}, { storage: { ...createStorage(), ...fault } });
    expect((await saveNote(tab, 'Here.')).data.note).toBe('Here.');
    expect(tab.state.get().isKept).toBe(false);
    tab.memory.forget();
  });
});

describe('the clock of the demo', () => {
  it('lets subscriptions expire when it is moved ahead, and the session continue', async () => {
    const tab = await openTab();
    const [before, began] = [await countOf(tab, { Expired: true }), Date.now()];
    await tab.moveClock(30);
    expect(await countOf(tab, { Expired: true })).toBeGreaterThan(before);
    expect(Math.round((Date.now() - began) / day)).toBe(30);
    expect(await nameIn(tab)).toBe(names.manager);
  });
});
