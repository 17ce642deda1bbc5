/** What the bench leaves in each page before anything else runs there. Times in ms since the navigation began. */
export interface PageBench {
  /** When the first row was painted; null until then. */
  firstRow: number | null;
  /** What long tasks took beyond 50 ms each, added up. */
  blocked: number;
  /** The cumulative layout shift. */
  shift: number;
  /** What is measured at this moment. */
  underWay: Promise<number> | null;
  /** Looks at every change of the page, and tells when the first one that is wanted has been painted. */
  whenPainted: (isThere: () => boolean) => Promise<number>;
}

declare global {
  interface Window {
    bench: PageBench;
  }
}

/** Is sent to the page as text: it can use nothing from this module. */
export function installBench(): void {
  /** The task after a frame was drawn, before any other that waits: style, layout and paint are done. */
  const afterFrame = (then: (at: number) => void) =>
    requestAnimationFrame(() => {
      void scheduler.postTask(() => then(performance.now()), { priority: 'user-blocking' });
    });
  const whenPainted = (isThere: () => boolean) =>
    new Promise<number>((resolve) => {
      const observer = new MutationObserver(look);
      function look(): void {
        if (!isThere()) return;
        observer.disconnect();
        afterFrame(resolve);
      }
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      look();
    });
  const bench: PageBench = { firstRow: null, blocked: 0, shift: 0, underWay: null, whenPainted };
  window.bench = bench;
  void whenPainted(() => document.querySelector('tbody th a') !== null).then((at) => (bench.firstRow = at));
  watch('longtask', ({ duration }) => (bench.blocked += Math.max(0, duration - 50)));
  watch('layout-shift', (entry) => {
    // Fields that TypeScript does not know of: https://wicg.github.io/layout-instability/
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) bench.shift += value;
  });
  function watch(type: string, each: (entry: PerformanceEntry) => void): void {
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  }
}
