import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import type { Watched } from './browser.ts';
import type { Product } from './product.ts';
import { openSignedIn } from './sign-in.ts';

/** Each test begins where the one before ended. */
export function testManagersChange(viewport: { width: number; height: number }): void {
  let server: Product;
  let watched: Watched;
  let page: Page;
  let clicks = 0;

  beforeAll(async () => {
    ({ server, watched, page } = await openSignedIn('start', {}, { viewport }));
  });
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));

  async function press(role: 'button' | 'link', name: string | RegExp): Promise<void> {
    clicks += 1;
    await page.getByRole(role, { name }).click();
  }
  /** Types the number that is asked for into the field that has the focus. */
  async function typeNumber(): Promise<void> {
    const label = page.getByText(/^Type \d+ to confirm$/);
    const field = page.getByRole('textbox', { name: /^Type \d+ to confirm$/ });
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type((await label.textContent())?.replace(/\D/g, '') ?? '');
  }
  const hasReport = (sentence: RegExp) =>
    page.getByRole('region', { name: 'Report' }).getByText(sentence).waitFor();
  const preview = () => page.getByRole('region', { name: 'Preview' }).waitFor();
  /** Rows of the page before are dimmed. */
  const rowsAreThere = () => page.locator('table[aria-busy=false]').waitFor();

  async function undoInThreeClicks(confirm?: () => Promise<void>): Promise<void> {
    clicks = 0;
    await press('button', 'Undo this job…');
    await page.getByRole('heading', { level: 1, name: /^Undo the changes of/ }).waitFor();
    await preview();
    await confirm?.();
    await press('button', /^Undo the changes of/);
    await hasReport(/^Done\. [\d,]+ undone/);
    expect(clicks).toBeLessThanOrEqual(3);
  }

  test('all expired trials are extended by a month in six clicks', async () => {
    await press('link', /^Expired trials/);
    await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
    await press('button', 'Select');
    await press('button', /^Select all [\d,]+ that match$/);
    await press('button', 'Extend…');
    await page.getByRole('dialog', { name: /^Extend [\d,]+ subscribers$/ }).waitFor();
    await press('button', 'Preview');
    await preview();
    await typeNumber();
    await press('button', /^Extend [\d,]+ subscribers$/);
    await hasReport(/^Done\. [\d,]+ extended/);
    expect(clicks).toBeLessThanOrEqual(6);
    await page.goto(`${server.url}/subscribers?expired=true&trial=true`);
    await page.getByText('No subscribers match', { exact: true }).waitFor();
  });

  test('a job is undone in three clicks', async () => {
    await page.goto(`${server.url}/jobs`);
    await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().click();
    await undoInThreeClicks(typeNumber);
  });

  test('Sports is added to all expired trials in Norway in eight clicks, and taken away in three', async () => {
    await page.goto(`${server.url}/subscribers`);
    clicks = 0;
    await press('link', /^Expired trials/);
    await page.getByRole('searchbox', { name: 'Find subscribers' }).fill('country:norway');
    await page.getByRole('searchbox', { name: 'Find subscribers' }).press('Enter');
    await page.getByRole('option', { name: 'Country: Norway' }).waitFor({ state: 'attached' });
    await rowsAreThere();
    await press('button', 'Select');
    await press('button', /^Select all [\d,]+ that match$/);
    await press('button', 'Edit…');
    await page.getByRole('combobox', { name: 'Bundles: what to do' }).selectOption('Add');
    await page.getByLabel('Bundles to add').fill('sports');
    await page.getByRole('option', { name: 'Sports · 3' }).waitFor();
    await page.keyboard.press('Enter');
    await press('button', 'Preview');
    await preview();
    await page.getByText('Bundles: add Sports · 3.').waitFor();
    await page.getByText('All that match: expired, trial, country Norway').waitFor();
    await press('button', /^Edit [\d,]+ subscribers$/);
    await hasReport(/^Done\. [\d,]+ edited/);
    expect(clicks).toBeLessThanOrEqual(8);
    await undoInThreeClicks();
  });

  test('a preview leads to those who can’t watch, leaves them out, tries some and waits for the night', async () => {
    await page.goto(`${server.url}/subscribers`);
    await press('button', 'Select');
    await press('button', /^Select all [\d,]+ subscribers$/);
    await press('button', 'Extend…');
    await press('button', 'Preview');
    await preview();
    const suspended = page.getByRole('listitem').filter({ hasText: 'Suspended' });
    await suspended.getByRole('link', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'Suspended', pressed: true }).waitFor();
    await rowsAreThere();
    expect(await accessibilityFaults(page)).toEqual([]);
    await suspended.getByRole('button', { name: 'Leave these out' }).click();
    await suspended.waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Or only some' }).fill('12');
    await press('button', 'Start with the first 12');
    await page
      .getByRole('region', { name: 'Progress' })
      .getByText(/^The first 12 are done/)
      .waitFor();
    await press('button', 'Stop');
    await hasReport(/^Stopped\. 12 extended, [\d,]+ left out, [\d,]+ left to do\.$/);

    await page.goto(`${server.url}/subscribers?expired=true`);
    await press('button', 'Select');
    await press('button', /^Select all [\d,]+ that match$/);
    await press('button', 'Extend…');
    await press('button', 'Preview');
    await preview();
    await typeNumber();
    await press('button', 'Start later…');
    await press('button', 'Schedule');
    await page
      .getByRole('region', { name: 'Preview' })
      .getByText(/^Starts on .*02:00\.$/)
      .waitFor();
    await page.getByText('Scheduled', { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await press('button', 'Discard');
    await hasReport(/^Discarded\. Nothing was changed\.$/);
  });

  test('a preview is for all but the suspended where the list was filtered so, and a saved view opens the list again', async () => {
    await page.goto(`${server.url}/subscribers`);
    await page.getByRole('option', { name: 'Status: Suspended' }).waitFor({ state: 'attached' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Several…');
    const dialog = page.getByRole('dialog', { name: 'Filter by status' });
    await dialog.getByRole('checkbox', { name: 'Suspended' }).uncheck();
    expect(await accessibilityFaults(page)).toEqual([]);
    await press('button', 'Show subscribers');
    await page.getByRole('option', { name: 'Status: not Suspended' }).waitFor({ state: 'attached' });
    await rowsAreThere();
    await press('button', 'Save view');
    const saving = page.getByRole('dialog', { name: 'Save view' });
    await saving.getByRole('textbox', { name: 'Name' }).fill('Not suspended');
    await saving.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('link', { name: 'Not suspended' }).waitFor();
    await press('link', /^All/);
    await page.getByRole('option', { name: 'Status: not Suspended' }).waitFor({ state: 'detached' });
    await press('link', 'Not suspended');
    await page.getByRole('option', { name: 'Status: not Suspended' }).waitFor({ state: 'attached' });
    await press('button', 'Select');
    await press('button', /^Select all [\d,]+ that match$/);
    await press('button', 'Extend…');
    await press('button', 'Preview');
    await preview();
    await page.getByText('All that match: status not Suspended').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Suspended' }).count()).toBe(0);
    await press('button', 'Discard');
  });

  test('a job goes on when the page is reloaded or left, and a toast tells how it ended', async () => {
    await page.goto(`${server.url}/subscribers?trial=true`);
    await press('button', 'Select');
    await press('button', /^Select all [\d,]+ that match$/);
    await press('button', 'Edit…');
    await page.getByRole('textbox', { name: 'Add to the note' }).fill('Informed by mail.');
    await press('button', 'Preview');
    await preview();
    await typeNumber();
    // However fast it is, the page hears of its end only when it has been left.
    const left = Promise.withResolvers<void>();
    await page.route(/\/bff\/jobs(\/[\w-]+)?(\?.*)?$/, async (route) => {
      if (route.request().method() === 'GET') await left.promise;
      await route.continue();
    });
    await press('button', /^Edit [\d,]+ subscribers$/);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await rowsAreThere();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await page.getByRole('link', { name: 'Subscribers', exact: true }).click();
    left.resolve();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    const toast = page.getByRole('status', { name: 'Notifications' });
    await toast.getByText(/^Edit [\d,]+ subscribers: done/).waitFor();
    await toast.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('heading', { level: 1, name: /^Edit [\d,]+ subscribers/ }).waitFor();
    await rowsAreThere();
  });
}
