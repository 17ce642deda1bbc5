import { useSyncExternalStore } from 'react';

/** One clock for the page: every relative time moves on together, half a minute at a time. */
const tick = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(advance, tick);
  // Timers rest while a page is hidden and a machine asleep; whoever comes back sees the present.
  document.addEventListener('visibilitychange', advance);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', advance);
    clearInterval(timer);
    timer = undefined;
  };
}

function advance(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** The present, in ms since the epoch, less than half a minute off, also after the machine's clock was set back. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => {
    if (Math.abs(Date.now() - now) >= tick) now = Date.now();
    return now;
  });
}
