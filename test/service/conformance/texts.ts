import { expect, it } from 'vitest';
import { listNames } from '../../../src/contract/service/limits.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Begin } from './subject.ts';

/** Database engines treat texts differently; the service behaves the same on all of them. */
export function texts(begin: Begin): void {
  it('comes back as it was written: composed or not, joined, and beyond 16 bits', async () => {
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

  it('is found by a part of it, and one that is only like it is not', async () => {
    for (const [part, one, other] of parts) {
      const { client, anna, named } = await begin();
      const find = async (query: object) => {
        const { items } = (await client.listSubscribers({ query: { PageSize: 200, ...query } })).data;
        return items.map(({ username }) => username).filter((name) => name.startsWith(named('')));
      };
      const tokens = [];
      for (const name of [one, other])
        tokens.push(
          (await client.createSubscriber({ body: { ...anna, username: named(name) } })).data.accessToken,
        );
      expect(await find({ Username: part }), part).toEqual([named(one)]);
      // With the token it is looked for by other ways.
      const [token, tokenOfOther] = tokens;
      expect(await find({ Username: part, AccessToken: token }), part).toEqual([named(one)]);
      expect(await find({ Username: part, AccessToken: tokenOfOther }), part).toEqual([]);
      expect(await find({ Username: named(''), AccessToken: tokenOfOther }), part).toEqual([named(other)]);
    }
  });

  it('has no NUL in a path or a list of names', async () => {
    const { send } = await begin();
    const paths = ['/subscribers/by-token/a%00', '/subscribers/by-token/a?include=%00'];
    await expectOutcomes(
      { '422 invalid-input': paths },
      async (path) => (await problemOf(await send('GET', path))).problem,
    );
  });
}

/** A part, a text that it is a part of, and one like it that it is none of; shorter and longer than an index's three. */
const parts: [part: string, one: string, other: string][] = [
  ['%', 'a%', 'ab'],
  ['_', 'a_', 'ab'],
  ['\\', 'a\\', 'ab'],
  // Patterns of the engines.
  ['%_%', 'x%_%x', 'x%ab%x'],
  [String.raw`\%\_`, String.raw`x\%\_`, 'x%_'],
  ['*?[a-z]', 'x*?[a-z]', 'xabc'],
  [`"'; --`, `a"'; --b`, 'ab'],
  // The other case.
  ['ØRN', 'bjørn', 'bjarn'],
  ['ВАН', 'Иван', 'Ибан'],
  ['τας', 'ΚΏΣΤΑΣΑΚΗΣ', 'ΚΏΣΤΑ'],
  // Composed or not, with an accent or without, and other letters by those they are written with.
  ['r\u00e9n', 'Re\u0301ne', 'Rane'],
  ['re\u0301n', 'R\u00e9ne', 'Rane'],
  ['jose', 'Jos\u00e9', 'Josa'],
  ['Jos\u00e9', 'JOSE', 'Josa'],
  ['aeostrasselk', 'ÆøStraßeŁK', 'aeostrassek'],
  ['ﬃ', 'OFFICE', 'OFICE'],
  // Words in any order, short ones too, with white space around them.
  ['hansen nadia', 'Nadia.Hansen', 'nadia.larsen'],
  [' q  zy ', 'zyq', 'zyp'],
  // Beyond 16 bits, joined, and of another script.
  ['👍', 'a👍b', 'a👎b'],
  ['👍👍👍', 'a👍👍👍', 'a👍👍👎'],
  ['👩‍👧', 'a👩‍👧', 'a👩👧'],
  ['中村葵', 'x中村葵', 'x中村'],
];
