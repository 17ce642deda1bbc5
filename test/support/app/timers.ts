import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';

/** Timers of exactly this length, in ms, wait until the test fires them; all others run as usual. */
export function holdTimers(length: number) {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const held = new Map<ReturnType<typeof start>, () => void>();
  const starting = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((call: () => void, ms?: number) => {
    if (ms !== length) return start(call, ms);
    // It never goes off by itself within a test; its handle is what the page may clear.
    const timer = start(() => undefined, 2 ** 30);
    held.set(timer, call);
    return timer;
  }) as typeof start);
  const stopping = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer as ReturnType<typeof start>);
    stop(timer);
  });
  onTestFinished(() => {
    starting.mockRestore();
    stopping.mockRestore();
    for (const timer of held.keys()) stop(timer);
  });
  return {
    goOff() {
      const calls = [...held.values()];
      held.clear();
      act(() => {
        for (const call of calls) call();
      });
    },
  };
}
