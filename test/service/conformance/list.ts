import { describe, expect, test } from 'vitest';
import type { ListQuery, SubscriberPage } from '../../../src/contract/service/list-query.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Caller } from './subject.ts';

type Begin = () => Promise<Caller>;

/** `GET /subscribers`. Each test looks only at subscribers with names of its own. */
export function list(begin: Begin): void {
  describe('its pages', () => {
    pages(begin);
  });
  describe('the filter by', () => {
    filters(begin);
  });
  describe('the sort order', () => {
    sortOrdersWork(begin);
  });
  describe('a parameter', () => {
    parameters(begin);
  });
}

async function withNames(begin: Begin, ...names: string[]): Promise<Caller> {
  const caller = await begin();
  for (const name of names)
    await caller.client.createSubscriber({ body: { ...caller.anna, username: caller.named(name) } });
  return caller;
}

/** The names of the test's own, without what all of them begin with. */
async function namesOf(caller: Caller, query: ListQuery): Promise<string[]> {
  const { items } = (await caller.client.listSubscribers({ query: { Username: caller.named(''), ...query } }))
    .data;
  return items.map(({ username }) => username.slice(caller.named('').length));
}

function pages(begin: Begin): void {
  const names = Array.from({ length: 27 }, (_, i) => `name${99 - i}`);

  test('hold 25 of the eleven fields, the first one by id', async () => {
    const { client, named } = await withNames(begin, ...names);
    const { data } = await client.listSubscribers({ query: { Username: named('') } });
    expect(data.items.map(({ username }) => username)).toEqual(names.slice(0, 25).map(named));
    expect(Object.keys(data.items[0] ?? {})).toHaveLength(11);
    const envelope = { page: 1, pageSize: 25, totalCount: 27, totalPages: 2 };
    expect({ ...data, items: [] }).toEqual({ items: [], ...envelope });
  });

  test('follow each other without a gap', async () => {
    const { client, named } = await withNames(begin, ...names);
    const page = async (Page: number) =>
      (await client.listSubscribers({ query: { Username: named(''), Page, PageSize: 10 } })).data;
    const all: SubscriberPage['items'] = [];
    for (const each of [1, 2, 3]) all.push(...(await page(each)).items);
    expect(all.map(({ username }) => username)).toEqual(names.map(named));
  });

  test.each([
    [3, 2, 2],
    [1000, 2, 2],
    [Number.MAX_SAFE_INTEGER, 3, 1],
    [Number.MAX_SAFE_INTEGER, 200, 1],
  ])('are empty past the last: page %i of %i each', async (Page, PageSize, totalPages) => {
    const { client, named } = await withNames(begin, 'a', 'b', 'c');
    const { data } = await client.listSubscribers({ query: { Username: named(''), Page, PageSize } });
    expect(data).toEqual({ items: [], page: Page, pageSize: PageSize, totalCount: 3, totalPages });
  });

  test.each([1, 200])('hold %i where that is asked for', async (PageSize) => {
    const { client, named } = await withNames(begin, 'a', 'b', 'c');
    const { data } = await client.listSubscribers({ query: { Username: named(''), PageSize } });
    expect([data.items.length, data.pageSize]).toEqual([Math.min(PageSize, 3), PageSize]);
  });

  test('are 0 where nothing is found', async () => {
    const { client, named } = await begin();
    const { data } = await client.listSubscribers({ query: { Username: named('nobody') } });
    expect(data).toEqual({ items: [], page: 1, pageSize: 25, totalCount: 0, totalPages: 0 });
  });
}

