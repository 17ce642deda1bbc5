import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  foldText,
  nearKey,
  searchText,
  sortKey,
  spokenAddress,
  wordsOf,
} from '../../../src/contract/service/search-text.ts';

const runs = { seed: 20_260_603, numRuns: 1000 };
const anyText = fc.string({ unit: 'binary' });

describe('the search text', () => {
  it('has no case, and one way to write a letter', () => {
    for (const [text, folded] of [
      ['ØRJAN', 'ørjan'],
      ['straße', 'strasse'],
      ['e\u0301', '\u00e9'],
      ['ΌΔΟΣ', 'όδοσ'],
      ['İstanbul', 'i̇stanbul'],
      ['ｆｕｌｌ', 'ｆｕｌｌ'],
      ['中村', '中村'],
    ] as const)
      expect(searchText(text)).toBe(folded);
  });

  it('is its own search text, for any characters', () => {
    const property = fc.property(anyText, (text) => {
      expect(searchText(searchText(text))).toBe(searchText(text));
    });
    fc.assert(property, runs);
  });
});

test('an address that is spelled out is read only where nothing else can be meant', () => {
  for (const [text, address] of [
    ['anna dot k at example dot com', 'anna.k@example.com'],
    [' Anna.K  AT example.com ', 'Anna.K@example.com'],
    ['a underscore b dash c at example dot org', 'a_b-c@example.org'],
    ['anna k at example dot com', null],
    ['anna at home', null],
    ['anna@example.com', null],
    ['dot at dot', null],
    ['', null],
  ] as const)
    expect(spokenAddress(text), text).toBe(address);
});

test('names are compared by their letters and digits, and addresses by those of the mailbox', () => {
  for (const [text, key] of [
    ['Anna.Kowalska', 'annakowalska'],
    ['Zoë_Brontë-2@example.com', 'zoebronte2'],
    ['anna dot k at example dot com', 'annak'],
    ['中村.葵', '中村葵'],
    ['x'.repeat(80), 'x'.repeat(32)],
  ] as const)
    expect(nearKey(text), text).toBe(key);
});

describe('the folded text', () => {
  it('has no accents either, and other letters as they are written without', () => {
    for (const [text, folded] of [
      ['ØRJAN Åsen', 'orjan asen'],
      ['Jose\u0301 Łukasz', 'jose lukasz'],
      ['Æon Straße', 'aeon strasse'],
      ['ΚΏΣΤΑΣ', 'κωστασ'],
      ['ｆｕｌｌ', 'full'],
      ['한국 中村', '한국 中村'],
      ['İI ı', 'ii i'],
    ] as const)
      expect(foldText(text)).toBe(folded);
  });

  it('is the same for a search text or a folded text, for any characters', () => {
    const property = fc.property(anyText, (text) => {
      expect(foldText(searchText(text))).toBe(foldText(text));
      expect(foldText(foldText(text))).toBe(foldText(text));
    });
    fc.assert(property, runs);
  });

  it('has words between white space of any kind', () => {
    expect(wordsOf(' Nadia\u00a0 hánsen\n')).toEqual(['nadia', 'hansen']);
    expect(wordsOf(' ')).toEqual([]);
  });
});

test('sort keys compare as the UTF-8 bytes of their search texts, for any characters', () => {
  const bytes = (text: string) => Buffer.from(searchText(text), 'utf8');
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  // No lone surrogates: they have no bytes of their own.
  const text = anyText.map((any) => any.toWellFormed());
  const property = fc.property(text, text, (one, other) => {
    expect(order(sortKey(one), sortKey(other))).toBe(Buffer.compare(bytes(one), bytes(other)));
  });
  fc.assert(property, runs);
  const words = ['\u{1F600}', '\uFF42', 'b', 'A'];
  expect(words.toSorted((one, other) => order(sortKey(one), sortKey(other)))).toEqual(words.toReversed());
});
