import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import type { Watched } from './browser.ts';
import type { RunningScript } from './run-script.ts';
import { openSignedIn } from './sign-in.ts';

const widths = [1440, 1024, 390];

/** A browser at a server, for the tests of a `describe`, each of which begins where the one before ended. */
function openBrowser(script: 'start' | 'demo') {
  let server: RunningScript;
  let watched: Watched;
  const desk = {
    get page(): Page {
      return watched.page;
    },
    get url(): string {
      return server.url;
    },
    clicks: 0,
    async press(role: 'button' | 'link', name: string | RegExp): Promise<void> {
      desk.clicks += 1;
      await desk.page.getByRole(role, { name }).click();
    },
    /** Types the number that is asked for into the field that has the focus. */
    async typeNumber(): Promise<void> {
      const label = desk.page.getByText(/^Type \d+ to confirm$/);
      const field = desk.page.getByRole('textbox', { name: /^Type \d+ to confirm$/ });
      await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
      await desk.page.keyboard.type((await label.textContent())?.replace(/\D/g, '') ?? '');
    },
    /** Waits until the report says this. */
    said: (sentence: RegExp) =>
      desk.page.getByRole('region', { name: 'Report' }).getByText(sentence).waitFor(),
    preview: () => desk.page.getByRole('region', { name: 'Preview' }).waitFor(),
    /** Rows of the page before are dimmed. */
    rowsAreThere: () => desk.page.locator('table[aria-busy=false]').waitFor(),
    async isFineAtEachWidth(): Promise<void> {
      const faults: string[] = [];
      const hasDialog = (await desk.page.getByRole('dialog').count()) > 0;
      for (const width of widths) {
        await desk.page.setViewportSize({ width, height: 900 });
        // At 1440 pixels a table has all its columns, and at 390 the most is folded away; dialogs are the same in both.
        if (width === 390 || (width === 1440 && !hasDialog))
          faults.push(...(await accessibilityFaults(desk.page)));
        const widest = () => desk.page.evaluate(() => document.documentElement.scrollWidth);
        await expect.poll(widest, { message: `at ${width} pixels` }).toBeLessThanOrEqual(width);
      }
      expect(faults).toEqual([]);
      await desk.page.setViewportSize({ width: 1440, height: 900 });
    },
  };
  beforeAll(async () => {
    const opened = await openSignedIn(script);
    ({ server, watched } = opened);
    return opened.close;
  });
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));
  return desk;
}

describe.each(['start', 'demo'] as const)('a change of many subscribers, by npm run %s', (script) => {
  const desk = openBrowser(script);

  test('all expired trials are extended by a month in six clicks', async () => {
    await desk.press('link', /^Expired trials/);
    await desk.page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
    await desk.press('button', 'Select');
    await desk.press('button', /^Select all [\d,]+ that match$/);
    await desk.press('button', 'Extend…');
    await desk.page.getByRole('dialog', { name: /^Extend [\d,]+ subscribers$/ }).waitFor();
    await desk.press('button', 'Preview');
    await desk.preview();
    await desk.typeNumber();
    await desk.press('button', /^Extend [\d,]+ subscribers$/);
    await desk.said(/^Done\. [\d,]+ extended/);
    expect(desk.clicks).toBeLessThanOrEqual(6);
    await desk.page.goto(`${desk.url}/subscribers?expired=true&trial=true`);
    await desk.page.getByText('No subscribers match', { exact: true }).waitFor();
  });

  test('and undone in three', async () => {
    await desk.page.goto(`${desk.url}/jobs`);
    await desk.page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().click();
    desk.clicks = 0;
    await desk.press('button', 'Undo this job…');
    await desk.page.getByRole('heading', { level: 1, name: /^Undo the changes of/ }).waitFor();
    await desk.typeNumber();
    await desk.press('button', /^Undo the changes of/);
    await desk.said(/^Done\. [\d,]+ undone/);
    expect(desk.clicks).toBeLessThanOrEqual(3);
  });
});

describe('a job on a server', () => {
  const desk = openBrowser('start');

  test('goes on when the page is reloaded or left, and a toast tells how it ended', async () => {
    await desk.page.goto(`${desk.url}/subscribers?trial=true`);
    await desk.press('button', 'Select');
    await desk.press('button', /^Select all [\d,]+ that match$/);
    await desk.press('button', 'Edit…');
    await desk.page.getByRole('textbox', { name: 'Add to the note' }).fill('Informed by mail.');
    await desk.press('button', 'Preview');
    await desk.preview();
    await desk.typeNumber();
    // However fast it is, the page hears of its end only when it has been left.
    const left = Promise.withResolvers<void>();
    await desk.page.route(/\/bff\/jobs(\/[\w-]+)?(\?.*)?$/, async (route) => {
      if (route.request().method() === 'GET') await left.promise;
      await route.continue();
    });
    await desk.press('button', /^Edit [\d,]+ subscribers$/);
    await desk.page.getByRole('button', { name: 'Pause' }).waitFor();
    await desk.rowsAreThere();
    expect(await accessibilityFaults(desk.page)).toEqual([]);
    await desk.page.reload();
    await desk.page.getByRole('link', { name: 'Subscribers', exact: true }).click();
    left.resolve();
    await desk.page.unrouteAll({ behavior: 'ignoreErrors' });
    const toast = desk.page.getByRole('status', { name: 'Notifications' });
    await toast.getByText(/^Edit [\d,]+ subscribers: done/).waitFor();
    await toast.getByRole('button', { name: 'Show' }).click();
    await desk.page.getByRole('heading', { level: 1, name: /^Edit [\d,]+ subscribers/ }).waitFor();
    await desk.rowsAreThere();
  });

  test('has accessible screens and dialogs, no wider than the window', async () => {
    await desk.isFineAtEachWidth();
    await desk.page.goto(`${desk.url}/jobs`);
    await desk.page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().waitFor();
    await desk.isFineAtEachWidth();
    await desk.page.goto(`${desk.url}/subscribers`);
    await desk.press('button', 'Select');
    await desk.page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check();
    await desk.isFineAtEachWidth();
    for (const name of ['Extend…', 'Edit…', 'Regenerate tokens…', 'Delete…']) {
      await desk.press('button', name);
      const dialog = desk.page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Preview' }).waitFor();
      await desk.isFineAtEachWidth();
      await desk.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await desk.press('button', 'Delete…');
    await desk.press('button', 'Preview');
    await desk.preview();
    await desk.isFineAtEachWidth();
  });
});
