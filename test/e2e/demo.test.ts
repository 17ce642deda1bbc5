import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { openPage } from './browser.ts';
import type { RunningScript } from './run-script.ts';
import { openBrowserAt } from './sign-in.ts';

let demo: RunningScript;
let browser: Browser;

beforeAll(async () => {
  const opened = await openBrowserAt('demo');
  ({ server: demo, browser } = opened);
  return opened.close;
});

/** The demo at an address, with few subscribers unless it says how many. */
async function openDemo(address = '/?demo-data=25', options: Parameters<typeof openPage>[1] = {}) {
  const watched = await openPage(browser, options);
  await watched.page.goto(`${demo.url}${address}`);
  return { ...watched, bar: watched.page.getByRole('region', { name: 'Demo', exact: true }) };
}

const isFocused = (element: Element) => element === document.activeElement;
const table = (page: Page) => page.getByRole('table', { name: 'Subscribers' });
const pane = (page: Page) => page.getByRole('complementary');
const shownNote = (page: Page, text: string) => pane(page).getByText(text).first();
const saveNote = async (page: Page, note: string) => {
  await page.getByLabel('Note', { exact: true }).fill(note);
  await page.getByRole('button', { name: 'Save changes' }).click();
};

test('nothing that the dashboard asks for leaves the tab', async () => {
  const { page, complaints, refusals } = await openDemo('/subscribers/3/edit');
  const sent: string[] = [];
  // What the worker answers never leaves the page; this sees only what goes to the server.
  page.context().on('request', (request) => {
    if (request.serviceWorker()) sent.push(request.url());
  });
  await saveNote(page, 'Changed in the demo.');
  await shownNote(page, 'Changed in the demo.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(complaints()).toEqual([]);
  expect(refusals()).toEqual([]);
  expect(sent.filter((url) => /\/(api|bff)\//.test(url))).toEqual([]);
});

test('"View as" signs in with the rights of the chosen role', async () => {
  const { page, bar } = await openDemo('/staff');
  await page.getByRole('table').getByText('Sigrid').waitFor();
  await bar.getByLabel('View as').selectOption('viewer');
  await page.getByRole('alert').getByText('Only managers can see staff accounts.').waitFor();
  await page.getByRole('button', { name: /Account: .*Jonas/ }).waitFor();
  await bar.getByLabel('View as').selectOption('manager');
  await page.getByRole('table').getByText('Sigrid').waitFor();
});

test('a file is imported in the tab', async () => {
  const { page, complaints } = await openDemo('/jobs/import?demo-data=25');
  const text =
    '{"username":"new-in-demo","email":"new@example.com","expiresAt":"2099-01-01T12:00:00Z"}\nno JSON\n';
  const file = { name: 'new.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Import 1 subscriber' }).click();
  await page.getByText('Done. 1 imported, 1 skipped.').last().waitFor();
  await page.getByRole('link', { name: 'new-in-demo' }).click();
  await page.getByRole('complementary', { name: 'new-in-demo' }).waitFor();
  expect(complaints()).toEqual([]);
});

test('subscriptions expire when the clock moves on, and changes survive a reload until the demo starts over', async () => {
  const { page, bar } = await openDemo('/subscribers/3?demo-data=25');
  await pane(page).getByRole('link', { name: 'Edit' }).click();
  await saveNote(page, 'Outlives a reload.');
  const note = shownNote(page, 'Outlives a reload.');
  await note.waitFor();
  await pane(page).getByText('Can watch').waitFor();
  for (let year = 0; year < 12; year += 1) await bar.getByRole('button', { name: '+1 month' }).click();
  await pane(page).getByText('Can’t watch').waitFor();
  await page.reload();
  await note.waitFor();
  await pane(page).getByText('Can’t watch').waitFor();
  await bar.getByText('Clock: 360 days ahead').waitFor();

  const data = bar.getByLabel('Data');
  const dialog = page.getByRole('dialog', { name: 'Start the demo over' });
  await data.selectOption('No subscribers');
  await dialog.getByText('What you changed in the demo will be gone.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await data.inputValue()).toBe('25');
  await data.selectOption('No subscribers');
  await dialog.getByRole('button', { name: 'Start over' }).click();
  await bar.getByText('Clock: now').waitFor();
  await page.goto(`${demo.url}/subscribers`);
  await page.getByText('No subscribers yet').waitFor();
  await page.goto(`${demo.url}/subscribers/3`);
  await page.getByRole('heading', { name: 'This subscriber doesn’t exist' }).waitFor();
});

test('while the service is down the list says so, and it reads again once it is back', async () => {
  const { page, bar } = await openDemo('/subscribers?demo-data=25&demo-faults=down');
  await page.getByText('Couldn’t load the list').waitFor();
  await bar.getByRole('button', { name: 'Faults: 1 on' }).click();
  await page.getByRole('checkbox', { name: /^Service down/ }).uncheck();
  await bar.getByRole('button', { name: 'Faults', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const again = page.getByRole('button', { name: 'Try again' }).first();
  await expect
    .poll(async () => {
      // The list may read again by itself and remove the button.
      if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => undefined);
      return table(page).getByRole('link').count();
    })
    .toBeGreaterThan(0);
});

test('an edit that a colleague was faster with leads to the dialog that shows both changes', async () => {
  const { page } = await openDemo('/subscribers/3/edit?demo-data=25&demo-faults=edits-meanwhile');
  await saveNote(page, 'Mine.');
  const dialog = page.getByRole('dialog');
  await dialog
    .getByText(/Sigrid/)
    .first()
    .waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a session that ends leads to sign-in, and signing in leads back to the page before', async () => {
  const { page, bar } = await openDemo('/subscribers?expired=true&demo-data=2000&demo-faults=session-ends');
  await page.getByRole('heading', { name: 'Sign in to Subscriber Desk' }).waitFor();
  await bar.getByText('Sign in as Jonas, Ingrid or Marit with any password').waitFor();
  await expect.poll(() => bar.getByLabel('View as').inputValue()).toBe('nobody');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel('Name', { exact: true }).fill('Ingrid');
  await page.getByLabel('Password', { exact: true }).fill('whatever');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await table(page).getByRole('link').first().waitFor();
  expect(page.url()).toBe(`${demo.url}/subscribers?expired=true`);
  await page.getByRole('button', { name: /Account: .*Ingrid/ }).waitFor();
  await expect.poll(() => bar.getByLabel('View as').inputValue()).toBe('support');
});

test('a change whose answer is lost is shown as done', async () => {
  const { page } = await openDemo('/subscribers/3/edit?demo-data=25&demo-faults=lost-answers');
  await saveNote(page, 'Done without an answer.');
  await shownNote(page, 'Done without an answer.').waitFor();
});

test('the link that is copied holds the settings and nothing else, and opens the same demo elsewhere', async () => {
  const { page, bar } = await openDemo('/subscribers?username=anna&demo-data=25&demo-role=support');
  await bar.getByRole('button', { name: '+1 week' }).click();
  await bar.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('checkbox', { name: /^Slow/ }).check();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Copy link' }).click();
  await bar.getByRole('button', { name: 'Link copied' }).waitFor();
  // The page may write to the clipboard and not read it, so somebody pastes.
  await page.getByRole('link', { name: 'New subscriber' }).click();
  const note = page.getByLabel('Note', { exact: true });
  await note.press('Control+v');
  await expect.poll(() => note.inputValue()).not.toBe('');
  const link = await note.inputValue();
  expect(link).toBe(`${demo.url}/?demo-role=support&demo-data=25&demo-faults=slow&demo-days=7`);

  const { page: other } = await openPage(browser);
  await other.goto(link);
  const there = other.getByRole('region', { name: 'Demo', exact: true });
  await there.getByText('Clock: 7 days ahead').waitFor();
  await there.getByRole('button', { name: 'Faults: 1 on' }).waitFor();
  await other.getByText('of 25').waitFor();
  await expect.poll(() => there.getByLabel('View as').inputValue()).toBe('support');
  expect(other.url()).toBe(`${demo.url}/subscribers`);
});

test.each([1440, 1024, 390])(
  'the bar covers nothing of the dashboard at %i pixels, and stays in reach',
  async (width) => {
    const { page, bar } = await openDemo('/subscribers?demo-data=25', { viewport: { width, height: 844 } });
    await table(page).getByRole('link').first().waitFor();
    const open = bar.getByRole('button', { name: 'Demo' });
    if ((await open.getAttribute('aria-expanded')) === 'false') await open.press('Enter');
    await bar.getByLabel('View as').waitFor();
    const box = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect());
    const card = page.getByRole('region', { name: 'This is a demo of Subscriber Desk' });
    expect((await box(card)).top).toBeGreaterThanOrEqual((await box(bar)).bottom);
    expect((await box(page.locator('#root'))).top).toBeGreaterThanOrEqual((await box(card)).bottom);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(width);
    expect(await accessibilityFaults(page)).toEqual([]);
    await open.press('Enter');
    await bar.getByText('Manager · 25 subscribers').waitFor();
    await card.getByRole('button', { name: 'Hide' }).press('Enter');
    await expect.poll(() => bar.getByRole('button', { name: 'Scenarios' }).evaluate(isFocused)).toBe(true);
    await table(page).getByRole('link').last().scrollIntoViewIfNeeded();
    expect((await box(bar)).top).toBe(0);
    // A sticky part of the dashboard stays below it.
    const navigation = page.getByRole('navigation').first();
    expect((await box(navigation)).top).toBeGreaterThanOrEqual((await box(bar)).bottom);
  },
);
