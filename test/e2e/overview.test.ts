import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import type { Watched } from './browser.ts';
import type { RunningScript } from './run-script.ts';
import { openSignedIn } from './sign-in.ts';

describe.each(['start', 'demo'] as const)('the overview, by npm run %s', (script) => {
  let server: RunningScript;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    const opened = await openSignedIn(script);
    ({ server, watched, page } = opened);
    return opened.close;
  });
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));

  const numbers = () => page.getByRole('link', { name: /^Expire in 7 days\s*[\d,]+/ });
  const firstWeek = () =>
    page.getByRole('region', { name: 'Expire in the next 12 weeks' }).getByRole('link').first();

  test('is where a manager begins, in both themes without faults, and moves nothing when its numbers come', async () => {
    await page.addInitScript(() => {
      const shifts = { sum: 0 };
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.sum += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`${server.url}/`);
    await numbers().waitFor();
    await page.waitForURL(/\/overview$/);
    await page.getByRole('region', { name: /^Changes in the last 30 days/ }).waitFor();
    const shifted = () =>
      page.evaluate(() => (globalThis as unknown as { shifts: { sum: number } }).shifts.sum);
    // In the demo, what colleagues did comes after the first view, and changes the numbers.
    if (script === 'demo') await page.getByRole('table').getByText('Sigrid').waitFor();
    // The demo’s bar comes when its service runs.
    expect(await shifted()).toBeLessThan(script === 'start' ? 0.01 : 1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFaults(page)).toEqual([]);
    }
  });

  test('opens the list of a bar by Enter, with the number that it shows', async () => {
    const label = (await firstWeek().getAttribute('aria-label')) ?? '';
    const count = /: ([\d,]+)/.exec(label)?.[1] ?? '';
    await firstWeek().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/expiresFrom=.*&expiresTo=/);
    await page.getByRole('heading', { name: `Subscribers ${count}` }).waitFor();
    await page.goBack();
    await numbers().waitFor();
  });

  test('opens a bar in a tab of its own, as any link does', async () => {
    const tab = page.context().waitForEvent('page');
    await firstWeek().click({ modifiers: ['ControlOrMeta'] });
    await (await tab).waitForURL(/\/subscribers\?.*expiresFrom=/);
    await (await tab).close();
    await numbers().waitFor();
  });

  test('tells the parts of the bars apart in high contrast', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const swatches = page.getByRole('region', { name: /^Changes in/ }).locator('[data-series]:not(rect)');
    const looks = await swatches.evaluateAll((all) =>
      all.map((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).borderWidth]),
    );
    const parts = page.getByRole('region', { name: /^Expire in/ }).locator('rect[data-series]');
    const fills = await parts.evaluateAll((all) => all.map((one) => getComputedStyle(one).fill));
    await page.emulateMedia({ forcedColors: 'none' });
    expect(looks.length).toBeGreaterThan(1);
    expect(new Set(looks.map(([background]) => background)).size).toBe(looks.length);
    expect(new Set(looks.map(([, border]) => border))).toEqual(new Set(['1px']));
    expect(new Set(fills).size).toBeGreaterThan(1);
  });
});
