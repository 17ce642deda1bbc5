import { beforeEach, describe, expect, test } from 'vitest';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { entered, openRealDesk, type RealDesk } from '../../support/bff/real-service.ts';

type Person = ReturnType<RealDesk['enter']>;

let there: RealDesk;
let ann: Person;
let made: SubscriberDetail;
beforeEach(async () => {
  there = await openRealDesk();
  ann = there.enter('manager', 'Ann');
  made = (await ann.api.createSubscriber({ body: entered })).data;
});

const activity = async () => (await ann.desk.listActivity({ query: {} })).data.items;
const newestId = async () => (await activity())[0]?.id ?? '';
const undo = async (id: string, who = ann) => (await who.desk.undoChange({ params: { id } })).data;
const update = (body: object, who = ann) => who.api.updateSubscriber({ params: { id: made.id }, body });
const read = async (id = made.id) =>
  (
    await ann.api.getSubscriber({
      params: { id },
      query: { include: ['bundles', 'ipAddresses', 'userAgents', 'countries'] },
    })
  ).data;

describe('undoing', () => {
  test('an update puts its fields back, and leaves alone what others changed', async () => {
    await update({ note: 'Called.', bundles: [3] });
    const id = await newestId();
    await update({ maxConnections: 5 });
    expect(await undo(id)).toEqual({ ...made, maxConnections: 5 });
    const [last, , undone] = await activity();
    expect(last).toMatchObject({
      undoOf: id,
      operation: 'updateSubscriber',
      after: { note: '', bundles: [1, 2] },
    });
    expect(undone).toMatchObject({ id, undoneBy: last?.id });
  });

  test('a creation deletes the subscriber, and answers it as it last was', async () => {
    const id = await newestId();
    expect(await undo(id)).toEqual(made);
    await expect(read()).rejects.toMatchObject({ status: 404 });
    expect((await activity())[0]).toMatchObject({ undoOf: id, operation: 'deleteSubscriber' });
  });

  test('a deletion creates the subscriber again, with a new id and a new token', async () => {
    await ann.api.deleteSubscriber({ params: { id: made.id } });
    const again = await undo(await newestId());
    expect(again).toEqual({ ...made, id: again.id, accessToken: again.accessToken });
    expect([again.id === made.id, again.accessToken === made.accessToken]).toEqual([false, false]);
    expect(await read(again.id)).toEqual(again);
  });

  test('an undo does the thing again', async () => {
    await update({ note: 'Called.' });
    await undo(await newestId());
    expect(await undo(await newestId())).toMatchObject({ note: 'Called.' });
    await undo(await newestId());
    expect((await read()).note).toBe('');
  });

  test('an undone creation makes another subscriber of the same fields', async () => {
    await undo(await newestId());
    const again = await undo(await newestId());
    expect(again).toEqual({ ...made, id: again.id, accessToken: again.accessToken });
  });
});

