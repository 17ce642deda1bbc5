import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { returnPath } from '../../../src/contract/bff/paths.ts';

const origin = 'https://app.example';
const path = (asked: string | undefined) => returnPath(asked, origin);

test.each(['/', '/subscribers', '/subscribers/7/edit?page=2&username=a+b', '/subscribers#list', '/a//b'])(
  '%s is gone back to',
  (asked) => {
    expect(path(asked)).toBe(asked);
  },
);

describe('the return path never leads to another site', () => {
  test.each([
    undefined,
    '',
    'subscribers',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\\evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/./\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https://app.example@evil.example',
    'https://app.example.evil.example',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,hello',
    'blob:https://app.example/1',
    '@evil.example',
    '//',
  ])('%j', (asked) => {
    expect(path(asked)).toBe('/');
  });
});

test('the return path of any text is a path of this page', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      'https:',
      'evil.example',
      '%2f',
      '%5c',
      '%2e',
    ),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const way = path(`/${pieces.join('')}`);
      expect(way.startsWith('/')).toBe(true);
      expect(new URL(way, origin).origin).toBe(origin);
    }),
    { seed: 20_260_606, numRuns: 5000 },
  );
});
