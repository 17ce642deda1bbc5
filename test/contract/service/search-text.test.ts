import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, sortKey, searchText, wordsOf } from '../../../src/contract/service/search-text.ts';

describe('search text', () => {
  test.each([
    ['ØRJAN', 'ørjan'],
    ['straße', 'strasse'],
    ['e\u0301', '\u00e9'],
    ['ΌΔΟΣ', 'όδοσ'],
    ['İstanbul', 'i̇stanbul'],
    ['ｆｕｌｌ', 'ｆｕｌｌ'],
    ['中村', '中村'],
  ])('of %s is %s', (text, folded) => {
    expect(searchText(text)).toBe(folded);
  });

  test('of a search text is that text, for any characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(searchText(searchText(text))).toBe(searchText(text));
      }),
      { seed: 20_260_603, numRuns: 2000 },
    );
  });
});

describe('folded text', () => {
  test.each([
    ['ØRJAN Åsen', 'orjan asen'],
    ['Jose\u0301 Łukasz', 'jose lukasz'],
    ['Æon Straße', 'aeon strasse'],
    ['ΚΏΣΤΑΣ', 'κωστασ'],
    ['ｆｕｌｌ', 'full'],
    ['한국 中村', '한국 中村'],
    ['İI ı', 'ii i'],
  ])('of %s is %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test('of a search text or a folded text is the same, for any characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldText(searchText(text))).toBe(foldText(text));
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
      { seed: 20_260_603, numRuns: 2000 },
    );
  });

  test('has words between white space of any kind', () => {
    expect(wordsOf(' Nadia\u00a0 hánsen\n')).toEqual(['nadia', 'hansen']);
    expect(wordsOf(' ')).toEqual([]);
  });
});

test('sort keys compare as the UTF-8 bytes of their search texts, for any characters', () => {
  const bytes = (text: string) => Buffer.from(searchText(text), 'utf8');
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  // No lone surrogates: they have no bytes of their own.
  const text = fc.string({ unit: 'binary' }).map((any) => any.toWellFormed());
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(order(sortKey(one), sortKey(other))).toBe(Buffer.compare(bytes(one), bytes(other)));
    }),
    { seed: 20_260_603, numRuns: 2000 },
  );
  const words = ['\u{1F600}', '\uFF42', 'b', 'A'];
  expect(words.toSorted((one, other) => order(sortKey(one), sortKey(other)))).toEqual(words.toReversed());
});
