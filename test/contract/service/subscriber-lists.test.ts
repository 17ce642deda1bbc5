import { describe, expect, test } from 'vitest';
import { countryCodes } from '../../../src/contract/service/countries.ts';
import { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { faultsOf, readField } from '../../support/contract/faults.ts';

const numbered = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const makeAddress = (index: number) => `10.0.${index >> 8}.${index & 255}`;

describe('a list', () => {
  test.each([
    ['bundles', 200, (index: number) => index + 1],
    ['ipAddresses', 100, makeAddress],
    ['userAgents', 100, (index: number) => `agent ${index}`],
  ] as const)('%s has up to %d values', (name, most, make) => {
    expect(readField(name, [])).toEqual([]);
    expect(readField(name, numbered<unknown>(most, make))).toHaveLength(most);
    expect(readField(name, numbered<unknown>(most + 1, make))).toEqual({ refused: [name] });
  });

  test.each([
    ['bundles', [7, 8, 7]],
    ['ipAddresses', ['192.0.2.1', '192.0.2.2', ' 192.0.2.1 ']],
    ['userAgents', ['VLC', 'vlc', 'VLC']],
    ['countries', ['NO', 'SE', 'NO']],
  ] as const)('a value that %s holds twice is named by its index', (name, list) => {
    expect(faultsOf(UpdateBody, { [name]: list })).toEqual({
      [`${name}.2`]: [`${String(list[0])} is in the list twice. Remove one.`],
    });
  });

  test('every faulty element is named, the good ones between them are not', () => {
    expect(
      readField('bundles', [1, 0, 2, -0, -1, 1.5, 2 ** 53, Number.POSITIVE_INFINITY, '3', null]),
    ).toEqual({
      refused: numbered(8, (index) => `bundles.${[1, 3, 4, 5, 6, 7, 8, 9][index]}`),
    });
  });

  test.each(['bundles', 'ipAddresses', 'userAgents', 'countries'] as const)(
    '%s that is no list is refused',
    (name) => {
      for (const value of [null, '', 'NO', 1, {}, { 0: 'NO', length: 1 }])
        expect(readField(name, value)).toEqual({ refused: [name] });
    },
  );
});

describe('bundles', () => {
  test('are whole numbers from 1 to the largest that JSON represents exactly', () => {
    expect(readField('bundles', [1, Number.MAX_SAFE_INTEGER])).toEqual([1, Number.MAX_SAFE_INTEGER]);
  });
});

describe('user agents', () => {
  test('have 1 to 256 characters, blanks included, where an emoji is one', () => {
    const list = [' ', ' VLC/3.0 ', '\u{1F4FA}'.repeat(256)];
    expect(readField('userAgents', list)).toEqual(list);
    expect(readField('userAgents', ['', 'u'.repeat(257)])).toEqual({
      refused: ['userAgents.0', 'userAgents.1'],
    });
  });

  test.each(['a\r\nb', 'a\tb', '\0', '\u0085', '\uD83D', 7])('%j is refused', (agent) => {
    expect(readField('userAgents', [agent])).toEqual({ refused: ['userAgents.0'] });
  });
});

describe('countries', () => {
  test('are the 249 codes of ISO 3166-1, all at once', () => {
    const codes = [...countryCodes];
    expect(codes).toHaveLength(249);
    expect(codes).toEqual(codes.toSorted());
    expect(readField('countries', codes)).toEqual(codes);
  });

  test('each has a name of its own', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    expect(new Set([...countryCodes].map((code) => names.of(code))).size).toBe(249);
  });

  test.each([
    'no',
    'No',
    'NOR',
    'N',
    '',
    'XX',
    'XK',
    'EU',
    'UK',
    'SU',
    'ZZ',
    ' NO',
    'NO\n',
    'constructor',
    578,
  ])('%j is refused', (code) => {
    expect(readField('countries', [code])).toEqual({ refused: ['countries.0'] });
  });
});
