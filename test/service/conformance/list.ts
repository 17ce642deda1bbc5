import { expect, it } from 'vitest';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import type { SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { problemLine } from '../../support/service/problem-of.ts';
import type { Begin, Caller } from './subject.ts';

/** Creates a subscriber of each name, with what is said of it, in this order. */
async function withPeople(begin: Begin, people: Record<string, Partial<SubscriberInput>>): Promise<Caller> {
  const caller = await begin();
  for (const [name, change] of Object.entries(people))
    await caller.client.createSubscriber({
      body: { ...caller.anna, username: caller.named(name), ...change },
    });
  return caller;
}

const withNames = (begin: Begin, ...names: string[]) =>
  withPeople(begin, Object.fromEntries(names.map((name) => [name, {}])));

const pageOf = async ({ client, named }: Caller, query: ListQuery = {}) =>
  (await client.listSubscribers({ query: { Username: named(''), ...query } })).data;

/** The names of the caller's own, without what all of them begin with. */
const namesOf = async (caller: Caller, query: ListQuery = {}) =>
  (await pageOf(caller, query)).items.map(({ username }) => username.slice(caller.named('').length));

/** Each test looks only at subscribers with names of its own. */
export function list(begin: Begin): void {
  pages(begin);
  filters(begin);
  nearest(begin);
  hiddenTexts(begin);
  sortOrders(begin);
  lists(begin);
  parameters(begin);
}

function pages(begin: Begin): void {
  it('answers pages of 25 with the eleven fields, by id, which follow each other without a gap', async () => {
    const names = Array.from({ length: 27 }, (_, i) => `name${99 - i}`);
    const caller = await withNames(begin, ...names);
    const { items, ...envelope } = await pageOf(caller);
    expect(items.map(({ username }) => username)).toEqual(names.slice(0, 25).map(caller.named));
    expect(Object.keys(items[0] ?? {})).toHaveLength(11);
    expect(envelope).toEqual({ page: 1, pageSize: 25, totalCount: 27, totalPages: 2 });
    const all = [];
    for (const Page of [1, 2, 3]) all.push(...(await namesOf(caller, { Page, PageSize: 10 })));
    expect(all).toEqual(names);
  });

  it('answers as many rows as requested, and none past the last page or where nothing is found', async () => {
    const caller = await withNames(begin, 'a', 'b', 'c');
    for (const pageSize of [1, 200]) {
      const { items, ...envelope } = await pageOf(caller, { PageSize: pageSize });
      expect([items.length, envelope.pageSize]).toEqual([Math.min(pageSize, 3), pageSize]);
    }
    for (const [page, pageSize, totalPages] of [
      [3, 2, 2],
      [1000, 2, 2],
      [Number.MAX_SAFE_INTEGER, 3, 1],
      [Number.MAX_SAFE_INTEGER, 200, 1],
    ] as const) {
      const found = await pageOf(caller, { Page: page, PageSize: pageSize });
      expect(found).toEqual({ items: [], page, pageSize, totalCount: 3, totalPages });
    }
    const none = await pageOf(caller, { Username: caller.named('nobody') });
    expect(none).toEqual({ items: [], page: 1, pageSize: 25, totalCount: 0, totalPages: 0 });
  });
}

function filters(begin: Begin): void {
  it('finds by the parts of an email, without regard to case', async () => {
    const caller = await withPeople(begin, { Anna: {}, Bert: { email: 'Bert_x@example.org' } });
    expect(await namesOf(caller, { Email: 'bERT_' })).toEqual(['Bert']);
    expect(await namesOf(caller, { Email: 'EXAMPLE.' })).toEqual(['Anna', 'Bert']);
  });

  it('finds by the whole access token', async () => {
    const caller = await withNames(begin, 'Anna', 'Bert');
    const token = (await pageOf(caller)).items[1]?.accessToken ?? '';
    expect(await namesOf(caller, { AccessToken: token })).toEqual(['Bert']);
    expect(await namesOf(caller, { AccessToken: token.slice(1) })).toEqual([]);
    expect(await namesOf(caller, { AccessToken: '%' })).toEqual([]);
  });

  it('finds by status, and by several filters those that pass each', async () => {
    const caller = await withNames(begin, 'Anna', 'Bert');
    const B = caller.named('B');
    await expectOutcomes<ListQuery>(
      {
        'Anna,Bert': [{ StatusId: 1 }, { StatusId: 1, Expired: false }],
        Bert: [
          { Username: B, StatusId: 1 },
          { Username: B, Email: 'example' },
        ],
        '': [{ StatusId: 2 }, { Username: B, StatusId: 2 }, { Username: B, Email: 'nobody' }],
      },
      async (query) => String(await namesOf(caller, query)),
    );
  });

  it('finds by several statuses, by trial and by a value of each list', async () => {
    const ipAddresses = ['192.0.2.0/24', '2001:db8::1'];
    const values = { bundles: [12, 40], countries: ['NO'], ipAddresses, userAgents: ['Kodi/21'] };
    const caller = await withPeople(begin, { Anna: {}, Bert: { isTrial: true, ...values } });
    const B = caller.named('B');
    await expectOutcomes<ListQuery>(
      {
        'Anna,Bert': [{ StatusIds: '3,1' }],
        Anna: [{ IsTrial: false }],
        Bert: [
          { IsTrial: true },
          { Username: B, StatusIds: '1', IsTrial: true },
          { Bundle: 40 },
          { Country: 'NO' },
          // In a range of the subscriber, or around it.
          { IpAddress: '192.0.2.7' },
          { IpAddress: '192.0.0.0/16' },
          { IpAddress: '2001:db8:0::1' },
          { UserAgent: 'kodi' },
          { Bundle: 12, Country: 'NO', UserAgent: '/21', IpAddress: '192.0.2.0/25' },
        ],
        '': [
          { StatusIds: '2,3' },
          { Username: B, IsTrial: false },
          { Bundle: 4 },
          { Country: 'SE' },
          { IpAddress: '192.0.3.1' },
          { UserAgent: 'kodi/22' },
          { Bundle: 12, Country: 'SE' },
        ],
      },
      async (query) => String(await namesOf(caller, query)),
    );
  });

  it('finds those that have expired, and all where Expired is false', async () => {
    const caller = await withPeople(begin, {
      over: { expiresAt: '2001-01-01T00:00:00Z' },
      'not over': { expiresAt: '9001-01-01T00:00:00Z' },
    });
    expect(await namesOf(caller, { Expired: true })).toEqual(['over']);
    expect(await namesOf(caller, { Expired: false })).toEqual(['over', 'not over']);
    expect(await namesOf(caller)).toEqual(['over', 'not over']);
  });

  it('finds the next ones by id after AfterId, and counts no others', async () => {
    const names = ['Dora', 'Cora', 'Bert', 'Anna'];
    const caller = await withNames(begin, ...names);
    const { items } = await pageOf(caller, { AfterId: 0, PageSize: 200 });
    expect(items.map(({ username }) => username)).toEqual(names.map(caller.named));
    const [first = 0, , third = 0, last = 0] = items.map(({ id }) => id);
    expect(await pageOf(caller, { AfterId: first, PageSize: 2 })).toEqual({
      items: items.slice(1, 3),
      page: 1,
      pageSize: 2,
      totalCount: 2,
      totalPages: 1,
    });
    const rare = { StatusId: 1, IsTrial: false, Email: '@', AfterId: third };
    expect(await namesOf(caller, rare)).toEqual(['Anna']);
    expect(await pageOf(caller, { AfterId: last })).toMatchObject({ items: [], totalPages: 0 });
  });
}

function lists(begin: Begin): void {
  it('adds to each subscriber the lists that include names, in pages by number and after an ID', async () => {
    const { bundles, countries } = (await begin()).annaWhole;
    const caller = await withPeople(begin, { Anna: { bundles, countries }, Bert: {} });
    for (const place of [{ SortBy: 'username_desc' }, { AfterId: 0 }] as const) {
      const { items } = await pageOf(caller, { ...place, include: ['countries', 'bundles'] });
      const plain = await pageOf(caller, place);
      const expected = plain.items.map((one) =>
        one.username === caller.named('Anna')
          ? { ...one, bundles, countries }
          : { ...one, bundles: [], countries: [] },
      );
      expect(items).toEqual(expected);
      expect(Object.keys(items[0] ?? {}).slice(11)).toEqual(['bundles', 'countries']);
    }
  });
}

function nearest(begin: Begin): void {
  it('finds the nearest to a text, the most alike first, by username or email', async () => {
    // Names that nobody has, whatever the caller's own begin with.
    const names = ['annix.kowalzka', 'g_erikzen', 'kq-hadzad', 'Żoëx.Bronzë'];
    const { client, anna, named } = await withNames(begin, ...names);
    const email = 'mq.virtanzen@example.com';
    await client.createSubscriber({ body: { ...anna, username: named('other'), email } });
    for (const [text, name] of [
      ['annixkowalzka', 'annix.kowalzka'],
      ['anixkowalzka', 'annix.kowalzka'],
      ['kowalzka, Annix', 'annix.kowalzka'],
      ['erikzon', 'g_erikzen'],
      ['kqhadzad', 'kq-hadzad'],
      ['zoexbrunze', 'Żoëx.Bronzë'],
      ['mq dot virtanzan at example dot com', 'other'],
      ['qqzzxxqqzzxx', undefined],
      ['a', undefined],
      ['%_"', undefined],
    ] as const) {
      const { data } = await client.listSubscribers({ query: { Near: text, PageSize: 3 } });
      expect(data.items[0]?.username, text).toBe(name && named(name));
      expect(data).toMatchObject({ page: 1, pageSize: 3, totalCount: data.items.length });
    }
  });
}

function hiddenTexts(begin: Begin): void {
  it('finds a part of the note, without regard to case and accents, and the last characters of the token', async () => {
    const { client, named } = await withNames(begin, 'noted', 'other');
    const [noted] = (await client.listSubscribers({ query: { Username: named('noted') } })).data.items;
    const { id = 0, accessToken = '' } = noted ?? {};
    await client.updateSubscriber({
      params: { id },
      body: { note: 'Zoë Brønsted, “100%_ok”\nÆRØ, Straße 7 Łódź' },
    });
    const found = async (query: ListQuery) =>
      (await client.listSubscribers({ query })).data.items.some((item) => item.id === id);
    for (const Note of ['zoe bronsted', 'ZOË', 'aero', 'strasse 7', 'lodz', '100%_ok'])
      expect(await found({ Note, PageSize: 200 }), Note).toBe(true);
    for (const Note of ['zoe  bronsted', '100%xok', 'zoe lodz', '"zoe', 'noted'])
      expect(await found({ Note, Username: named('noted') }), Note).toBe(false);
    const end = accessToken.slice(-4);
    for (const TokenEnd of [end, end.toUpperCase(), end.toLowerCase()])
      expect(await found({ TokenEnd, PageSize: 200 }), TokenEnd).toBe(true);
    const { data } = await client.regenerateToken({ params: { id } });
    expect(await found({ TokenEnd: data.accessToken.slice(-4), PageSize: 200 })).toBe(true);
    const isAgain = data.accessToken.toLowerCase().endsWith(end.toLowerCase());
    expect(await found({ TokenEnd: end, PageSize: 200 })).toBe(isAgain);
    await client.updateSubscriber({ params: { id }, body: { note: '' } });
    expect(await found({ Note: 'bronsted', PageSize: 200 })).toBe(false);
  });
}

/** By code points, of letters without case and composed: `ß` as `ss`, e with its accent as é. */
const inOrder = ['%', '0', '_', 'a', 'B', 'ß', 'z', 'Ä', 'e\u0301', 'ø', 'Ω', '中', '～', '👍'];

function sortOrders(begin: Begin): void {
  it('sorts by name or expiry, up or down, and ties by id from page to page', async () => {
    const [earlier, later] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];
    const expiries = { b: later, c: earlier, a: earlier, e: earlier, d: earlier };
    const people = Object.entries(expiries).map(([name, expiresAt]) => [name, { expiresAt }]);
    const caller = await withPeople(begin, Object.fromEntries(people));
    await expectOutcomes<ListQuery['SortBy']>(
      {
        'b,c,a,e,d': [undefined, 'expiresAt_desc'],
        'a,b,c,d,e': ['username'],
        'e,d,c,b,a': ['username_desc'],
        'c,a,e,d,b': ['expiresAt'],
      },
      async (SortBy) => {
        const pages = [1, 2, 3].map((Page) => namesOf(caller, { SortBy, Page, PageSize: 2 }));
        return String((await Promise.all(pages)).flat());
      },
    );
  });

  it('sorts names by their code points without regard to case, up and down', async () => {
    // From the last to the first and every other one, so that no order by id looks like it.
    const mixed = [...inOrder.filter((_, position) => position % 2 === 1), ...inOrder.toReversed()];
    const caller = await withNames(begin, ...new Set(mixed));
    expect(await namesOf(caller, { SortBy: 'username' })).toEqual(inOrder);
    expect(await namesOf(caller, { SortBy: 'username_desc' })).toEqual(inOrder.toReversed());
  });
}

