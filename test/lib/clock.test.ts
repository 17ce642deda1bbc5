import { expect, test } from 'vitest';
import { createSteadyClock } from '../../src/lib/clock.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const start = Date.parse('2026-01-01T00:00:00Z');

test.each<[string, steps: [wall: number, steady: number][], shown: number[]]>([
  [
    'goes on',
    [
      [second, second],
      [minute, minute],
    ],
    [second, second + minute],
  ],
  ['follows a clock that is set forward a little', [[hour, second]], [hour]],
  [
    'never goes back',
    [
      [-hour, second],
      [second, second],
    ],
    [second, 2 * second],
  ],
  [
    'goes a tenth slower until one that was set back is as late',
    [
      [-6 * second, 0],
      [minute / 2, minute / 2],
      [minute / 2, minute / 2],
      [minute, minute],
    ],
    [0, 27 * second, 54 * second, 54 * second + minute],
  ],
  [
    'ignores a jump that lasts for a minute',
    [
      [9999 * hour, second],
      [minute, minute],
      [2 * second - 9999 * hour, second],
    ],
    [second, second + minute, 2 * second + minute],
  ],
  [
    'follows a jump after five minutes',
    [
      [9 * hour, second],
      [5 * minute, 5 * minute],
    ],
    [second, 9 * hour + 5 * minute],
  ],
])('a steady clock %s', (_, steps, shown) => {
  const now = { wall: start, steady: 7 };
  const clock = createSteadyClock(
    () => now.wall,
    () => now.steady,
  );
  const read = steps.map(([wall, steady]) => {
    now.wall += wall;
    now.steady += steady;
    return clock() - start;
  });
  expect(read).toEqual(shown);
});
