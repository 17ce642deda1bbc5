import { describe, expect, test } from 'vitest';
import { listNames } from '../../../src/contract/service/subscriber.ts';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Caller } from './subject.ts';

type Begin = () => Promise<Caller>;

/** Database engines treat texts differently; the service behaves the same on all of them. */
export function texts(begin: Begin): void {
  describe('are found by a part', () => {
    found(begin);
  });
  describe('are in order', () => {
    ordered(begin);
  });

  test('come back as they were written: composed or not, joined, and beyond 16 bits', async () => {
    const { client, annaWhole, named } = await begin();
    const odd = ['e\u0301 \u00e9', '👩‍👩‍👧', 'क्षि', '𝔘𝔫𝔦', String.raw`%_\ "'`];
    const body = {
      ...annaWhole,
      username: named('e\u0301 👩‍👩‍👧'),
      note: `${odd.join('\n')}\r\n\t`,
      userAgents: odd,
    };
    const { data } = await client.createSubscriber({ body });
    const read = await client.getSubscriber({ params: { id: data.id }, query: { include: [...listNames] } });
    expect([data, read.data]).toEqual([read.data, { ...data, ...body }]);
  });

  test.each([
    '/subscribers?Username=a%00',
    '/subscribers?Email=%00',
    '/subscribers?AccessToken=%00',
    '/subscribers/by-token/a%00',
    '/subscribers/by-token/a?include=%00',
  ])('with a NUL are refused: %s', async (path) => {
    const { send } = await begin();
    expect((await problemOf(await send('GET', path))).problem).toBe('422 invalid-input');
  });
}

/** A part, a text that it is a part of, and one like it that it is none of; shorter and longer than an index's three. */
const parts: [what: string, part: string, one: string, other: string][] = [
  ['%', '%', 'a%', 'ab'],
  ['_', '_', 'a_', 'ab'],
  ['a backslash', '\\', 'a\\', 'ab'],
  ['a pattern of the engine', '%_%', 'x%_%x', 'x%ab%x'],
  ['an escaped one', String.raw`\%\_`, String.raw`x\%\_`, 'x%_'],
  ['a pattern of another', '*?[a-z]', 'x*?[a-z]', 'xabc'],
  ['quotation marks', `"'`, `a"'b`, 'ab'],
  ['a letter of the other case', 'ØRN', 'bjørn', 'bjarn'],
  ['letters of the other case', 'ВАН', 'Иван', 'Ибан'],
  ['é in one code point, kept in two', 'r\u00e9n', 'Re\u0301ne', 'Rane'],
  ['é in two code points, kept in one', 're\u0301n', 'R\u00e9ne', 'Rane'],
  ['a letter with an accent by the one without', 'jose', 'Jos\u00e9', 'Josa'],
  ['a letter without an accent by the one with', 'Jos\u00e9', 'JOSE', 'Josa'],
  ['other letters by those they are written with', 'aeostrasselk', 'ÆøStraßeŁK', 'aeostrassek'],
  ['words in any order', 'hansen nadia', 'Nadia.Hansen', 'nadia.larsen'],
  ['short words, and white space around them', ' q  zy ', 'zyq', 'zyp'],
  ['a letter of two small ones', 'ﬃ', 'OFFICE', 'OFICE'],
  ['an emoji', '👍', 'a👍b', 'a👎b'],
  ['emojis', '👍👍👍', 'a👍👍👍', 'a👍👍👎'],
  ['an emoji of several', '👩‍👧', 'a👩‍👧', 'a👩👧'],
  ['signs of another script', '中村葵', 'x中村葵', 'x中村'],
];

function found(begin: Begin): void {
  test.each(parts)('%s', async (_, Username, one, other) => {
    const { client, anna, named } = await begin();
    const counts = [];
    for (const name of [one, other]) {
      const body = { ...anna, username: named(name) };
      const { accessToken: AccessToken } = (await client.createSubscriber({ body })).data;
      for (const query of [
        { Username, AccessToken },
        { Username: named(''), AccessToken },
      ])
        counts.push((await client.listSubscribers({ query })).data.totalCount);
    }
    expect(counts).toEqual([1, 1, 0, 1]);
    // Without the token it is looked for by other ways.
    const { items } = (await client.listSubscribers({ query: { Username, PageSize: 200 } })).data;
    const mine = items.map(({ username }) => username).filter((name) => name.startsWith(named('')));
    expect(mine).toEqual([named(one)]);
  });
}

/** By code points, of letters without case and composed: `ß` as `ss`, e with its accent as é. */
const inOrder = ['%', '0', '_', 'a', 'B', 'ß', 'z', 'Ä', 'e\u0301', 'ø', 'Ω', '中', '～', '👍'];

function ordered(begin: Begin): void {
  const namesIn = async ({ client, named }: Caller, query: ListQuery) => {
    const { items } = (await client.listSubscribers({ query: { Username: named(''), ...query } })).data;
    return items.map(({ username }) => username.slice(named('').length));
  };

  test('of code points without regard to case, up and down', async () => {
    const caller = await begin();
    // From the last to the first and every other one, so that no order by id looks like it.
    const mixed = [...inOrder.filter((_, position) => position % 2 === 1), ...inOrder.toReversed()];
    for (const name of new Set(mixed))
      await caller.client.createSubscriber({ body: { ...caller.anna, username: caller.named(name) } });
    expect(await namesIn(caller, { SortBy: 'username' })).toEqual(inOrder);
    expect(await namesIn(caller, { SortBy: 'username_desc' })).toEqual(inOrder.toReversed());
  });

  test.each(['expiresAt', 'expiresAt_desc'] as const)(
    'of ids where %s is the same, from page to page',
    async (SortBy) => {
      const caller = await begin();
      const names = ['e', 'b', 'd', 'a', 'c'];
      for (const name of names)
        await caller.client.createSubscriber({ body: { ...caller.anna, username: caller.named(name) } });
      const pages = [1, 2, 3].map((Page) => namesIn(caller, { SortBy, Page, PageSize: 2 }));
      expect((await Promise.all(pages)).flat()).toEqual(names);
    },
  );
}
