import { expect, test } from 'vitest';
import { containsPattern } from '../../../src/service/subscribers/contains-pattern.ts';

test('a pattern takes every character of LIKE as it stands', () => {
  expect(containsPattern(String.raw`50%_\X`)).toBe(String.raw`%50\%\_\\x%`);
});
