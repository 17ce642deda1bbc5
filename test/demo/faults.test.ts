import { describe, expect, test } from 'vitest';
import { withServiceFaults } from '../../src/demo/faults.ts';
import { names } from '../../src/demo/settings.ts';
import { createSeededRandom } from '../../src/service/samples/seeded-random.ts';
import { entered } from '../support/people.ts';
import { codeOf, nameIn, newKey, noteOf, openTab, readWhole, saveNote } from '../support/demo/tab.ts';

describe('the faults of the demo', () => {
  test('the fault “slow” lets every answer take two seconds until it is off', async () => {
    const tab = await openTab({ faults: ['slow'] });
    await tab.bff.getSession({});
    await tab.service.listStatuses({});
    expect(tab.waits).toEqual([2000, 2000]);
    tab.turn('slow', false);
    await tab.service.listStatuses({});
    expect(tab.waits).toHaveLength(2);
  });

  test('the fault “service down” ends reading and saving without an answer, but not the session', async () => {
    const tab = await openTab();
    tab.turn('down', true);
    expect(await codeOf(tab.service.listStatuses({}))).toBe('upstream-unreachable');
    expect(await codeOf(saveNote(tab, 'lost'))).toBe('upstream-unreachable');
    // Nothing can have been created, so nobody looks for it.
    const created = tab.service.createSubscriber({ body: entered }, { headers: newKey() });
    expect(await codeOf(created)).toBe('upstream-unreachable');
    expect(await nameIn(tab)).toBe(names.manager);
    tab.turn('down', false);
    expect(await noteOf(tab)).not.toBe('lost');
  });

  test('the fault “flaky” lets a third of the calls fail before the service does anything', async () => {
    const random = createSeededRandom(1).bytes;
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

  test('the fault “session ends” refuses the next request, once, and any password signs in again', async () => {
    const tab = await openTab();
    tab.turn('session-ends', true);
    expect(await codeOf(tab.service.listStatuses({}))).toBe('not-signed-in');
    expect(tab.state.get()).toMatchObject({ session: null, faults: [] });
    expect(await codeOf(tab.bff.getSession({}))).toBe('not-signed-in');
    await tab.bff.signIn({ body: { name: names.support, password: 'whatever comes to mind' } });
    expect(tab.state.get()).toMatchObject({ session: expect.any(String) as string, role: 'support' });
    const { staff } = (await tab.bff.getSession({})).data;
    expect(staff).toMatchObject({ name: names.support, role: 'support' });
  });

  test('the fault “someone else edits” lets a save conflict with a colleague’s, but not the next one', async () => {
    const tab = await openTab({ faults: ['edits-meanwhile'] });
    const { etag } = await readWhole(tab);
    await expect(saveNote(tab, 'mine', { ...newKey(), 'If-Match': etag ?? '' })).rejects.toMatchObject({
      code: 'changed-meanwhile',
      obstacles: { changedBy: { name: 'Sigrid' } },
    });
    const theirs = await readWhole(tab);
    expect(theirs.data.note).toContain('was called back');
    await saveNote(tab, 'both', { ...newKey(), 'If-Match': theirs.etag ?? '' });
    expect(await noteOf(tab)).toBe('both');
  });

  test('the fault “lost answers” makes the change, and not twice when it is sent again', async () => {
    const tab = await openTab({ faults: ['lost-answers'] });
    const headers = newKey();
    const create = () => tab.service.createSubscriber({ body: entered }, { headers });
    expect(await codeOf(create())).toBe('unreachable');
    const { id } = (await create()).data;
    const query = { Username: entered.username, Email: entered.email };
    const { items } = (await tab.service.listSubscribers({ query })).data;
    expect(items.map((one) => one.id)).toEqual([id]);
  });
});

test('the demo without faults neither waits nor fails', async () => {
  const tab = await openTab();
  await saveNote(tab, 'as usual');
  expect(await noteOf(tab)).toBe('as usual');
  expect(tab.waits).toEqual([]);
});
