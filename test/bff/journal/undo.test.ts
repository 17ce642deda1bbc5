import { beforeEach, describe, expect, it, test } from 'vitest';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { createTestDesk, runningTime, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, outcomeOf } from '../../support/bff/browser.ts';
import { entered } from '../../support/people.ts';

type Person = ReturnType<TestDesk['as']>;

let setup: TestDesk;
let ann: Person;
let made: SubscriberDetail;
beforeEach(async () => {
  setup = await createTestDesk({ staff: {}, time: runningTime() });
  ann = setup.as('manager', 'Ann');
  made = (await ann.api.createSubscriber({ body: entered })).data;
});

const activity = async () => (await ann.bff.listActivity({ query: {} })).data.items;
const newestId = async () => (await activity())[0]?.id ?? '';
const undo = async (id: string, user = ann) => (await user.bff.undoChange({ params: { id } })).data;
const update = (body: object, user = ann) => user.api.updateSubscriber({ params: { id: made.id }, body });
const read = async (id = made.id) =>
  (
    await ann.api.getSubscriber({
      params: { id },
      query: { include: ['bundles', 'ipAddresses', 'userAgents', 'countries'] },
    })
  ).data;

describe('POST /bff/activity/{id}/undo', () => {
  it('restores the fields of an update, and no others', async () => {
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

  it('deletes a created subscriber, and answers the record as it last was', async () => {
    const id = await newestId();
    expect(await undo(id)).toEqual(made);
    await expect(read()).rejects.toMatchObject({ status: 404 });
    expect((await activity())[0]).toMatchObject({ undoOf: id, operation: 'deleteSubscriber' });
  });

  it('creates a deleted subscriber again, with a new id and a new token', async () => {
    await ann.api.deleteSubscriber({ params: { id: made.id } });
    const again = await undo(await newestId());
    expect(again).toEqual({ ...made, id: again.id, accessToken: again.accessToken });
    expect([again.id === made.id, again.accessToken === made.accessToken]).toEqual([false, false]);
    expect(await read(again.id)).toEqual(again);
  });

  it('makes the change again if the entry is an undo', async () => {
    await update({ note: 'Called.' });
    await undo(await newestId());
    expect(await undo(await newestId())).toMatchObject({ note: 'Called.' });
    await undo(await newestId());
    expect((await read()).note).toBe('');
  });
});

describe('an impossible undo', () => {
  const refused = async (id: string, user = ann) => {
    const response = await user.fetch(ask('POST', `/bff/activity/${id}/undo`));
    const reported: { detail: string } = await response.clone().json();
    return [response.status, await codeIn(response), reported.detail];
  };

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['the token was regenerated', () => ann.api.regenerateToken({ params: { id: made.id } }), /old token/],
    [
      'the change was not made',
      () => ann.fetch(ask('POST', '/api/subscribers', { body: entered })),
      /not made/,
    ],
    ['the update changed nothing', () => update({ note: '' }), /changed nothing/],
    [
      'the deleted subscriber had an email address that is not accepted any more',
      async () => {
        await (await setup.serviceDb()).updateTable('subscribers').set({ email: 'no address' }).execute();
        await ann.api.deleteSubscriber({ params: { id: made.id } });
      },
      /values that are no longer accepted/,
    ],
  ])('is refused with a sentence if %s', async (_, change, sentence) => {
    await change();
    expect(await refused(await newestId())).toEqual([409, 'cannot-undo', expect.stringMatching(sentence)]);
  });

  it('is refused with a sentence if the entry is already undone, also by two users at the same moment', async () => {
    await update({ note: 'Called.' });
    const id = await newestId();
    const both = await Promise.all([ann, setup.as('manager', 'Bob')].map((user) => refusedOrDone(id, user)));
    expect(both.toSorted()).toEqual(['cannot-undo', 'done']);
    expect(await refused(id)).toEqual([409, 'cannot-undo', 'This change was already undone.']);
  });
  const refusedOrDone = async (id: string, user: Person) => {
    const response = await user.fetch(ask('POST', `/bff/activity/${id}/undo`));
    return response.ok ? 'done' : codeIn(response);
  };

  it('is known before from the entry, also where another page has the change that comes first', async () => {
    await update({ note: 'Called.', maxConnections: 3 });
    await update({ note: 'Called again.' }, setup.as('support', 'Bob'));
    await update({ note: 'Paid.' });
    const entryOn = async (page: number) =>
      (await ann.bff.listActivity({ query: { pageSize: 1, page } })).data.items[0];
    const changedAgain = (name: string) => ({
      changedAgain: { field: 'note', staff: expect.objectContaining({ name }) },
    });
    expect(await entryOn(3)).toMatchObject(changedAgain('Ann'));
    await undo((await entryOn(1))?.id ?? '');
    // The undo has made it Bob's note again.
    expect(await entryOn(3)).toMatchObject({ changedAgain: null });
    expect(await entryOn(4)).toMatchObject(changedAgain('Ann'));
    await undo((await entryOn(3))?.id ?? '');
    expect(await entryOn(5)).toMatchObject({ operation: 'updateSubscriber', changedAgain: null });
  });

  it('is known before also where many changes of other fields came after', async () => {
    await update({ note: 'Called.' });
    await update({ note: 'Paid.' }, setup.as('support', 'Bob'));
    for (let maxConnections = 1; maxConnections <= 60; maxConnections += 1) await update({ maxConnections });
    const [entry] = (await ann.bff.listActivity({ query: { pageSize: 1, page: 62 } })).data.items;
    expect(entry).toMatchObject({
      after: { note: 'Called.' },
      changedAgain: { field: 'note', staff: { name: 'Bob' } },
    });
    const undoing = ann.fetch(ask('POST', `/bff/activity/${entry?.id}/undo`));
    expect(await (await undoing).json()).toMatchObject({
      conflicts: [{ field: 'note', by: { name: 'Bob' } }],
    });
  });

  it('is refused with a sentence if the entry does not exist or its id is invalid', async () => {
    expect(await refused('nobody')).toEqual([404, 'no-such-entry', expect.any(String)]);
    expect((await refused('x.y')).slice(0, 2)).toEqual([422, 'invalid-input']);
  });

  it('is refused with a sentence if the subscriber is deleted', async () => {
    await update({ note: 'Called.' });
    const id = await newestId();
    await ann.api.deleteSubscriber({ params: { id: made.id } });
    expect((await refused(id)).slice(0, 2)).toEqual([404, 'no-such-subscriber']);
  });

  it('is refused with a sentence if the username of the deleted subscriber is in use again', async () => {
    await ann.api.deleteSubscriber({ params: { id: made.id } });
    const id = await newestId();
    await ann.api.createSubscriber({ body: entered });
    expect(await refused(id)).toEqual([422, 'invalid-input', takenMeanwhile]);
  });

  it('is refused with a sentence if the username of before belongs to somebody else now', async () => {
    await update({ username: 'bo' });
    const id = await newestId();
    await setup.service.createSubscriber({ body: entered });
    expect(await refused(id)).toEqual([422, 'invalid-input', takenMeanwhile]);
  });

  const takenMeanwhile =
    'What was there before is not accepted any more: Username already taken. Choose another. Nothing was undone. Make the change by hand.';

  const byManagers = 'Only managers can delete subscribers. Ask a manager.';
  const remove = () => ann.api.deleteSubscriber({ params: { id: made.id } });
  it.each<[string, 'viewer' | 'support', string, () => Promise<unknown>]>([
    ['an update', 'viewer', 'Viewers can’t undo changes. Ask a manager.', () => update({ note: 'Called.' })],
    ['a creation', 'support', byManagers, async () => {}],
    ['a deletion', 'support', byManagers, remove],
    ['the undo of a deletion', 'support', byManagers, async () => undo((await remove(), await newestId()))],
  ])(
    'is refused with a sentence if the entry is of %s and the role is %s',
    async (_, role, sentence, change) => {
      await change();
      const before = await activity();
      expect(await refused(await newestId(), setup.as(role))).toEqual([403, 'not-allowed', sentence]);
      expect(await activity()).toEqual(before);
    },
  );
});

