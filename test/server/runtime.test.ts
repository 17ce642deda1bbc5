import { expect, test } from 'vitest';
import { random } from '../../src/server/runtime.ts';

test('random bytes are as many as requested, and given out once', () => {
  const lengths = [...Array<number>(1000).fill(16), 4096, 10_000, 1, 0];
  const drawn = lengths.map((bytes) => random(bytes));
  expect(drawn.map(({ length }) => length)).toEqual(lengths);
  const some = drawn.slice(0, 1002).map((bytes) => Buffer.from(bytes.subarray(0, 16)).toString('hex'));
  expect(new Set(some).size).toBe(1002);
});

test('random bytes are the caller’s own', () => {
  const [first, second] = [random(16), random(16)];
  const before = [...second];
  first.fill(0);
  expect([...second]).toEqual(before);
  expect(second.buffer).not.toBe(first.buffer);
});
