const tick = 30_000;

/** In ms: a clock that is off by less is right. The server's time has whole seconds, and took its time to come. */
const tolerance = 60_000;

export type Clock = ReturnType<typeof createClock>;

/**
 * One clock for the page, so that all relative times change together, every half minute. Where the browser's own is wrong,
 * it shows the server's time: that decides who can watch.
 */
export function createClock() {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  /** The time by which the browser's clock is behind the server's, in ms. */
  let behind = 0;
  const current = () => Date.now() + behind;
  let now = current();

  function advance(): void {
    now = current();
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
      if (Math.abs(current() - now) >= tick) now = current();
      return now;
    },
    /**
     * Takes the server's time from an answer.
     *
     * @param date its `Date` header
     * @param requestedAt the browser's time when it was asked for; a machine that slept meanwhile got an old answer
     */
    follow(date: string | null, requestedAt: number): void {
      const by = Date.parse(date ?? '') - Date.now();
      if (Number.isNaN(by) || Date.now() - requestedAt >= tolerance) return;
      const next = Math.abs(by) < tolerance ? 0 : by;
      if (Math.abs(next - behind) < tick) return;
      behind = next;
      advance();
    },
  };
}