function filters(begin: Begin): void {
  test.each([
    ['part of it', 'ørja', 'Ørjan.Åsen', 'Arjan'],
    ['any case', 'ørJAN.åSEN', 'Ørjan.Åsen', 'Orjan'],
    ['another script', '村.葵', '中村.葵', '中村葵'],
    ['% as it is', '100%', '100%', '1000'],
    ['_ as it is', 'd_o', 'd_okafor', 'dxokafor'],
    ['a backslash as it is', String.raw`k\s`, String.raw`back\slash`, 'backslash'],
    ['one letter folded to two', 'strasse', 'Straße', 'Strase'],
    ['a letter whose lower case depends on its position', 'τας', 'ΚΏΣΤΑΣΑΚΗΣ', 'ΚΏΣΤΑ'],
    ['a quotation mark as it is', "'; --", "x'; --", 'x'],
  ])('Username finds what contains it: %s', async (_, Username, one, other) => {
    const caller = await withNames(begin, one, other);
    const all = await caller.client.listSubscribers({ query: { Username, PageSize: 200 } });
    const mine = all.data.items.map(({ username }) => username);
    expect(mine).toContain(caller.named(one));
    expect(mine).not.toContain(caller.named(other));
  });

  test('Email finds what contains it, without regard to case', async () => {
    const caller = await withNames(begin, 'Anna');
    const { client, anna, named } = caller;
    await client.createSubscriber({
      body: { ...anna, username: named('Bert'), email: 'Bert_x@example.org' },
    });
    expect(await namesOf(caller, { Email: 'bERT_' })).toEqual(['Bert']);
    expect(await namesOf(caller, { Email: 'EXAMPLE.' })).toEqual(['Anna', 'Bert']);
  });

  test('AccessToken finds the one that has exactly this one', async () => {
    const caller = await withNames(begin, 'Anna', 'Bert');
    const { items } = (await caller.client.listSubscribers({ query: { Username: caller.named('Bert') } }))
      .data;
    const token = items[0]?.accessToken ?? '';
    expect(await namesOf(caller, { AccessToken: token })).toEqual(['Bert']);
    expect(await namesOf(caller, { AccessToken: token.slice(1) })).toEqual([]);
    expect(await namesOf(caller, { AccessToken: '%' })).toEqual([]);
  });

  test('StatusId finds those that have it', async () => {
    const caller = await withNames(begin, 'Anna', 'Bert');
    expect(await namesOf(caller, { StatusId: 1 })).toEqual(['Anna', 'Bert']);
    expect(await namesOf(caller, { StatusId: 2 })).toEqual([]);
    expect(await namesOf(caller, { StatusId: 0 })).toEqual([]);
  });

  test('IsTrial finds trials or the others', async () => {
    const caller = await withNames(begin, 'Anna');
    const { client, anna, named } = caller;
    await client.createSubscriber({ body: { ...anna, username: named('Bert'), isTrial: true } });
    expect(await namesOf(caller, { IsTrial: true })).toEqual(['Bert']);
    expect(await namesOf(caller, { IsTrial: false })).toEqual(['Anna']);
  });

  test('Expired finds those whose time has come, and restricts nothing when false', async () => {
    const caller = await begin();
    const { client, anna, named } = caller;
    for (const [name, expiresAt] of [
      ['over', '2001-01-01T00:00:00Z'],
      ['not over', '9001-01-01T00:00:00Z'],
    ] as const)
      await client.createSubscriber({ body: { ...anna, username: named(name), expiresAt } });
    expect(await namesOf(caller, { Expired: true })).toEqual(['over']);
    expect(await namesOf(caller, { Expired: false })).toEqual(['over', 'not over']);
    expect(await namesOf(caller, {})).toEqual(['over', 'not over']);
  });

  test('AfterId finds the next ones by id, and counts no others', async () => {
    const caller = await withNames(begin, 'Dora', 'Cora', 'Bert', 'Anna');
    const { client, named } = caller;
    const after = async (query: ListQuery) => (await client.listSubscribers({ query })).data;
    const filter = { Username: named('') };
    const all = (await after({ ...filter, AfterId: 0, PageSize: 200 })).items;
    expect(all.map(({ username }) => username)).toEqual(['Dora', 'Cora', 'Bert', 'Anna'].map(named));
    const [first, second, third] = all;
    expect(await after({ ...filter, AfterId: first?.id ?? 0, PageSize: 2 })).toEqual({
      items: [second, third],
      page: 1,
      pageSize: 2,
      totalCount: 2,
      totalPages: 1,
    });
    const rare = { ...filter, StatusId: 1, IsTrial: false, Email: '@', AfterId: third?.id ?? 0 };
    expect((await after(rare)).items.map(({ username }) => username)).toEqual([named('Anna')]);
    expect(await after({ ...filter, AfterId: all[3]?.id ?? 0 })).toMatchObject({ items: [], totalPages: 0 });
  });

  test('several finds those that pass each', async () => {
    const caller = await withNames(begin, 'Anna', 'Bert');
    expect(await namesOf(caller, { Username: caller.named('B'), StatusId: 1, IsTrial: false })).toEqual([
      'Bert',
    ]);
    expect(await namesOf(caller, { Username: caller.named('B'), IsTrial: true })).toEqual([]);
  });
}

