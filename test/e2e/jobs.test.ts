import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { launchChromium, openPage, type Watched } from './browser.ts';
import { runScript, type RunningScript } from './run-script.ts';
import { signIn } from './sign-in.ts';

const widths = [1440, 1024, 390];

/** Each test begins where the one before ended. */
describe.each(['start', 'demo'] as const)('a change of many subscribers, by npm run %s', (script) => {
  let server: RunningScript;
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  let clicks = 0;

  beforeAll(async () => {
    [server, browser] = await Promise.all([runScript(script), launchChromium()]);
    watched = await openPage(browser);
    ({ page } = watched);
    if (script === 'start') await signIn(page, server);
    else await page.goto(server.url);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));

  const main = () => page.getByRole('main');
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const press = async (role: 'button' | 'link', name: string | RegExp) => {
    clicks += 1;
    await page.getByRole(role, { name }).click();
  };
  /** Types the number that is asked for into the field that has the focus. */
  const typeNumber = async () => {
    const label = page.getByText(/^Type \d+ to confirm$/);
    const field = page.getByRole('textbox', { name: /^Type \d+ to confirm$/ });
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type((await label.textContent())?.replace(/\D/g, '') ?? '');
  };
  /** Rows of the page before are dimmed. */
  const rowsAreThere = () => page.locator('table[aria-busy=false]').waitFor();

  async function isFineAtEachWidth(): Promise<void> {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFaults(page)).toEqual([]);
      const widest = () => page.evaluate(() => document.documentElement.scrollWidth);
      await expect.poll(widest, { message: `at ${width} pixels` }).toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  test('all expired trials are extended by a month in six clicks', async () => {
    await press('link', /^Expired trials/);
    await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
    await press('button', 'Select');
    await press('button', /^Select all [\d,]+ that match$/);
    await press('button', 'Extend…');
    await page.getByRole('dialog', { name: /^Extend [\d,]+ subscribers$/ }).waitFor();
    await press('button', 'Preview');
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    await typeNumber();
    await press('button', /^Extend [\d,]+ subscribers$/);
    await main()
      .getByText(/^Done\. [\d,]+ extended/)
      .filter({ visible: true })
      .last()
      .waitFor();
    expect(clicks).toBeLessThanOrEqual(6);
    await page.goto(`${server.url}/subscribers?expired=true&trial=true`);
    await page.getByText('No subscribers match', { exact: true }).waitFor();
  });

  test('and undone in three', async () => {
    await page.goto(`${server.url}/jobs`);
    await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().click();
    clicks = 0;
    await press('button', 'Undo this job…');
    await heading(/^Undo the changes of/).waitFor();
    await typeNumber();
    await press('button', /^Undo the changes of/);
    await main()
      .getByText(/^Done\. [\d,]+ undone/)
      .last()
      .waitFor();
    expect(clicks).toBeLessThanOrEqual(3);
  });

  // In the demo the jobs are in the tab as well.
  if (script === 'start') {
    test('goes on when the page is reloaded or left, and a toast tells how it ended', async () => {
      await page.goto(`${server.url}/subscribers?trial=true`);
      await press('button', 'Select');
      await press('button', /^Select all [\d,]+ that match$/);
      await press('button', 'Edit…');
      await page.getByRole('textbox', { name: 'Add to the note' }).fill('Informed by mail.');
      await press('button', 'Preview');
      await page.getByRole('region', { name: 'Preview' }).waitFor();
      await typeNumber();
      await press('button', /^Edit [\d,]+ subscribers$/);
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      await rowsAreThere();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.reload();
      await page.getByRole('link', { name: 'Subscribers', exact: true }).click();
      const toast = page.getByRole('status', { name: 'Notifications' });
      await toast.getByText(/^Edit [\d,]+ subscribers: done/).waitFor();
      await toast.getByRole('button', { name: 'Show' }).click();
      await heading(/^Edit [\d,]+ subscribers/).waitFor();
      await rowsAreThere();
    });

    test('has accessible screens and dialogs, no wider than the window', async () => {
      await isFineAtEachWidth();
      await page.goto(`${server.url}/jobs`);
      await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().waitFor();
      await isFineAtEachWidth();
      await page.goto(`${server.url}/subscribers`);
      await press('button', 'Select');
      await page
        .getByRole('checkbox', { name: /^Select (?!all)/ })
        .first()
        .check();
      await isFineAtEachWidth();
      for (const name of ['Extend…', 'Edit…', 'Regenerate tokens…', 'Delete…']) {
        await press('button', name);
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Preview' }).waitFor();
        await isFineAtEachWidth();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      await press('button', 'Delete…');
      await press('button', 'Preview');
      await page.getByRole('region', { name: 'Preview' }).waitFor();
      await isFineAtEachWidth();
    });
  }
});
