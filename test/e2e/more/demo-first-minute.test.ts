import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { barOf, table } from '../../support/e2e/demo.ts';
import { startProduct } from '../../support/e2e/product.ts';

const demo = await startProduct('demo');

/** Numbers of each tile that the page has shown, and how often it had no text again. */
interface Shown {
  numbers: Record<string, string[]>;
  blanks: number;
}
const shown = (page: Page) => page.evaluate(() => (globalThis as unknown as { shown: Shown }).shown);

/** Looks at the page whenever something in it changes. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    const seen: Shown = { numbers: {}, blanks: 0 };
    Object.assign(globalThis, { shown: seen });
    let isStarted = false;
    new MutationObserver(() => {
      const text = document.body?.innerText.trim() ?? '';
      isStarted ||= text !== '';
      if (isStarted && text === '') seen.blanks += 1;
      // After a minute they are counted again, and somebody may have expired.
      if (performance.now() > 60_000) return;
      for (const tile of document.querySelectorAll('main a[href*="/subscribers?"]:has(> span)')) {
        const [name = '', number = ''] = [...tile.children].map((part) => part.textContent.trim());
        const numbers = (seen.numbers[name] ??= []);
        if (numbers.at(-1) !== number) numbers.push(number);
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });

/** In both themes. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await accessibilityFaults(page)));
  }
  return found;
}

/** Height of the rows that stand in the place of the dashboard, in px. */
const outline = (page: Page) =>
  page
    .locator('#root')
    .evaluate((root) =>
      getComputedStyle(root).backgroundImage.includes('gradient') ? root.clientHeight : 0,
    );

test.each([
  [1440, 900],
  [1024, 768],
  [390, 844],
])(
  'the first minute of the demo begins with a word, an outline and numbers that stand still, and leaves the page room, at %i pixels',
  async (width, height) => {
    const { page, complaints } = await openPage({ viewport: { width, height } });
    await watch(page);
    const [scripts, backend] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(/\.js$/, async (route) => {
      await scripts.promise;
      if (route.request().url().includes('/backend-worker-')) await backend.promise;
      await route.continue();
    });
    await page.goto(demo.url, { waitUntil: 'commit' });
    await page.getByText('Preparing the demo…').waitFor();
    scripts.resolve();
    await page.getByText('Preparing the demo (2,000 subscribers)…').waitFor();
    expect(await outline(page)).toBeGreaterThan(height / 2);
    backend.resolve();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await outline(page)).toBe(0);
    await page.getByRole('link', { name: /^Expired trials\s*157/ }).waitFor();
    await page.getByRole('table').getByText('Sigrid').waitFor();
    const card = page.getByRole('region', { name: 'This is a demo of Subscriber Desk' });
    await card.getByText(/^Managers filter expired trials/).waitFor();
    const { bottom } = await card.evaluate((element) => element.getBoundingClientRect());
    expect(bottom).toBeLessThan(height / 2);
    expect(await faults(page)).toEqual([]);

    const bar = barOf(page);
    const open = bar.getByRole('button', { name: 'Demo' });
    if ((await open.getAttribute('aria-expanded')) === 'false') await open.click();
    await bar.getByLabel('View as').selectOption('support');
    await card.getByText(/^Support staff find a subscriber/).waitFor();
    expect((await card.getByRole('button').allTextContents()).slice(0, 3)).toEqual([
      'Hide',
      'A caller can’t watch',
      'A leaked token',
    ]);
    await bar.getByLabel('View as').selectOption('manager');
    await page.getByRole('table').getByText('Sigrid').waitFor();
    await card.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('link', { name: /^Expired trials\s*157/ }).click();
    await page.getByRole('heading', { name: 'Subscribers 157' }).waitFor();
    await table(page).getByRole('link').first().waitFor();
    await page.goBack();
    await page.getByRole('table').getByText('Sigrid').waitFor();
    const { numbers, blanks } = await shown(page);
    expect(blanks).toBe(0);
    expect(Object.keys(numbers)).toContain('Expire in 7 days');
    expect(Object.entries(numbers).filter(([, all]) => all.length > 1)).toEqual([]);
    expect(complaints()).toEqual([]);
  },
);
