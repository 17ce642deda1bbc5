import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containsPattern, searchText } from '../../src/service/store/search-text.ts';

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

test('a pattern takes every character of LIKE as it stands', () => {
  expect(containsPattern(String.raw`50%_\X`)).toBe(String.raw`%50\%\_\\x%`);
});
