import { beforeEach, describe, expect, it, test } from 'vitest';
import { viewLimits, type View } from '../../../src/contract/bff/view.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';

/** A signed-in user, with what they can do with their views. */
async function enterWithViews(bff: TestDesk, name: string) {
  const person = await bff.signIn(name);
  const read = async (): Promise<View[]> => (await person.ask('GET', '/bff/views')).json();
  return {
    ...person,
    read,
    names: async () => (await read()).map((view) => view.name),
    idOf: async (requested: string) => (await read()).find((view) => view.name === requested)?.id ?? 'none',
    keep: (view: string, query: object = {}) => person.ask('POST', '/bff/views', { name: view, query }),
    share: (view: string) => person.ask('POST', '/bff/views', { name: view, query: {}, shared: true }),
    change: (id: string, change: object) => person.ask('PUT', `/bff/views/${id}`, change),
    drop: (id: string) => person.ask('DELETE', `/bff/views/${id}`),
  };
}

let bff: TestDesk;
let ann: Awaited<ReturnType<typeof enterWithViews>>;

beforeEach(async () => {
  bff = await createTestDesk({
    staff: { ann: 'viewer', bo: 'viewer', mia: 'manager', max: 'manager' },
  });
  ann = await enterWithViews(bff, 'ann');
});