function sortOrdersWork(begin: Begin): void {
  const people = [
    ['b', '2030-01-02T00:00:00Z'],
    ['C', '2030-01-01T00:00:00Z'],
    ['a', '2030-01-01T00:00:00Z'],
  ] as const;
  test.each<[ListQuery['SortBy'], string]>([
    [undefined, 'b C a'],
    ['username', 'a b C'],
    ['username_desc', 'C b a'],
    ['expiresAt', 'C a b'],
    ['expiresAt_desc', 'b C a'],
  ])('by %s, ties by id', async (SortBy, order) => {
    const caller = await begin();
    const { client, anna, named } = caller;
    for (const [name, expiresAt] of people)
      await client.createSubscriber({ body: { ...anna, username: named(name), expiresAt } });
    expect((await namesOf(caller, { SortBy })).join(' ')).toBe(order);
  });
}

function parameters(begin: Begin): void {
  test.each([
    'Page=0',
    'Page=-1',
    'Page=1.5',
    'Page=x',
    'Page=1e3',
    'Page=9007199254740992',
    'Page=1&Page=2',
    'PageSize=0',
    'PageSize=201',
    'PageSize=25&PageSize=25',
    'StatusId=one',
    'StatusId=-1',
    'StatusId=1&StatusId=2',
    'Expired=1',
    'Expired=TRUE',
    'Expired=true&Expired=true',
    'IsTrial=yes',
    'AfterId=-1',
    'AfterId=1&SortBy=username',
    'AfterId=1&Page=2',
    'SortBy=email',
    'SortBy=USERNAME',
    'SortBy=username&SortBy=username',
    'Username=a&Username=b',
    'Email=%00',
    'AccessToken=a&AccessToken=a',
  ])('that does not parse, or comes twice, is refused by its name: %s', async (query) => {
    const { send } = await begin();
    expect(await problemOf(await send('GET', `/subscribers?${query}`))).toMatchObject({
      problem: '422 invalid-input',
      fields: [query.split('=')[0]],
    });
  });

  test('that is wrong is named together with every other', async () => {
    const { send } = await begin();
    const { fields } = await problemOf(await send('GET', '/subscribers?Page=0&PageSize=0&SortBy=x'));
    expect(fields.toSorted()).toEqual(['Page', 'PageSize', 'SortBy']);
  });

  test.each([
    'Email=',
    'SortBy=',
    'Page=',
    'Expired=',
    'AccessToken=',
    'username=nobody',
    'PAGE=7',
    'Unknown=x',
    '__proto__=x',
    'Username=',
  ])('that is empty or unknown restricts nothing: %s', async (query) => {
    const { send, named } = await withNames(begin, 'Anna');
    const response = await send('GET', `/subscribers?Username=${encodeURIComponent(named(''))}&${query}`);
    expect(await response.json()).toMatchObject({
      page: 1,
      totalCount: 1,
      items: [{ username: named('Anna') }],
    });
  });
}
