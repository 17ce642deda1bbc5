import { expect, test } from 'vitest';
import { chooseEncoding } from '../../../src/server/http/accept-encoding.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.5, gzip;q=0.9', 'gzip'],
  ['*', 'br'],
  ['*;q=0.1, br;q=0', 'gzip'],
  ['deflate', 'identity'],
  ['br;q=x', 'identity'],
  ['', 'identity'],
  [null, 'identity'],
])('%s → %s', (header, encoding) => {
  expect(chooseEncoding(header, { br: true, gzip: true })).toBe(encoding);
});

test('what is not offered is not chosen', () => {
  expect(chooseEncoding('br, gzip', { gzip: true })).toBe('gzip');
  expect(chooseEncoding('br, gzip', {})).toBe('identity');
});
