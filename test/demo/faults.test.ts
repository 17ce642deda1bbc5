import { describe, expect, test } from 'vitest';
import { withServiceFaults } from '../../src/demo/faults.ts';
import { names } from '../../src/demo/people.ts';
import { createDice } from '../../src/service/samples/dice.ts';
import { entered } from '../support/people.ts';
import { codeOf, newKey, openTab, readWhole, type Tab } from '../support/demo/tab.ts';

const save = (tab: Tab, note: string, headers: Record<string, string> = newKey()) =>
  tab.service.updateSubscriber({ params: { id: 1 }, body: { note } }, { headers });
const noteOf = async (tab: Tab) => (await readWhole(tab)).data.note;

describe('a fault of the demo', () => {
  test('slow: every answer takes two seconds until it is off', async () => {
    const tab = await openTab({ faults: ['slow'] });
    await tab.bff.getSession({});
    await tab.service.listStatuses({});
    expect(tab.waits).toEqual([2000, 2000]);
    await tab.turn('slow', false);
    await tab.service.listStatuses({});
    expect(tab.waits).toHaveLength(2);
  });

  test('service down: reading and saving fail as without an answer, and the session still works', async () => {
    const tab = await openTab();
    const before = await noteOf(tab);
    await tab.turn('down', true);
    expect(await codeOf(tab.service.listStatuses({}))).toBe('upstream-unreachable');
    expect(await codeOf(save(tab, 'lost'))).toBe('upstream-unreachable');
    expect((await tab.bff.getSession({})).data.staff.name).toBe(names.manager);
    await tab.turn('down', false);
    expect(await noteOf(tab)).toBe(before);
  });

  test('service down: nothing can have been created, so nobody looks for it', async () => {
    const tab = await openTab({ faults: ['down'] });
    expect(await codeOf(tab.service.createSubscriber({ body: entered }, { headers: newKey() }))).toBe(
      'upstream-unreachable',
    );
  });

  test('flaky: a third of the calls fail before the service does anything', async () => {
    const random = createDice(1).bytes;
    let done = 0;
    const answer = { status: 200, headers: new Headers(), bytes: new Uint8Array() };
    const exchange = withServiceFaults(async () => ((done += 1), answer), {
      isOn: (fault) => fault === 'flaky',
      chance: () => (random(1)[0] ?? 0) / 256,
    });
    const call = {
      operation: 'updateSubscriber' as const,
      method: 'PUT',
      url: '',
      headers: {},
      body: null,
      maxBytes: 1,
      signal: AbortSignal.abort(),
    };
    const all = await Promise.allSettled(Array.from({ length: 3000 }, () => exchange(call)));
    const failed = all.filter(({ status }) => status === 'rejected').length;
    expect(failed).toBeGreaterThan(900);
    expect(failed).toBeLessThan(1100);
    expect(done).toBe(3000 - failed);
  });

  test('session ends: the next request is refused, once, and any password signs in again', async () => {
    const tab = await openTab();
    await tab.turn('session-ends', true);
    expect(await codeOf(tab.service.listStatuses({}))).toBe('not-signed-in');
    expect(tab.state.get()).toMatchObject({ signedIn: false, faults: [] });
    expect(await codeOf(tab.bff.getSession({}))).toBe('not-signed-in');
    await tab.bff.signIn({ body: { name: names.support, password: 'whatever comes to mind' } });
    expect(tab.state.get()).toMatchObject({ signedIn: true, role: 'support' });
    expect((await tab.bff.getSession({})).data.staff).toMatchObject({
      name: names.support,
      role: 'support',
    });
  });

  test('someone else edits: a save conflicts with the change of a colleague, and the next one works', async () => {
    const tab = await openTab({ faults: ['edits-meanwhile'] });
    const { etag } = await readWhole(tab);
    const refused = save(tab, 'mine', { ...newKey(), 'If-Match': etag ?? '' });
    await expect(refused).rejects.toMatchObject({
      code: 'changed-meanwhile',
      obstacles: { changedBy: { name: 'Sigrid' } },
    });
    const theirs = await readWhole(tab);
    expect(theirs.data.note).toContain('was called back');
    await save(tab, 'both', { ...newKey(), 'If-Match': theirs.etag ?? '' });
    expect(await noteOf(tab)).toBe('both');
  });

  test('lost answers: the change is made, and not made twice when it is sent again', async () => {
    const tab = await openTab({ faults: ['lost-answers'] });
    const body = {
      username: 'once.only',
      email: 'once@example.com',
      expiresAt: '2030-01-01T00:00:00Z',
    };
    const headers = newKey();
    expect(await codeOf(tab.service.createSubscriber({ body }, { headers }))).toBe('unreachable');
    const again = await tab.service.createSubscriber({ body }, { headers });
    const found = await tab.service.listSubscribers({ query: { Username: 'once.only' } });
    expect(found.data.items.map(({ id }) => id)).toEqual([again.data.id]);
  });
});

test('without faults, the demo neither waits nor fails', async () => {
  const tab = await openTab();
  await save(tab, 'as usual');
  expect(await noteOf(tab)).toBe('as usual');
  expect(tab.waits).toEqual([]);
});
