import { expect, test, vi } from 'vitest';
import { createClock } from '../../../src/app/components/app-context.ts';
import { testTime } from '../../support/setup/fixed-time.ts';

const day = 24 * 60 * 60_000;

test('the clock shows the current time as soon as the page is visible again after a night', () => {
  const clock = createClock();
  const shown: number[] = [];
  const stop = clock.subscribe(() => shown.push(clock.now()));
  expect(clock.now()).toBe(testTime);
  vi.setSystemTime(testTime + day);
  document.dispatchEvent(new Event('visibilitychange'));
  stop();
  expect(shown).toEqual([testTime + day]);
});

test('the clock draws nothing anew while the page is being hidden', () => {
  const clock = createClock();
  const listener = vi.fn<() => void>();
  const stop = clock.subscribe(listener);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  stop();
  expect(listener).not.toHaveBeenCalled();
});

test('the clock follows when the machine’s time is set back', () => {
  vi.setSystemTime(testTime + day);
  const clock = createClock();
  vi.setSystemTime(testTime);
  expect(clock.now()).toBe(testTime);
});

test('the clock follows the server where the browser’s own is wrong, and not an answer that is old', () => {
  const clock = createClock();
  const shown: number[] = [];
  const stop = clock.subscribe(() => shown.push(clock.now()));
  clock.follow(new Date(testTime + 30_000).toUTCString(), testTime);
  clock.follow(null, testTime);
  clock.follow(new Date(testTime + day).toUTCString(), testTime - day);
  expect(shown).toEqual([]);
  clock.follow(new Date(testTime + day).toUTCString(), testTime);
  vi.setSystemTime(testTime + day);
  clock.follow(new Date(testTime + day).toUTCString(), testTime + day);
  stop();
  expect(shown).toEqual([testTime + day, testTime + day]);
});
