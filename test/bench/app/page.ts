import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { openPage } from '../../support/e2e/browser.ts';

/** Slowness of the machine and of the line. */
export interface Conditions {
  /** So many times slower than this machine. */
  cpu: number;
  /** Round trip in ms, throughput in bytes a second. */
  network?: { latency: number; downloadThroughput: number; uploadThroughput: number };
}

export const unthrottled: Conditions = { cpu: 1 };
export const slowMachine: Conditions = { cpu: 4 };
/** As Lighthouse takes a telephone to be: 1.6 Mbit/s, 150 ms, a quarter of the processor. */
export const telephone: Conditions = {
  cpu: 4,
  network: { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
};

export interface BenchPage {
  page: Page;
  cdp: CDPSession;
}

/** A page with an empty cache, in which the bench watches. */
export async function openBenchPage(
  browser: Browser,
  { cpu }: Conditions,
  options: BrowserContextOptions = {},
): Promise<BenchPage> {
  const { page } = await openPage(options, browser);
  page.setDefaultTimeout(30_000);
  await page.addInitScript(installBench);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  return { page, cdp };
}

/** Measurements that the bench leaves in each page before anything else runs. In ms since the navigation. */
interface PageBench {
  /** When the first row was painted; null until then. */
  firstRow: number | null;
  /** Time of long tasks beyond 50 ms each, added up. */
  blocked: number;
  /** The cumulative layout shift. */
  shift: number;
  /** The measurement that is under way. */
  underWay: Promise<number> | null;
  /** Looks at every change of the page. @returns ms from the act until the first change that is wanted has been painted */
  timeFrom: (act: () => void, isThere: () => boolean) => Promise<number>;
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
  const timeFrom = async (act: () => void, isThere: () => boolean) => {
    const began = performance.now();
    act();
    return (await whenPainted(isThere)) - began;
  };
  const bench: PageBench = { firstRow: null, blocked: 0, shift: 0, underWay: null, timeFrom };
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
