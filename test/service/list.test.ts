import { describe, expect, test } from 'vitest';
import type { ListQuery } from '../../src/contract/list-query.ts';
import { problemOf, startService, type TestService } from './harness.ts';
import { anna } from './people.ts';

async function withNames(...usernames: string[]): Promise<TestService> {
  const service = await startService();
  for (const username of usernames) await service.client.createSubscriber({ body: { ...anna, username } });
  return service;
}

async function namesOf(service: TestService, query: ListQuery): Promise<string[]> {
  return (await service.client.listSubscribers({ query })).data.items.map(({ username }) => username);
}

describe('the list', () => {
  test('is empty in an empty service', async () => {
    const { client } = await startService();
    const page = { items: [], page: 1, pageSize: 25, totalCount: 0, totalPages: 0 };
    expect((await client.listSubscribers({ query: {} })).data).toEqual(page);
  });

  test('shows 25 of the eleven fields on its first page, by id', async () => {
    const service = await withNames(...Array.from({ length: 27 }, (_, i) => `name${99 - i}`));
    const { data } = await service.client.listSubscribers({ query: {} });
    expect(data.items.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
    expect(Object.keys(data.items[0] ?? {})).toHaveLength(11);
    expect({ ...data, items: [] }).toEqual({
      items: [],
      page: 1,
      pageSize: 25,
      totalCount: 27,
      totalPages: 2,
    });
  });

  test.each([
    [3, 2, 2],
    [1000, 2, 2],
    [Number.MAX_SAFE_INTEGER, 3, 1],
    [Number.MAX_SAFE_INTEGER, 200, 1],
  ])('is empty on page %i of %i each, past the last', async (Page, PageSize, totalPages) => {
    const { client } = await withNames('a', 'b', 'c');
    const { data } = await client.listSubscribers({ query: { Page, PageSize } });
    expect(data).toEqual({ items: [], page: Page, pageSize: PageSize, totalCount: 3, totalPages });
  });
});

describe('the filter by username', () => {
  test.each([
    ['ørj', ['Ørjan.Åsen']],
    ['ÅSEN', ['Ørjan.Åsen']],
    ['.', ['Ørjan.Åsen', '中村.葵']],
    ['葵', ['中村.葵']],
    ['%', ['100%']],
    ['_', ['d_okafor']],
    ['\\', [String.raw`back\slash`]],
    [String.raw`\%`, []],
    ['strasse', ['Straße']],
    ['τας', ['ΚΏΣΤΑΣΑΚΗΣ']],
    ["'; --", []],
  ])('finds what contains "%s"', async (Username, found) => {
    const all = ['Ørjan.Åsen', '中村.葵', '100%', 'd_okafor', String.raw`back\slash`, 'Straße', 'ΚΏΣΤΑΣΑΚΗΣ'];
    expect(await namesOf(await withNames(...all), { Username })).toEqual(found);
  });
});

describe('the filter by', () => {
  test('email finds what contains it, without regard to case', async () => {
    const service = await withNames('Anna');
    await service.client.createSubscriber({
      body: { ...anna, username: 'Bert', email: 'Bert_x@example.org' },
    });
    expect(await namesOf(service, { Email: 'bERT_' })).toEqual(['Bert']);
    expect(await namesOf(service, { Email: 'EXAMPLE.' })).toEqual(['Anna', 'Bert']);
  });

  test('access token finds the one that has exactly this one', async () => {
    const service = await withNames('Anna', 'Bert');
    const { accessToken } = (await service.client.getSubscriber({ params: { id: 2 }, query: {} })).data;
    expect(await namesOf(service, { AccessToken: accessToken })).toEqual(['Bert']);
    expect(await namesOf(service, { AccessToken: accessToken.slice(1) })).toEqual([]);
    expect(await namesOf(service, { AccessToken: '%' })).toEqual([]);
  });

  test('status finds those that have it', async () => {
    const service = await withNames('Anna', 'Bert');
    await service.db.updateTable('subscribers').set({ status_id: 2 }).where('id', '=', 2).execute();
    expect(await namesOf(service, { StatusId: 1 })).toEqual(['Anna']);
    expect(await namesOf(service, { StatusId: 2 })).toEqual(['Bert']);
    expect(await namesOf(service, { StatusId: 0 })).toEqual([]);
  });

  test('trial finds trials or the others', async () => {
    const service = await withNames('Anna');
    await service.client.createSubscriber({ body: { ...anna, username: 'Bert', isTrial: true } });
    expect(await namesOf(service, { IsTrial: true })).toEqual(['Bert']);
    expect(await namesOf(service, { IsTrial: false })).toEqual(['Anna']);
  });

  test('expiry finds those whose time has come, to the millisecond, and restricts nothing when false', async () => {
    const service = await withNames('Anna');
    service.time.now = Date.parse(anna.expiresAt) - 1;
    const token = await service.token('subscribers:read');
    const expired = async (query: string) => {
      const response = await service.send('GET', `/subscribers${query}`, { token });
      return ((await response.json()) as { totalCount: number }).totalCount;
    };
    expect(await expired('?Expired=true')).toBe(0);
    service.time.now += 1;
    expect(await expired('?Expired=true')).toBe(1);
    expect(await expired('?Expired=false')).toBe(1);
    service.time.now -= 1;
    expect(await expired('?Expired=false')).toBe(1);
  });
});

describe('a parameter of the list', () => {
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
    'StatusId=one',
    'StatusId=-1',
    'Expired=1',
    'Expired=TRUE',
    'IsTrial=yes',
    'SortBy=email',
    'SortBy=USERNAME',
    'Username=a&Username=b',
    'Email=%00',
    'AccessToken=a&AccessToken=a',
  ])('that does not parse, or comes twice, is refused by its name: %s', async (query) => {
    const { send } = await startService();
    expect(await problemOf(await send('GET', `/subscribers?${query}`))).toMatchObject({
      problem: '422 invalid-input',
      fields: [query.split('=')[0]],
    });
  });

  test('that is wrong is named together with every other', async () => {
    const { send } = await startService();
    const { fields } = await problemOf(await send('GET', '/subscribers?Page=0&PageSize=0&SortBy=x'));
    expect(fields.toSorted()).toEqual(['Page', 'PageSize', 'SortBy']);
  });

  test.each([
    'Username=',
    'SortBy=',
    'Page=',
    'Expired=',
    'AccessToken=',
    'username=nobody',
    'PAGE=7',
    'Unknown=x',
    '__proto__=x',
    'Username=&Username=Anna',
  ])('that is empty or unknown restricts nothing: %s', async (query) => {
    const { send } = await withNames('Anna');
    const response = await send('GET', `/subscribers?${query}`);
    expect(await response.json()).toMatchObject({ page: 1, totalCount: 1, items: [{ username: 'Anna' }] });
  });
});
