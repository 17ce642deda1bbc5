import { beforeEach, describe, expect, it, test } from 'vitest';
import { draftLimits } from '../../../src/contract/bff/draft.ts';
import { createDefaults } from '../../../src/contract/service/subscriber-input.ts';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { crowd } from '../../support/people.ts';

let bff: TestDesk;
let support: Awaited<ReturnType<TestDesk['signIn']>>;

beforeEach(async () => {
  bff = await createTestDesk({ people: crowd(draftLimits.drafts + 1) });
  support = await bff.signIn('support');
});

const typed = (username: string) => ({
  values: { ...createDefaults, username, email: 'half@', expiresAt: '', maxConnections: null },
  base: null,
});
type Person = typeof support;
const keep = async (form: string, username = 'ann', person: Person = support) =>
  (await person.ask('PUT', `/bff/drafts/${form}`, typed(username))).status;
const find = async (form: string, person: Person = support): Promise<unknown> =>
  (await person.ask('GET', `/bff/drafts/${form}`)).json();

describe('a draft', () => {
  it('is kept as it was typed, however far from valid, with the time', async () => {
    expect(await find('new')).toBeNull();
    expect(await keep('new')).toBe(204);
    expect(await find('new')).toEqual({ ...typed('ann'), savedAt: '2026-01-01T00:00:00.000Z' });
  });

  it('replaces the one before, and each form has its own', async () => {
    await keep('new', 'ann');
    await keep('7', 'bo');
    await keep('new', 'cy');
    expect(await find('new')).toMatchObject({ values: { username: 'cy' } });
    expect(await find('7')).toMatchObject({ values: { username: 'bo' } });
  });

  it('is there after signing in again, in another browser too, and for nobody else', async () => {
    await keep('new');
    const elsewhere = await bff.signIn('support');
    expect(await find('new', elsewhere)).toMatchObject({ values: { username: 'ann' } });
    expect(await find('new', await bff.signIn('manager'))).toBeNull();
  });

  it('is not kept of nobody, nor by a viewer', async () => {
    expect(await keep('99')).toBe(404);
    const viewer = await bff.signIn('viewer');
    expect([await keep('7', 'ann', viewer), await keep('new', 'ann', viewer)]).toEqual([403, 403]);
    expect(await bff.rows('drafts')).toEqual([]);
  });

  it('is kept while the service does not answer, and after its subscriber was deleted meanwhile', async () => {
    bff.upstream.operation = () => new Response(null, { status: 503 });
    expect(await keep('7')).toBe(204);
    bff.upstream.operation = (_, next) => next();
    await bff.service.deleteSubscriber({ params: { id: 7 } });
    expect(await keep('7', 'bo')).toBe(204);
    expect(await find('7')).toMatchObject({ values: { username: 'bo' } });
  });

  it('is refused of somebody who was erased or deleted, while the service does not answer', async () => {
    const manager = await bff.signIn('manager');
    await manager.api.updateSubscriber({ params: { id: 7 }, body: { note: 'new' } });
    bff.upstream.operation = () => new Response(null, { status: 503 });
    expect(await keep('7')).toBe(204);
    expect(await forgetSubscriber(bff.db, createMac(journalKey), 7)).toMatchObject({ drafts: 1 });
    expect(await keep('7')).toBe(404);
    bff.upstream.operation = (_, next) => next();
    expect((await manager.ask('DELETE', '/api/subscribers/8')).status).toBe(200);
    bff.upstream.operation = () => new Response(null, { status: 503 });
    const line = await support.ask('PUT', '/bff/drafts/note-8', { line: 'Called.' });
    expect([await keep('8'), line.status]).toEqual([404, 404]);
    expect(await bff.rows('drafts')).toEqual([]);
  });

  it('is gone when it is dropped', async () => {
    await keep('new');
    expect((await support.ask('DELETE', '/bff/drafts/new')).status).toBe(204);
    expect(await find('new')).toBeNull();
  });

  it('is gone after a week', async () => {
    await keep('new');
    bff.time.now += draftLimits.life - 1;
    support = await bff.signIn('support');
    expect(await find('new')).not.toBeNull();
    bff.time.now += 1;
    expect(await find('new')).toBeNull();
    await keep('7');
    expect(await bff.db.selectFrom('drafts').select('form').execute()).toEqual([{ form: '7' }]);
  });

  it('is deleted if its form is the oldest and there are too many', async () => {
    for (let form = 1; form <= draftLimits.drafts + 1; form += 1) {
      bff.time.now += 1000;
      await keep(String(form));
    }
    expect(await find('1')).toBeNull();
    expect(await find('2')).not.toBeNull();
  });
});

describe('the names of those who edit a subscriber', () => {
  const editors = async (id: number, person: Person) =>
    (await person.ask('GET', `/bff/subscribers/${id}/editors`)).json() as Promise<unknown>;

  test('the drafts of others tell who is editing, by name, and one’s own do not', async () => {
    const viewer = await bff.signIn('viewer');
    const manager = await bff.signIn('manager');
    await keep('7');
    await keep('7', 'bo', manager);
    await keep('8');
    const [one, other] = ['manager', 'support'].map((name) => ({ name, singleSignOn: false }));
    expect(await editors(7, viewer)).toEqual([one, other]);
    expect(await editors(7, manager)).toEqual([other]);
    expect(await editors(7, await bff.signIn('support'))).toEqual([one]);
    expect(await editors(9, viewer)).toEqual([]);
  });

  test('an edit ends when the draft is dropped, or five minutes after its last change', async () => {
    const viewer = await bff.signIn('viewer');
    await keep('7');
    bff.time.now += draftLimits.editing - 1;
    expect(await editors(7, viewer)).toHaveLength(1);
    bff.time.now += 1;
    expect(await editors(7, viewer)).toEqual([]);
    await keep('7');
    expect(await editors(7, viewer)).toHaveLength(1);
    await support.ask('DELETE', '/bff/drafts/7');
    expect(await editors(7, viewer)).toEqual([]);
  });
});

test.each([
  ['another shape', 'new', { values: { username: 'ann' }, base: null }],
  ['a field that no form has', 'new', { ...typed('ann'), accessToken: 'canary' }],
  ['a form that does not exist', 'old', typed('ann')],
  ['a line of a note', 'new', { line: 'Called.' }],
  ['all of a form for the line of a note', 'note-7', typed('ann')],
])('a draft with %s is refused, and nothing is kept', async (_, form, body) => {
  expect((await support.ask('PUT', `/bff/drafts/${form}`, body)).status).toBe(422);
  expect(await bff.rows('drafts')).toEqual([]);
});

test('a draft of another shape, which an earlier version kept, keeps nobody from being forgotten', async () => {
  await keep('new', 'p007');
  await bff.db.updateTable('drafts').set({ body: '{"line":"Called."}' }).where('form', '=', 'new').execute();
  await keep('7');
  expect(await forgetSubscriber(bff.db, createMac(journalKey), 7)).toMatchObject({ drafts: 1 });
});

test('a person who is forgotten is in the reason of no draft about somebody else, whose other values stay', async () => {
  const body = { ...typed('p008'), reason: 'Same house as p007@example.com.' };
  expect((await support.ask('PUT', '/bff/drafts/8', body)).status).toBe(204);
  const forget = () => forgetSubscriber(bff.db, createMac(journalKey), 7, ['p007', 'p007@example.com']);
  expect(await forget()).toMatchObject({ drafts: 1 });
  expect(await find('8')).toEqual({ ...typed('p008'), savedAt: expect.any(String) });
  expect(await forget()).toBeNull();
});
