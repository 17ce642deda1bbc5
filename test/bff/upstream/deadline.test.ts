import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withDeadline } from '../../../src/bff/upstream/send.ts';

describe('a deadline', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('ends the signal in time, by the name that time has', async () => {
    let ended: AbortSignal | null = null;
    const work = withDeadline(100, async (signal) => {
      ended = signal;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const outcome = work.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).toMatchObject({ aborted: false });
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ name: 'TimeoutError' });
  });

  test.each([
    ['done', () => Promise.resolve('done')],
    ['failed', () => Promise.reject(new Error('failed'))],
  ])('leaves nothing behind where the work is %s before it', async (_, work) => {
    await withDeadline(15_000, work).catch(() => undefined);
    expect(vi.getTimerCount()).toBe(0);
  });
});
