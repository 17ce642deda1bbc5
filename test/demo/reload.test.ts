import { describe, expect, test } from 'vitest';
import { names } from '../../src/demo/people.ts';
import { codeOf, createStorage, day, newKey, openTab, readWhole } from '../support/demo/tab.ts';

describe('a reload of the demo', () => {
  test('keeps records, settings, the session and the activity', async () => {
    const storage = createStorage();
    const before = await openTab({}, { storage });
    await before.service.updateSubscriber(
      { params: { id: 1 }, body: { note: 'Kept.' } },
      { headers: newKey() },
    );
    await before.service.deleteSubscriber({ params: { id: 2 } }, { headers: newKey() });
    await before.viewAs('support');
    await before.turn('slow', true);
    await before.moveClock(7);
    const [record, untouched] = [await readWhole(before), await readWhole(before, 3)];

    const after = await openTab({}, { storage, seed: 2 });
    expect(await readWhole(after)).toEqual(record);
    expect(await readWhole(after, 3)).toEqual(untouched);
    expect(await codeOf(readWhole(after, 2))).toBe('no-such-subscriber');
    expect(after.state.get()).toMatchObject({ role: 'support', data: '25', faults: ['slow'], days: 7 });
    expect((await after.bff.getSession({})).data.staff).toMatchObject({
      name: names.support,
      role: 'support',
    });
    await after.viewAs('manager');
    const { data } = await after.bff.listActivity({ query: {} });
    expect(data.items.map(({ operation, staff }) => [operation, staff.name])).toEqual([
      ['deleteSubscriber', names.manager],
      ['updateSubscriber', names.manager],
    ]);
  });

  test('keeps the faults that are on, without one that has happened', async () => {
    const storage = createStorage();
    const before = await openTab({}, { storage });
    await before.turn('slow', true);
    await before.turn('session-ends', true);
    const second = await openTab({}, { storage, seed: 2 });
    expect(second.state.get().faults).toEqual(['slow', 'session-ends']);
    await codeOf(second.service.listStatuses({}));
    expect((await openTab({}, { storage, seed: 3 })).state.get()).toMatchObject({
      faults: ['slow'],
      signedIn: false,
    });
  });

  test('generates the same subscribers, however long ago the demo began', async () => {
    const storage = createStorage();
    const before = await openTab({}, { storage });
    await before.keep();
    if (storage.data) storage.data.begunAt -= 40 * day;
    const expiries = [before, await openTab({}, { storage, seed: 2 })].map(async (tab) =>
      Date.parse((await readWhole(tab, 3)).data.expiresAt),
    );
    const [first = 0, second = 0] = await Promise.all(expiries);
    expect(first - second).toBe(40 * day);
  });

  test('keeps a user signed out who has signed out', async () => {
    const storage = createStorage();
    await (await openTab({}, { storage })).bff.signOut({});
    const after = await openTab({}, { storage, seed: 2 });
    expect(await codeOf(after.bff.getSession({}))).toBe('not-signed-in');
    expect(after.state.get().signedIn).toBe(false);
  });

  test('does not assign the id of a deleted subscriber again', async () => {
    const storage = createStorage();
    const before = await openTab({}, { storage });
    const create = (tab: typeof before, username: string) =>
      tab.service.createSubscriber(
        { body: { username, email: 'x@example.com', expiresAt: '2030-01-01T00:00:00Z' } },
        { headers: newKey() },
      );
    const { id } = (await create(before, 'first')).data;
    await before.service.deleteSubscriber({ params: { id } }, { headers: newKey() });
    const after = await openTab({}, { storage, seed: 2 });
    expect((await create(after, 'second')).data.id).toBe(id + 1);
  });

  test('keeps what was done before an earlier reload', async () => {
    const storage = createStorage();
    const note = async (tab: Awaited<ReturnType<typeof openTab>>) => (await readWhole(tab)).data.note;
    const first = await openTab({}, { storage });
    await first.service.updateSubscriber(
      { params: { id: 1 }, body: { note: 'Kept.' } },
      { headers: newKey() },
    );
    const second = await openTab({}, { storage, seed: 2 });
    await second.keep();
    expect(await note(await openTab({}, { storage, seed: 3 }))).toBe('Kept.');
  });

  test('goes on with a job at once', async () => {
    const storage = createStorage();
    const before = await openTab({ data: '2000' }, { storage });
    const stateIn = async (tab: typeof before, id: string) =>
      (await tab.bff.getJob({ params: { id } })).data.state;
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    const { data } = await before.bff.createJob({ body: { kind: 'delete', targets: { ids } } });
    const after = await openTab({}, { storage, seed: 2 });
    expect(await stateIn(after, data.id)).toBe('preparing');
    await after.runMaintenance();
    // A lease ends after a minute.
    await expect.poll(() => stateIn(after, data.id), { timeout: 45_000 }).toBe('ready');
  });

  test('signs in as another role if the address says so', async () => {
    const storage = createStorage();
    await (await openTab({}, { storage })).keep();
    const after = await openTab({ role: 'viewer' }, { storage, seed: 2 });
    expect((await after.bff.getSession({})).data.staff.role).toBe('viewer');
  });
});

