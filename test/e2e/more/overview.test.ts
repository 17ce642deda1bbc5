import { afterEach, describe, expect, it } from 'vitest';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

const { server, watched, page } = await openSignedIn();

describe('the overview', () => {
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));

  const numbers = () => page.getByRole('link', { name: /^Expire in 7 days\s*[\d,]+/ });
  const firstWeek = () =>
    page.getByRole('region', { name: 'Expire in the next 12 weeks' }).getByRole('link').first();

  it('is where a manager begins, and moves nothing when its numbers come', async () => {
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
    expect(await shifted()).toBeLessThan(0.01);
  });

  it('opens a bar in a tab of its own, as any link does', async () => {
    const tab = page.context().waitForEvent('page');
    await firstWeek().click({ modifiers: ['ControlOrMeta'] });
    await (await tab).waitForURL(/\/subscribers\?.*expiresFrom=/);
    await (await tab).close();
    await numbers().waitFor();
  });

  it('tells the parts of the bars apart in high contrast', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const swatches = page.getByRole('region', { name: /^Changes in/ }).locator('p [data-series]');
    const looks = await swatches.evaluateAll((all) =>
      all.map((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).borderWidth]),
    );
    const parts = page.getByRole('region', { name: /^Expire in/ }).locator('a [data-series]');
    const fills = await parts.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    await page.emulateMedia({ forcedColors: 'none' });
    expect(looks.length).toBeGreaterThan(1);
    expect(new Set(looks.map(([background]) => background)).size).toBe(looks.length);
    expect(new Set(looks.map(([, border]) => border))).toEqual(new Set(['1px']));
    expect(new Set(fills).size).toBeGreaterThan(1);
  });
});
