import { beforeEach, describe, expect, test } from 'vitest';
import { viewLimits, type View } from '../../../src/contract/bff/view.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';

/** A signed-in user, with what they can do with their views. */
async function enterWithViews(bff: TestDesk, name: string) {
  const person = await bff.signIn(name);
  const read = async (): Promise<View[]> => (await person.ask('GET', '/bff/views')).json();
  return {
    ...person,
    names: async () => (await read()).map((view) => view.name),
    idOf: async (wanted: string) => (await read()).find((view) => view.name === wanted)?.id ?? 'none',
    keep: (view: string, query: object = {}) => person.ask('POST', '/bff/views', { name: view, query }),
    change: (id: string, change: object) => person.ask('PUT', `/bff/views/${id}`, change),
    drop: (id: string) => person.ask('DELETE', `/bff/views/${id}`),
  };
}

let bff: TestDesk;
let ann: Awaited<ReturnType<typeof enterWithViews>>;

beforeEach(async () => {
  bff = await createTestDesk({ staff: { ann: 'viewer', bo: 'viewer' } });
  ann = await enterWithViews(bff, 'ann');
});

describe('a view', () => {
  test('that is saved is in the same user’s other browsers, with their session', async () => {
    const query = { Expired: 'true', StatusId: '2', SortBy: 'expiresAt_desc' };
    const kept = await (await ann.keep('Expired', query)).json();
    expect(kept).toEqual({ id: expect.stringMatching(/^[\w-]{22}$/), name: 'Expired', query });
    const elsewhere = await bff.signIn('ann');
    expect(await (await elsewhere.ask('GET', '/bff/views')).json()).toEqual([kept]);
    expect(await (await elsewhere.ask('GET', '/bff/session')).json()).toMatchObject({ views: [kept] });
  });

  test('is part of the answer to a sign-in', async () => {
    await ann.keep('Expired');
    const body = { name: 'ann', password: 'canary-right-password' };
    const session: unknown = await (await bff.fetch(ask('POST', '/bff/session', { body }))).json();
    expect(session).toMatchObject({ views: [{ name: 'Expired' }] });
  });

  test('is renamed, moved and deleted by itself', async () => {
    for (const name of ['one', 'two', 'three']) await ann.keep(name);
    const id = await ann.idOf('three');
    expect(await (await ann.change(id, { name: 'drei' })).json()).toMatchObject({ id, name: 'drei' });
    await ann.change(id, { place: 0 });
    expect(await ann.names()).toEqual(['drei', 'one', 'two']);
    await ann.change(id, { place: 50, name: 'last' });
    expect(await ann.names()).toEqual(['one', 'two', 'last']);
    expect((await ann.drop(await ann.idOf('one'))).status).toBe(204);
    await ann.keep('four');
    expect(await ann.names()).toEqual(['two', 'last', 'four']);
  });

  test('is nobody else’s: not to be seen, changed or deleted', async () => {
    await ann.keep('Expired');
    const id = await ann.idOf('Expired');
    const bo = await enterWithViews(bff, 'bo');
    expect(await bo.names()).toEqual([]);
    for (const answer of [await bo.change(id, { name: 'Mine' }), await bo.drop(id)])
      expect([answer.status, await codeIn(answer)]).toEqual([404, 'no-such-view']);
    expect(await ann.names()).toEqual(['Expired']);
    expect((await bo.keep('Expired')).status).toBe(200);
  });

  test('of a name that is taken is refused, whatever its case', async () => {
    await ann.keep('Expired');
    await ann.keep('Other');
    const refused = [
      await ann.keep('EXPIRED'),
      await ann.change(await ann.idOf('Other'), { name: 'expired' }),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ errors: { name: [expect.stringContaining('this name')] } });
    }
    expect((await ann.change(await ann.idOf('Expired'), { name: 'expired' })).status).toBe(200);
    expect(await ann.names()).toEqual(['expired', 'Other']);
  });

  test('with a member that no view has is refused, a token above all', async () => {
    for (const query of [
      { AccessToken: 'canary-token' },
      { Page: '2' },
      { Username: 'Aa1-'.repeat(10) + 'xyz' },
    ])
      expect((await ann.keep('Expired', query)).status).toBe(422);
    expect(await ann.names()).toEqual([]);
    expect(JSON.stringify(bff.logs)).not.toContain('canary-token');
  });
});

test(`there are at most ${viewLimits.views}, also when they come at once`, async () => {
  for (let made = 1; made < viewLimits.views; made += 1) await ann.keep(`view ${made}`);
  const last = await Promise.all([ann.keep('a'), ann.keep('b'), ann.keep('c')]);
  expect(last.filter(({ status }) => status === 422)).toHaveLength(2);
  expect(await ann.names()).toHaveLength(viewLimits.views);
});

test('two browsers at once lose no view and leave no two at one index', async () => {
  for (const name of ['one', 'two', 'three']) await ann.keep(name);
  const other = await enterWithViews(bff, 'ann');
  const [one, two] = [await ann.idOf('one'), await ann.idOf('two')];
  await Promise.all([
    ann.keep('four'),
    other.keep('five'),
    ann.change(one, { place: 2 }),
    other.change(two, { place: 0, name: 'zwei' }),
    other.drop(await ann.idOf('three')),
  ]);
  expect((await ann.names()).toSorted()).toEqual(['five', 'four', 'one', 'zwei']);
  const places = await bff.db.selectFrom('views').select('place').execute();
  expect(new Set(places.map(({ place }) => place)).size).toBe(4);
});

test('in a tab, where there are no accounts, the user saves views', async () => {
  const tab = await createTestDesk({ transport: { kind: 'tab', staff: { name: 'Ann', role: 'viewer' } } });
  await tab.fetch(ask('POST', '/bff/views', { body: { name: 'Expired', query: {} } }));
  expect(await (await tab.fetch(ask('GET', '/bff/views'))).json()).toMatchObject([{ name: 'Expired' }]);
});
