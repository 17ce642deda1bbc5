import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJson as isJsonByWeb } from '../../src/bff/upstream/answer.ts';
import { isJson } from '../../src/server/is-json.ts';

const page = JSON.stringify({
  items: [{ id: 1, username: 'Žofie “Z”', note: '{\n\\"}' }, { id: 2 }],
  page: 1,
});
const bytes = new TextEncoder().encode(page);

test('an answer is JSON when it is whole, and not when it is cut off at any byte', () => {
  expect(isJson(bytes)).toBe(true);
  for (let length = 0; length < bytes.length; length += 1)
    expect({ length, is: isJson(bytes.subarray(0, length)) }).toEqual({ length, is: false });
});

test('nor is one JSON from which a part is missing within, if only a sign', () => {
  const without = page.replace('},', '}');
  expect(isJson(new TextEncoder().encode(without))).toBe(false);
});

describe('what the web takes for JSON, and nothing else, is taken for it', () => {
  test.each([
    ['a byte order mark before it', [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    ['two of them', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    ['half of one', [0xef, 0xbb, 0x7b, 0x7d]],
    ['a letter of Latin-1 in its quotes', [0x22, 0xe9, 0x22]],
    ['a letter of two bytes in its quotes', [0x22, 0xc3, 0xa9, 0x22]],
    ['a lone surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a blank that JSON does not know', [0xc2, 0xa0, 0x31]],
    ['nothing', []],
  ])('with %s', (_, odd) => {
    const read = Uint8Array.from(odd);
    expect(isJson(read)).toBe(isJsonByWeb(read));
  });

  test('with one byte changed, anywhere', () => {
    const index = fc.nat({ max: bytes.length - 1 });
    fc.assert(
      fc.property(index, fc.nat({ max: 255 }), (where, byte) => {
        const changed = Uint8Array.from(bytes);
        changed[where] = byte;
        expect(isJson(changed)).toBe(isJsonByWeb(changed));
      }),
      { seed: 1, numRuns: 2000 },
    );
  });
});
