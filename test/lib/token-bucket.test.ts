import { expect, test } from 'vitest';
import { createTokenBucket } from '../../src/lib/token-bucket.ts';

test('a token bucket gives what it holds at once, and then one after each pause', () => {
  const bucket = createTokenBucket(2, 100, 0);
  expect([bucket.take(0), bucket.take(0), bucket.take(50), bucket.take(100), bucket.take(100)]).toEqual([
    0, 0, 50, 0, 100,
  ]);
  bucket.giveBack();
  expect(bucket.take(100)).toBe(0);
});

test('a token bucket lends tokens, each a pause later than the one before', () => {
  const bucket = createTokenBucket(1, 100, 0);
  expect([bucket.borrow(0), bucket.borrow(0), bucket.borrow(0), bucket.borrow(200)]).toEqual([
    0, 100, 200, 100,
  ]);
});
