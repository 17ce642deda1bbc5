import type { BenchPage } from './page.ts';

/** Time that a reader stays on a page, in ms: the dashboard loads the next one meanwhile. */
const reading = 150;

/** Opens the list, until no request is under way. */
export async function openList({ page }: BenchPage, url: string): Promise<void> {
  await page.goto(`${url}/subscribers`, { waitUntil: 'networkidle' });
  await page.waitForFunction(() => window.bench.firstRow !== null);
}

async function inTurn(times: number, measure: (time: number) => Promise<number>): Promise<number[]> {
  const took: number[] = [];
  for (let time = 0; time < times; time += 1) took.push(await measure(time));
  return took;
}

/** Turns to the next page so many times, from list to list. @returns from each click to all its rows, in ms */
export async function turnPages({ page }: BenchPage, times: number): Promise<number[]> {
  // The pointer is at the button, as that of a reader who turns pages.
  await page.getByRole('button', { name: 'Next page' }).hover();
  return inTurn(times, async () => {
    await page.waitForTimeout(reading);
    return page.evaluate(() => {
      const first = () => document.querySelector('tbody th a')?.id;
      const before = first();
      const next = document.querySelector<HTMLElement>('button[aria-label="Next page"]');
      const isTurned = () => document.querySelector('table')?.ariaBusy === 'false' && first() !== before;
      return window.bench.timeFrom(() => next?.click(), isTurned);
    });
  });
}

/**
 * Types one text after the other into the find box, the last key after a pause.
 *
 * @returns from that key to the rows that it finds, in ms
 */
export async function findByKey({ page }: BenchPage, texts: readonly string[]): Promise<number[]> {
  const box = page.getByRole('searchbox', { name: 'Find subscribers' });
  return inTurn(texts.length, async (index) => {
    const text = texts[index] ?? '';
    const [before, key] = [text.slice(0, -1), text.slice(-1)];
    await box.focus();
    await page.keyboard.insertText(before);
    await page.waitForURL((url) => url.searchParams.get('username') === before);
    await page.waitForTimeout(reading);
    // Listen before the key is pressed: it reaches the page faster than this call does.
    await page.evaluate((requested) => {
      const isFound = () =>
        location.search.includes(`username=${requested}`) &&
        document.querySelector('table')?.ariaBusy === 'false';
      window.bench.underWay = new Promise((resolve) =>
        addEventListener('keydown', () => resolve(window.bench.timeFrom(() => {}, isFound)), {
          capture: true,
          once: true,
        }),
      );
    }, text);
    await page.keyboard.press(key);
    const took = await page.evaluate(() => window.bench.underWay ?? Number.NaN);
    await box.fill('');
    await page.waitForURL((url) => url.search === '');
    await page.waitForTimeout(reading);
    return took;
  });
}

/** Opens one row after the other. @returns from each click to the pane with what the list knows, in ms */
export async function openPanes({ page }: BenchPage, rows: number): Promise<number[]> {
  const took = await inTurn(rows + 1, async (row) => {
    const opened = await page.evaluate((index) => {
      const link = document.querySelectorAll<HTMLElement>('tbody th a')[index];
      const isOpen = () => document.querySelector('aside h2')?.textContent === link?.textContent;
      return window.bench.timeFrom(() => link?.click(), isOpen);
    }, row);
    await page.keyboard.press('Escape');
    await page.locator('aside').waitFor({ state: 'detached' });
    return opened;
  });
  // The first one loads the pane itself.
  return took.slice(1);
}

/** Opens the form for a new subscriber so many times. @returns from each click to its fields, in ms */
export async function openForms({ page }: BenchPage, times: number): Promise<number[]> {
  const took = await inTurn(times + 1, async () => {
    const opened = await page.evaluate(() => {
      const link = document.querySelector<HTMLElement>('a[href^="/subscribers/new"]');
      const isOpen = () => document.querySelector('input[name="username"]') !== null;
      return window.bench.timeFrom(() => link?.click(), isOpen);
    });
    await page.goBack();
    await page.locator('tbody th a').first().waitFor();
    return opened;
  });
  // The first one loads the form itself.
  return took.slice(1);
}

/** Opens the form for a new subscriber, and waits until it is quiet. */
export async function openForm({ page, cdp }: BenchPage): Promise<void> {
  await page.locator('a[href^="/subscribers/new"]').click();
  await page.locator('input[name="username"]').focus();
  await page.waitForTimeout(500);
  await cdp.send('Performance.enable');
}

/** Types into an open form. @returns what the main thread had to do for each key, painting included, in ms */
export function typeIntoForm({ page, cdp }: BenchPage, text: string): Promise<number[]> {
  /** Seconds that the main thread has spent on tasks. */
  const busySoFar = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  return inTurn(text.length, async (index) => {
    const before = await busySoFar();
    await page.keyboard.press(text.charAt(index));
    await page.waitForTimeout(100);
    return ((await busySoFar()) - before) * 1000;
  });
}

/** Buttons that change something, by selectors; `before` leads there. */
const changes = [
  {
    before: [],
    press: 'section[aria-label="Extend"] button:has(small)',
    where: 'section[aria-label="Extend"]',
  },
  { before: ['Regenerate token…'], press: 'dialog button[class*="danger"]', where: 'dialog' },
  { before: ['Delete…'], press: 'dialog button[class*="danger"]', where: 'dialog' },
] as const;

/** Makes changes while no answer comes. @returns from each press to the text that says it is under way, in ms */
export async function changeWithoutAnswer({ page }: BenchPage, times: number): Promise<number[]> {
  // Dropped in the end, before they reach anybody: nothing is changed.
  await page.route(/\/api\/subscribers\/\d+/, (route) =>
    route.request().method() === 'GET' ? route.continue() : undefined,
  );
  const list = page.url();
  return inTurn(times * changes.length, async (index) => {
    const { before, press, where } = changes[index % changes.length] ?? changes[0];
    await page.locator('tbody th a').nth(index).click();
    for (const name of before) await page.getByRole('button', { name }).click();
    await page.locator(`${press}:not([aria-disabled])`).first().waitFor();
    const took = await page.evaluate(
      ([button, region]) => {
        const says = () => document.querySelector(region)?.textContent.match(/\w+ing\b.*…/) !== null;
        return window.bench.timeFrom(() => document.querySelector<HTMLElement>(button)?.click(), says);
      },
      [press, where] as const,
    );
    await page.goto(list);
    await page.locator('tbody th a').first().waitFor();
    return took;
  });
}
