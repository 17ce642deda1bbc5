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
  test('are optional', () => {
    expect(read({})).toEqual({ key: null, reason: null });
    expect(read({ [changeHeaders.reason]: '%20%20' })).toEqual({ key: null, reason: null });
  });

  test.each(['x'.repeat(changeLimits.key.least), '~'.repeat(changeLimits.key.most), crypto.randomUUID()])(
    'allow the key %s',
    (key) => {
      expect(read({ [changeHeaders.key]: key }).key).toBe(key);
    },
  );

  test.each(['plain', 'På nytt – «nå» 100 %', '🙂'.repeat(changeLimits.reason), '%41'])(
    'hold the reason %s as it was written',
    (reason) => {
      expect(read({ [changeHeaders.reason]: writeReason(reason) }).reason).toBe(reason);
    },
  );

  test.each([
    [changeHeaders.key, 'short'],
    [changeHeaders.key, ''],
    [changeHeaders.key, 'with a blank in it'],
    [changeHeaders.key, 'åååååååååååååååå'],
    [changeHeaders.reason, '%'],
    [changeHeaders.reason, '%ff'],
    [changeHeaders.reason, 'a%00b'],
    [changeHeaders.reason, 'x'.repeat(changeLimits.reason + 1)],
    [changeHeaders.reason, '%E2%80%8B'],
    [changeHeaders.reason, '%E3%85%A4%20'],
    [changeHeaders.reason, 'a%E2%80%AEb'],
    [changeHeaders.reason, 'a%E2%80%A8b'],
    [changeHeaders.reason, '%E2%81%A6'],
  ])('are refused with %s: %s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(
      expect.objectContaining({
        code: 'invalid-input',
        particulars: { errors: { [name]: [expect.stringMatching(/^Use /)] } },
      }),
    );
  });
});

test.each([
  ['\u200Ecalled\u202C again', 'called again'],
  ['one\u2028two', 'onetwo'],
  ['\u200B \u3164', ''],
  ['\u0645\u06CC\u200C\u062E \u{1F468}\u200D\u{1F469}', '\u0645\u06CC\u200C\u062E \u{1F468}\u200D\u{1F469}'],
  [' På nytt ', ' På nytt '],
])('the reason that is typed as %j is %j', (typed, reason) => {
  expect(cleanReason(typed)).toBe(reason);
  expect(read({ [changeHeaders.reason]: writeReason(reason) }).reason).toBe(reason.trim() || null);
});

describe('If-Match', () => {
  test.each([[null], ['*'], [' * ']])('allows every version where it is %j', (header) => {
    expect(readIfMatch(header)).toBeNull();
  });

  test.each([
    ['"1-2"', ['"1-2"']],
    ['"1-2", W/"x" ,"3"', ['"1-2"', 'W/"x"', '"3"']],
    ['"a,b","c"', ['"a,b"', '"c"']],
    ['1-2', ['1-2']],
    ['"1-2", *', ['"1-2"', '*']],
    ['"1', ['"1']],
    [' , ', []],
    ['', []],
  ])('%s names the versions %j', (header, tags) => {
    expect(readIfMatch(header)).toEqual(tags);
  });
});
