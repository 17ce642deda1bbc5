import { describe, expect, test } from 'vitest';
import {
  changeHeaders,
  changeLimits,
  cleanReason,
  readChangeHeaders,
  readIfMatch,
  writeReason,
} from '../../../src/contract/http/change-headers.ts';

const read = (given: Record<string, string>) => readChangeHeaders(new Headers(given));

describe('the headers of a change', () => {
  test('the headers of a change are optional', () => {
    expect(read({})).toEqual({ key: null, reason: null });
    expect(read({ [changeHeaders.reason]: '%20%20' })).toEqual({ key: null, reason: null });
  });

  test('the headers of a change hold a key, and a reason as it was written', () => {
    const { least, most } = changeLimits.key;
    for (const key of ['x'.repeat(least), '~'.repeat(most), crypto.randomUUID()])
      expect(read({ [changeHeaders.key]: key }).key).toBe(key);
    for (const reason of ['plain', 'På nytt – «nå» 100 %', '🙂'.repeat(changeLimits.reason), '%41'])
      expect(read({ [changeHeaders.reason]: writeReason(reason) }).reason).toBe(reason);
  });

  test('the headers of a change are refused by their names if they cannot be used', () => {
    const refused = {
      [changeHeaders.key]: ['short', '', 'with a blank in it', 'åååååååååååååååå'],
      [changeHeaders.reason]: [
        '%',
        '%ff',
        'a%00b',
        'x'.repeat(changeLimits.reason + 1),
        // Nothing to see, and marks that turn the text or break the line.
        '%E2%80%8B',
        '%E3%85%A4%20',
        'a%E2%80%AEb',
        'a%E2%80%A8b',
        '%E2%81%A6',
      ],
    };
    for (const [name, values] of Object.entries(refused))
      for (const value of values)
        expect(() => read({ [name]: value }), value).toThrow(
          expect.objectContaining({
            code: 'invalid-input',
            particulars: { errors: { [name]: [expect.stringMatching(/^Use /)] } },
          }),
        );
  });
});

test('a typed reason loses what nobody can see and what moves text, but not the joiners of a script', () => {
  const joined = '\u0645\u06CC\u200C\u062E \u{1F468}\u200D\u{1F469}';
  for (const [typed, reason] of [
    ['\u200Ecalled\u202C again', 'called again'],
    ['one\u2028two', 'onetwo'],
    ['\u200B \u3164', ''],
    [joined, joined],
    [' På nytt ', ' På nytt '],
    ['From\ta\u0000 sheet', 'From a  sheet'],
    ['Cut \ud83d', 'Cut '],
  ] as const) {
    expect(cleanReason(typed)).toBe(reason);
    expect(read({ [changeHeaders.reason]: writeReason(reason) }).reason).toBe(reason.trim() || null);
  }
});

test('If-Match allows every version where it is absent or *, and else those it names', () => {
  for (const any of [null, '*', ' * ']) expect(readIfMatch(any)).toBeNull();
  const named = {
    '"1-2"': ['"1-2"'],
    '"1-2", W/"x" ,"3"': ['"1-2"', 'W/"x"', '"3"'],
    '"a,b","c"': ['"a,b"', '"c"'],
    '1-2': ['1-2'],
    '"1-2", *': ['"1-2"', '*'],
    '"1': ['"1'],
    ' , ': [],
    '': [],
  };
  for (const [header, tags] of Object.entries(named)) expect(readIfMatch(header), header).toEqual(tags);
});