describe('a deletion', () => {
  it('says under which ID its undo made the subscriber again', async () => {
    await ann.api.deleteSubscriber({ params: { id: made.id } });
    expect((await activity())[0]).toMatchObject({ undoneBy: null, madeAgainAs: null });
    const again = await undo(await newestId());
    const [creation, deletion, first] = await activity();
    expect(deletion).toMatchObject({ subscriberId: made.id, undoneBy: creation?.id, madeAgainAs: again.id });
    // Only a deletion is undone by a subscriber that is made again.
    await undo(creation?.id ?? '');
    expect((await activity())[1]).toMatchObject({ id: creation?.id, madeAgainAs: null });
    expect(first).toMatchObject({ madeAgainAs: null });
  });
});

describe('an undo', () => {
  /** Somebody else changes the record past the BFF, right before the undo gets to the service. */
  const overtake = (body: object) => {
    setup.upstream.operation = async ({ method }, go) => {
      if (!['PUT', 'DELETE'].includes(method)) return go();
      Object.assign(setup.upstream, { operation: (_: unknown, goOn: typeof go) => goOn() });
      await setup.service.updateSubscriber({ params: { id: made.id }, body });
      return go();
    };
  };

  it.each([
    ['the same field', { note: 'By somebody else.' }],
    ['another field', { maxConnections: 9 }],
  ])('does not overwrite a change of %s that came after it was checked', async (_, body) => {
    await update({ note: 'Called.' });
    const id = await newestId();
    overtake(body);
    expect(await outcomeOf(ann.fetch(ask('POST', `/bff/activity/${id}/undo`)))).toBe('412 changed-meanwhile');
    expect(await read()).toMatchObject({ note: 'Called.', ...body });
    expect((await activity())[0]).toMatchObject({
      undoOf: id,
      outcome: 'refused',
      code: 'changed-meanwhile',
    });
  });

  it('does not delete a new subscriber that was changed after it was checked', async () => {
    const id = await newestId();
    overtake({ note: 'Kept.' });
    expect((await ann.fetch(ask('POST', `/bff/activity/${id}/undo`))).status).toBe(412);
    expect((await read()).note).toBe('Kept.');
  });

  it.each(['"old"', 'W/"x"', '*', 'nonsense'])(
    'is sent with the version that it was checked with, not %s',
    async (ifMatch) => {
      await update({ note: 'Called.' });
      const id = await newestId();
      const version = (await ann.api.getSubscriber({ params: { id: made.id }, query: {} })).etag;
      const before = setup.upstream.calls.length;
      const headers = { 'If-Match': ifMatch };
      const response = await ann.fetch(ask('POST', `/bff/activity/${id}/undo`, { headers }));
      const sent = setup.upstream.calls.slice(before).filter(({ method }) => method === 'PUT');
      const expected = ifMatch === '*' ? [200, version] : [412, undefined];
      expect([response.status, sent[0]?.headers['if-match']]).toEqual(expected);
    },
  );
});