function parameters(begin: Begin): void {
  it('refuses parameters that cannot be read or come twice, by all their names', async () => {
    const { send } = await begin();
    const invalid = '422 invalid-input:';
    await expectOutcomes(
      {
        [`${invalid} Page`]: ['Page=0', 'Page=-1', 'Page=1.5', 'Page=x', 'Page=1e3', 'Page=9007199254740992'],
        [`${invalid} PageSize`]: ['PageSize=0', 'PageSize=201', 'PageSize=25&PageSize=25'],
        [`${invalid} StatusId`]: ['StatusId=one', 'StatusId=-1', 'StatusId=1&StatusId=2'],
        [`${invalid} StatusIds`]: [
          'StatusIds=1,',
          'StatusIds=1,x',
          'StatusIds=1,2&StatusId=1',
          'StatusIds=1&StatusIds=2',
        ],
        [`${invalid} Expired`]: ['Expired=1', 'Expired=TRUE', 'Expired=true&Expired=true'],
        [`${invalid} IsTrial`]: ['IsTrial=yes'],
        [`${invalid} AfterId`]: ['AfterId=-1', 'AfterId=1&SortBy=username', 'AfterId=1&Page=2'],
        [`${invalid} include.0`]: ['include=all', 'include=Countries,bundles'],
        [`${invalid} Near`]: ['Near=a&StatusId=1', 'Near=a&Page=2', 'Near=a&Near=a'],
        [`${invalid} SortBy`]: ['SortBy=email', 'SortBy=USERNAME', 'SortBy=username&SortBy=username'],
        [`${invalid} Username`]: ['Username=a&Username=b', 'Username=a%00'],
        [`${invalid} Email`]: ['Email=%00'],
        [`${invalid} AccessToken`]: ['AccessToken=a&AccessToken=a', 'AccessToken=%00'],
        [`${invalid} Page, PageSize, SortBy`]: ['Page=0&PageSize=0&SortBy=x'],
      },
      async (query) => problemLine(await send('GET', `/subscribers?${query}`)),
    );
  });

  it('ignores parameters that are empty or unknown', async () => {
    const { send, named } = await withNames(begin, 'Anna');
    const own = `/subscribers?Username=${encodeURIComponent(named(''))}`;
    const empty = ['Email=', 'SortBy=', 'Page=', 'Expired=', 'AccessToken=', 'Username='];
    const unknown = ['username=nobody', 'PAGE=7', 'Unknown=x', '__proto__=x'];
    for (const query of [...empty, ...unknown]) {
      const page = await (await send('GET', `${own}&${query}`)).json();
      expect(page, query).toMatchObject({ page: 1, totalCount: 1, items: [{ username: named('Anna') }] });
    }
  });
}