describe('a view', () => {
  it('is in the same user’s other browsers once it is saved, with their session', async () => {
    const values = { Bundle: '3', Country: 'NO', IpAddress: '192.0.2.7', UserAgent: 'vlc' };
    const query = { Expired: 'true', StatusId: '2', ...values, SortBy: 'expiresAt_desc' };
    const stored = await (await ann.keep('Expired', query)).json();
    expect(stored).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      name: 'Expired',
      query,
      shared: false,
    });
    const elsewhere = await bff.signIn('ann');
    expect(await (await elsewhere.ask('GET', '/bff/views')).json()).toEqual([stored]);
    expect(await (await elsewhere.ask('GET', '/bff/session')).json()).toMatchObject({ views: [stored] });
  });

  it('is renamed, moved and deleted by itself', async () => {
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

  it('is nobody else’s: not to be seen, changed or deleted', async () => {
    await ann.keep('Expired');
    const id = await ann.idOf('Expired');
    const bo = await enterWithViews(bff, 'bo');
    expect(await bo.names()).toEqual([]);
    for (const answer of [await bo.change(id, { name: 'Mine' }), await bo.drop(id)])
      expect(await outcomeOf(answer)).toBe('404 no-such-view');
    expect(await ann.names()).toEqual(['Expired']);
    expect((await bo.keep('Expired')).status).toBe(200);
  });

  it('takes another query, and keeps its name and place', async () => {
    for (const name of ['one', 'two']) await ann.keep(name, { Expired: 'true' });
    const id = await ann.idOf('one');
    const query = { IsTrial: 'true', SortBy: 'username' };
    const updated = await (await ann.change(id, { query })).json();
    expect(updated).toEqual({ id, name: 'one', query, shared: false });
    expect(await ann.read()).toEqual([updated, expect.objectContaining({ query: { Expired: 'true' } })]);
  });

  it('is refused if its name is taken, whatever its case', async () => {
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
});

describe('a shared view', () => {
  let mia: Awaited<ReturnType<typeof enterWithViews>>;
  let max: typeof mia;

  beforeEach(async () => {
    [mia, max] = [await enterWithViews(bff, 'mia'), await enterWithViews(bff, 'max')];
  });

  it('is everybody’s, before their own ones, and part of their session', async () => {
    await ann.keep('my own');
    await mia.share('late');
    await max.share('later');
    expect(await ann.names()).toEqual(['late', 'later', 'my own']);
    expect((await ann.read()).map(({ shared }) => shared)).toEqual([true, true, false]);
    expect(await (await ann.ask('GET', '/bff/session')).json()).toMatchObject({
      views: [{ name: 'late', shared: true }, { name: 'later' }, { name: 'my own', shared: false }],
    });
  });

  it('can be changed by each manager, and moves among the shared ones only', async () => {
    await max.keep('own');
    for (const name of ['one', 'two', 'three']) await mia.share(name);
    await max.change(await max.idOf('three'), { place: 0, name: 'drei' });
    await max.change(await max.idOf('one'), { place: 50, query: { Expired: 'true' } });
    expect(await max.names()).toEqual(['drei', 'two', 'one', 'own']);
    expect(await ann.names()).toEqual(['drei', 'two', 'one']);
    expect((await ann.read())[2]?.query).toEqual({ Expired: 'true' });
    expect((await max.drop(await max.idOf('two'))).status).toBe(204);
    expect(await ann.names()).toEqual(['drei', 'one']);
  });

  it('is made of an own one, and becomes the own one of the manager who stops sharing it', async () => {
    for (const name of ['first', 'mine']) await mia.keep(name);
    await max.share('late');
    const id = await mia.idOf('first');
    expect(await (await mia.change(id, { shared: true })).json()).toMatchObject({ id, shared: true });
    expect(await mia.names()).toEqual(['late', 'first', 'mine']);
    expect(await ann.names()).toEqual(['late', 'first']);
    await max.change(id, { shared: false });
    expect(await max.names()).toEqual(['late', 'first']);
    expect(await mia.names()).toEqual(['late', 'mine']);
    expect(await ann.names()).toEqual(['late']);
  });

  it('can have the name of an own one, but not of another shared one', async () => {
    await ann.keep('Late');
    await mia.share('Late');
    expect(await ann.names()).toEqual(['Late', 'Late']);
    await max.keep('late');
    const own = (await max.read()).find(({ shared }) => !shared)?.id ?? 'none';
    for (const answer of [await max.share('LATE'), await max.change(own, { shared: true })]) {
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({
        errors: { name: ['There is already a shared view with this name. Choose another name.'] },
      });
    }
    expect((await max.read()).map(({ shared }) => shared)).toEqual([true, false]);
  });

  it('cannot be changed by who is no manager any more', async () => {
    await mia.share('late');
    await bff.changeAccount('mia', { role: 'support' });
    const answer = await mia.change(await mia.idOf('late'), { name: 'mine' });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      detail: 'Only managers can change shared views. Ask a manager.',
    });
  });

  it(`is one of at most ${viewLimits.shared}, also when two managers share at once`, async () => {
    for (let made = 1; made < viewLimits.shared; made += 1) await mia.share(`view ${made}`);
    await max.keep('own');
    const own = await max.idOf('own');
    const last = await Promise.all([
      ...['a', 'b', 'c', 'd'].flatMap((name) => [mia.share(name), max.share(`${name}${name}`)]),
      max.change(own, { shared: true }),
    ]);
    expect(last.filter(({ status }) => status === 422)).toHaveLength(8);
    expect(await ann.names()).toHaveLength(viewLimits.shared);
    const refused = last.find(({ status }) => status === 422);
    expect(await refused?.json()).toMatchObject({
      errors: {
        body: [`There are ${viewLimits.shared} shared views, which is the limit. Delete one first.`],
      },
    });
  });

  it('is not lost when two managers change them at once, and no two are at one index', async () => {
    for (const name of ['one', 'two', 'three']) await mia.share(name);
    await max.keep('own');
    const [one, two, own] = [await max.idOf('one'), await max.idOf('two'), await max.idOf('own')];
    await Promise.all([
      mia.share('four'),
      max.share('five'),
      mia.change(one, { place: 2 }),
      max.change(two, { place: 0, name: 'zwei' }),
      max.change(own, { shared: true, place: 1 }),
      mia.drop(await mia.idOf('three')),
      ann.keep('ann’s'),
    ]);
    const names = await ann.names();
    expect(names.toSorted()).toEqual(['ann’s', 'five', 'four', 'one', 'own', 'zwei']);
    const places = await bff.db.selectFrom('views').select(['owner', 'place']).execute();
    expect(new Set(places.map(({ owner, place }) => `${owner} ${place}`)).size).toBe(6);
  });
});

test(`a user has at most ${viewLimits.views} views, also when they come at once`, async () => {
  for (let made = 1; made < viewLimits.views; made += 1) await ann.keep(`view ${made}`);
  const last = await Promise.all([ann.keep('a'), ann.keep('b'), ann.keep('c')]);
  expect(last.filter(({ status }) => status === 422)).toHaveLength(2);
  expect(await ann.names()).toHaveLength(viewLimits.views);
});

test('the user of a tab, where there are no accounts, saves views', async () => {
  const tab = await createTestDesk({ transport: { kind: 'tab', staff: { name: 'Ann', role: 'viewer' } } });
  await tab.fetch(ask('POST', '/bff/views', { body: { name: 'Expired', query: {} } }));
  expect(await (await tab.fetch(ask('GET', '/bff/views'))).json()).toMatchObject([{ name: 'Expired' }]);
});
