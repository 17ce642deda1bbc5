import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderKey, searchText } from '../../../src/contract/service/search-text.ts';

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

  test('of a search text is that text, whatever the letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(searchText(searchText(text))).toBe(searchText(text));
      }),
      { seed: 20_260_603, numRuns: 2000 },
    );
  });
});

test('texts are ordered as their search texts are by their bytes in UTF-8, whatever the letters', () => {
  const bytes = (text: string) => Buffer.from(searchText(text), 'utf8');
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  // Whatever is no half of a pair: those have no bytes of their own.
  const text = fc.string({ unit: 'binary' }).map((any) => any.toWellFormed());
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(order(orderKey(one), orderKey(other))).toBe(Buffer.compare(bytes(one), bytes(other)));
    }),
    { seed: 20_260_603, numRuns: 2000 },
  );
  const words = ['\u{1F600}', '\uFF42', 'b', 'A'];
  expect(words.toSorted((one, other) => order(orderKey(one), orderKey(other)))).toEqual(words.toReversed());
});