describe('what cannot be undone is refused, with a sentence', () => {
  const refused = async (id: string, who = ann) => {
    const response = await who.fetch(ask('POST', `/bff/activity/${id}/undo`));
    const told: { detail: string } = await response.clone().json();
    return [response.status, await codeIn(response), told.detail];
  };

  test('a new token', async () => {
    await ann.api.regenerateToken({ params: { id: made.id } });
    expect(await refused(await newestId())).toEqual([
      409,
      'cannot-undo',
      expect.stringMatching(/old access token/),
    ]);
  });

  test('what was undone already, also by two at the same moment', async () => {
    await update({ note: 'Called.' });
    const id = await newestId();
    const both = await Promise.all([ann, there.enter('manager', 'Bob')].map((who) => refusedOrDone(id, who)));
    expect(both.toSorted()).toEqual(['cannot-undo', 'done']);
    expect(await refused(id)).toEqual([409, 'cannot-undo', 'This was undone already.']);
  });
  const refusedOrDone = async (id: string, who: Person) => {
    const response = await who.fetch(ask('POST', `/bff/activity/${id}/undo`));
    return response.ok ? 'done' : codeIn(response);
  };

  test('what was never done', async () => {
    await expect(ann.api.createSubscriber({ body: entered })).rejects.toMatchObject({ status: 422 });
    expect(await refused(await newestId())).toEqual([409, 'cannot-undo', expect.stringMatching(/not done/)]);
  });

  test('an update that changed nothing', async () => {
    await update({ note: '' });
    expect(await refused(await newestId())).toEqual([
      409,
      'cannot-undo',
      expect.stringMatching(/changed nothing/),
    ]);
  });

  test('an entry that is not there, or an id that is none', async () => {
    expect(await refused('nobody')).toEqual([404, 'no-such-entry', expect.any(String)]);
    expect((await refused('x.y')).slice(0, 2)).toEqual([422, 'invalid-input']);
  });

  test('a subscriber that is gone', async () => {
    await update({ note: 'Called.' });
    const id = await newestId();
    await ann.api.deleteSubscriber({ params: { id: made.id } });
    expect((await refused(id)).slice(0, 2)).toEqual([404, 'no-such-subscriber']);
  });

  test('a deletion whose username somebody has taken since', async () => {
    await ann.api.deleteSubscriber({ params: { id: made.id } });
    const id = await newestId();
    await ann.api.createSubscriber({ body: entered });
    expect((await refused(id)).slice(0, 2)).toEqual([422, 'invalid-input']);
  });

  test.each([
    [
      'a viewer',
      'viewer',
      'updateSubscriber',
      'Only support staff and managers can undo changes. Ask a manager.',
    ],
    ['support', 'support', 'createSubscriber', 'Only managers can delete subscribers. Ask a manager.'],
  ] as const)('by %s, what the role may not do: %s, %s', async (_, role, operation, sentence) => {
    if (operation === 'updateSubscriber') await update({ note: 'Called.' });
    expect(await refused(await newestId(), there.enter(role))).toEqual([403, 'not-allowed', sentence]);
  });
});

describe('what somebody changed since is not taken back unseen', () => {
  const conflictsOf = async (id: string) => {
    const response = await ann.fetch(ask('POST', `/bff/activity/${id}/undo`));
    const told: { conflicts: unknown } = await response.clone().json();
    expect([response.status, await codeIn(response)]).toEqual([409, 'changed-since']);
    return told.conflicts;
  };
  const at = expect.stringMatching(/^2026-01-01T/);

  test('of an update: the fields, and by whom', async () => {
    await update({ note: 'Called.', maxConnections: 3 });
    const id = await newestId();
    await update({ note: 'Called twice.' }, there.enter('support', 'Bob'));
    expect(await conflictsOf(id)).toEqual([{ field: 'note', by: { name: 'Bob' }, at }]);
    expect((await read()).note).toBe('Called twice.');
  });

  test('nor what was changed past the desk, by nobody knows whom', async () => {
    await update({ note: 'Called.' });
    const id = await newestId();
    await update({ note: 'Called twice.' }, there.enter('support', 'Bob'));
    await there.serviceDb.updateTable('subscribers').set({ note: 'Past.', version: 9 }).execute();
    expect(await conflictsOf(id)).toEqual([{ field: 'note', by: null, at: null }]);
  });

  test('of a creation: nobody deletes what others have worked on', async () => {
    const id = await newestId();
    await there.enter('support', 'Bob').api.regenerateToken({ params: { id: made.id } });
    await update({ note: 'Kept.' }, there.enter('support', 'Eve'));
    expect(await conflictsOf(id)).toEqual([
      { field: 'accessToken', by: { name: 'Bob' }, at },
      { field: 'note', by: { name: 'Eve' }, at },
    ]);
  });

  test('unless it was changed back', async () => {
    await update({ note: 'Called.' });
    const id = await newestId();
    await update({ note: 'Called twice.' });
    await undo(await newestId());
    expect(await undo(id)).toMatchObject({ note: '' });
  });
});

test('an undo with a key is done once, and answered the same again', async () => {
  await update({ note: 'Called.' });
  const [id, headers] = [await newestId(), { [changeHeaders.key]: 'key-of-this-undo' }];
  const send = () => ann.fetch(ask('POST', `/bff/activity/${id}/undo`, { headers }));
  const [first, again] = [await send(), await send()];
  expect([first.status, again.status, again.headers.get(changeHeaders.replayed)]).toEqual([200, 200, 'true']);
  expect(await again.text()).toBe(await first.text());
});
