import { expect, test } from 'vitest';
import { mapConcurrently } from '../../src/lib/map-concurrently.ts';

test('mapConcurrently works on so many items at once, and keeps their order', async () => {
  let [running, most] = [0, 0];
  const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (item) => {
    most = Math.max(most, (running += 1));
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    running -= 1;
    return item * 10;
  });
  expect([results, most]).toEqual([[50, 10, 40, 20, 30], 2]);
});

test('mapConcurrently ends with the first failure, and does the rest all the same', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    if (item === 2) throw new Error('no');
    done.push(item);
  };
  await expect(mapConcurrently([1, 2, 3, 4], 2, work)).rejects.toThrow('no');
  await expect.poll(() => done).toEqual([1, 3, 4]);
});
