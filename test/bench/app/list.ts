import type { BenchPage } from './conditions.ts';

/** How long a reader stays on a page, in ms: the dashboard loads the next one meanwhile. */
const reading = 150;

/** Turns to the next page so many times, from list to list. @returns from each click to all its rows, in ms */
export async function turnPages({ page }: BenchPage, times: number): Promise<number[]> {
  const took: number[] = [];
  // The dashboard preloads the next page only while the button is in view, as it is for a reader who turns pages.
  await page.getByRole('button', { name: 'Next page' }).scrollIntoViewIfNeeded();
  for (let turn = 0; turn < times; turn += 1) {
    await page.waitForTimeout(reading);
    took.push(
      await page.evaluate(async () => {
        const rows = () => [...document.querySelectorAll('tbody th a')].map(({ id }) => id);
        const before = rows();
        const began = performance.now();
        const next = document.querySelector<HTMLElement>('button[aria-label="Next page"]');
        // After the last page, go on with the first one in another sort order.
        const isLast = next?.ariaDisabled === 'true';
        (isLast ? document.querySelector<HTMLElement>('thead button') : next)?.click();
        const isTurned = () => {
          const now = rows();
          // Where the sort order is reversed, the row in the middle may keep its index.
          const same = now.filter((id, index) => id === before[index]);
          return document.querySelector('table')?.ariaBusy === 'false' && now.length > 0 && same.length < 2;
        };
        return (await window.bench.whenPainted(isTurned)) - began;
      }),
    );
  }
  return took;
}

/** Types one letter after the other into the find box. @returns from each key to the rows that it finds, in ms */
export async function findByKey({ page }: BenchPage, letters: string): Promise<number[]> {
  const took: number[] = [];
  const box = page.getByRole('searchbox', { name: 'Find subscribers' });
  for (const letter of letters) {
    await box.focus();
    // Listen before the key is pressed: it reaches the page faster than this call does.
    await page.evaluate((wanted) => {
      const isFound = () =>
        location.search.includes(`username=${wanted}`) &&
        document.querySelector('table')?.ariaBusy === 'false';
      window.bench.underWay = new Promise((resolve) =>
        addEventListener(
          'keydown',
          () => {
            const began = performance.now();
            void window.bench.whenPainted(isFound).then((at) => resolve(at - began));
          },
          { capture: true, once: true },
        ),
      );
    }, letter);
    await page.keyboard.press(letter);
    took.push(await page.evaluate(() => window.bench.underWay ?? Number.NaN));
    await box.fill('');
    await page.waitForURL((url) => url.search === '');
    await page.waitForTimeout(reading);
  }
  return took;
}

/** By how many bytes the heap grows over so many pages, after garbage is collected. */
export async function growOver(bench: BenchPage, pages: number): Promise<number> {
  await turnPages(bench, 5);
  const before = await heapOf(bench);
  await turnPages(bench, pages);
  return (await heapOf(bench)) - before;
}

async function heapOf({ cdp }: BenchPage): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}
