import { expect, test } from 'vitest';
import { random } from '../../src/server/runtime.ts';

test.each([0, 1, 12, 32, 4096, 5000])('%i random bytes are as many as were asked for', (count) => {
  expect(random(count)).toHaveLength(count);
});

test('no random bytes are given out twice, in whatever portions they are taken', () => {
  const portions = Array.from({ length: 3000 }, (_, turn) => random(8 + (turn % 5)));
  const beginnings = portions.map((bytes) => Buffer.from(bytes.subarray(0, 8)).toString('hex'));
  expect(new Set(beginnings).size).toBe(portions.length);
});

test('what is done to random bytes changes none that come later', () => {
  const taken = random(12);
  const later = random(12);
  const before = [...later];
  taken.fill(7);
  expect([...later]).toEqual(before);
  expect([...random(12)]).not.toEqual([...taken]);
});
