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

test('mapConcurrently begins nothing more after the first failure', async () => {
  const [begun, slow] = [[] as number[], Promise.withResolvers<void>()];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 2) throw new Error('no');
    await slow.promise;
  };
  await expect(mapConcurrently([1, 2, 3, 4], 2, work)).rejects.toThrow('no');
  slow.resolve();
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2]);
});