describe('the stored state of the demo', () => {
  test('is small, even with many subscribers', async () => {
    const storage = createStorage();
    await (await openTab({ data: '2000' }, { storage })).keep();
    const { service, bff } = storage.data ?? {};
    expect((service?.length ?? Infinity) + (bff?.length ?? Infinity)).toBeLessThan(15_000);
  });

  test('is deleted by "Start over", and the old page stores nothing more', async () => {
    const storage = createStorage();
    const tab = await openTab({}, { storage });
    await tab.keep();
    tab.memory.forget();
    await tab.forget();
    await tab.keep();
    expect(tab.memory.read()).toBe(null);
    expect(storage.data).toBe(null);
  });

  test.each(['', '{', '{"settings":{}}', 'null'])(
    'starts a new demo if it is not valid: %j',
    async (left) => {
      const storage = createStorage();
      storage.held.set('demo', left);
      const tab = await openTab({}, { storage });
      expect((await tab.service.listSubscribers({ query: {} })).data.totalCount).toBe(25);
    },
  );
});

test.each(['bff', 'service'])(
  'the demo starts over if its stored changes of the %s no longer fit',
  async (part) => {
    const storage = createStorage();
    await (await openTab({}, { storage })).keep();
    if (storage.data) storage.data = { ...storage.data, [part]: new Uint8Array(3) };
    const tab = await openTab({}, { storage, seed: 2 });
    expect((await tab.service.listSubscribers({ query: {} })).data.totalCount).toBe(25);
  },
);

describe('a browser whose storage', () => {
  const refuse = () => {
    throw new Error('The quota is exceeded.');
  };

  test.each([
    ['is full', { ...createStorage(), isFull: true }],
    ['is blocked', { ...createStorage(), setItem: refuse, getItem: refuse, removeItem: refuse }],
  ])('%s runs the demo, which says that it stores nothing', async (_, storage) => {
    const tab = await openTab({}, { storage });
    const saved = tab.service.updateSubscriber(
      { params: { id: 1 }, body: { note: 'Here.' } },
      { headers: newKey() },
    );
    expect((await saved).data.note).toBe('Here.');
    expect(tab.state.get().isKept).toBe(false);
    tab.memory.forget();
  });
});

test('when the clock is moved ahead, subscriptions expire and the session continues', async () => {
  const tab = await openTab();
  const expired = async () =>
    (await tab.service.listSubscribers({ query: { Expired: true } })).data.totalCount;
  const [before, began] = [await expired(), Date.now()];
  await tab.moveClock(30);
  expect(await expired()).toBeGreaterThan(before);
  expect(Math.round((Date.now() - began) / day)).toBe(30);
  expect((await tab.bff.getSession({})).data.staff.name).toBe(names.manager);
});