describe('an undo after a later change of the same fields', () => {
  const conflictsOf = async (id: string) => {
    const response = await ann.fetch(ask('POST', `/bff/activity/${id}/undo`));
    const reported: { conflicts: unknown } = await response.clone().json();
    expect(await outcomeOf(response)).toBe('409 changed-since');
    return reported.conflicts;
  };
  const at = expect.stringMatching(/^2026-01-01T/);

  it('is refused for an update, with the fields and who changed them', async () => {
    await update({ note: 'Called.', maxConnections: 3 });
    const id = await newestId();
    await update({ note: 'Called twice.' }, setup.as('support', 'Bob'));
    expect(await conflictsOf(id)).toEqual([{ field: 'note', by: { name: 'Bob', singleSignOn: false }, at }]);
    expect((await read()).note).toBe('Called twice.');
  });

  it('is refused without a name if the later change was not made through the BFF', async () => {
    await update({ note: 'Called.' });
    const id = await newestId();
    await update({ note: 'Called twice.' }, setup.as('support', 'Bob'));
    await (await setup.serviceDb()).updateTable('subscribers').set({ note: 'Past.', version: 9 }).execute();
    expect(await conflictsOf(id)).toEqual([{ field: 'note', by: null, at: null }]);
  });

  it('is refused for a created subscriber that was changed later', async () => {
    const id = await newestId();
    await setup.as('support', 'Bob').api.regenerateToken({ params: { id: made.id } });
    await update({ note: 'Kept.' }, setup.as('support', 'Eve'));
    expect(await conflictsOf(id)).toEqual([
      { field: 'accessToken', by: { name: 'Bob', singleSignOn: false }, at },
      { field: 'note', by: { name: 'Eve', singleSignOn: false }, at },
    ]);
  });

  it('is made if the fields were changed back', async () => {
    await update({ note: 'Called.' });
    const id = await newestId();
    await update({ note: 'Called twice.' });
    await undo(await newestId());
    expect(await undo(id)).toMatchObject({ note: '' });
  });
});

test('an undo with an Idempotency-Key is made once, and gets the same answer again', async () => {
  await update({ note: 'Called.' });
  const [id, headers] = [await newestId(), { [changeHeaders.key]: 'key-of-this-undo' }];
  const send = () => ann.fetch(ask('POST', `/bff/activity/${id}/undo`, { headers }));
  const [first, again] = [await send(), await send()];
  expect([first.status, again.status, again.headers.get(changeHeaders.replayed)]).toEqual([200, 200, 'true']);
  expect(await again.text()).toBe(await first.text());
});
