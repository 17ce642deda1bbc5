import { expect, test } from 'vitest';
import { createHashTurns } from '../../src/server/hash-turns.ts';

const takeAll = (turns: ReturnType<typeof createHashTurns<string>>) =>
  Array.from({ length: turns.size() }, () => turns.take());

test('hashes are taken by their rank, and those of one rank in the order in which they came', () => {
  const turns = createHashTurns<string>();
  turns.add('stranger 1', 2);
  turns.add('newcomer 1', 1);
  turns.add('owner 1', 0);
  turns.add('newcomer 2', 1);
  expect(takeAll(turns)).toEqual(['owner 1', 'newcomer 1', 'newcomer 2', 'stranger 1']);
  expect(turns.take()).toBeUndefined();
});

test('every fourth turn goes to the others, so that nobody waits for ever', () => {
  const turns = createHashTurns<string>();
  for (let count = 1; count <= 8; count += 1) turns.add(`owner ${count}`, 0);
  turns.add('stranger', 2);
  turns.add('newcomer', 1);
  expect(takeAll(turns)).toEqual([
    'owner 1',
    'owner 2',
    'owner 3',
    'newcomer',
    'owner 4',
    'owner 5',
    'owner 6',
    'stranger',
    'owner 7',
    'owner 8',
  ]);
});
