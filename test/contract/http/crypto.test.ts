import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  equalInConstantTime,
  fromBase64url,
  sha256,
  toBase64url,
} from '../../../src/contract/http/crypto.ts';

describe('base64url', () => {
  test.each([
    [[], ''],
    [[0], 'AA'],
    [[251, 239, 255], '--__'],
    [[102, 111, 111, 98], 'Zm9vYg'],
  ])('writes the bytes %j as "%s" and reads them back', (bytes, text) => {
    expect(toBase64url(Uint8Array.from(bytes))).toBe(text);
    expect([...fromBase64url(text)]).toEqual(bytes);
  });

  test.each(['a+b/', 'a', 'åäö'])('refuses to read "%s"', (text) => {
    expect(() => fromBase64url(text)).toThrow(SyntaxError);
  });
});

test.each(['', 'a token', 'På nytt 🙂'])('sha256 of "%s" is the digest of its UTF-8', async (text) => {
  expect(await sha256(text)).toBe(createHash('sha256').update(text).digest('base64url'));
});

test.each([
  ['', '', true],
  ['secret', 'secret', true],
  ['secret', 'secreT', false],
  ['secret', 'secre', false],
  ['secre', 'secret', false],
  ['', 'secret', false],
])('equalInConstantTime of "%s" and "%s" is %s', (one, other, expected) => {
  expect(equalInConstantTime(one, other)).toBe(expected);
});
