import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, openPage } from './browser.ts';
import { runScript, type RunningScript } from './run-script.ts';
import { signIn } from './sign-in.ts';

let server: RunningScript;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([runScript('start'), launchChromium()]);
  ({ page } = await openPage(browser));
  await signIn(page, server);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const widths = [1440, 1280, 1024];
const addresses = ['/subscribers', '/subscribers?status=1&expired=true&trial=true'];

test.each(widths.flatMap((width) => addresses.map((address) => ({ width, address }))))(
  'at $width pixels the row that opens its pane stays under the pointer, at $address',
  async ({ width, address }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${server.url}${address}`);
    const row = page.getByRole('table', { name: 'Subscribers' }).getByRole('rowheader').nth(8);
    await row.waitFor();
    await page.locator('table[aria-busy=false]').waitFor();
    await page.waitForLoadState('networkidle');
    const before = await row.boundingBox();
    await row.getByRole('link').click();
    await page.getByRole('complementary').getByText('User agents', { exact: true }).waitFor();
    expect((await row.boundingBox())?.y).toBe(before?.y);
  },
);

test('the list stays on the page where the part for saving views cannot be loaded', async () => {
  await page.route('**/assets/saved-views-*', (route) => route.abort());
  await page.goto(`${server.url}/subscribers`);
  const table = page.getByRole('table', { name: 'Subscribers' });
  await table.getByRole('button', { name: 'Username' }).click();
  await page.getByText('Couldn’t load this part of the page. Check your connection and try again.').waitFor();
  await page.waitForURL(/sort=username/);
  await table.getByRole('link').first().waitFor();
});

test('Save and Cancel return to the list as it was left: its page, its place and the row', async () => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto(`${server.url}/subscribers?page=2&pageSize=100`);
  const row = page
    .getByRole('table', { name: 'Subscribers' })
    .getByRole('rowheader')
    .nth(60)
    .getByRole('link');
  const place = async () => (await row.boundingBox())?.y;
  const rowFocused = page.locator('tbody tr:nth-child(61) a:focus');
  await row.focus();
  const left = await place();

  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await rowFocused.waitFor();
  expect(await place()).toBe(left);

  await page.keyboard.press('e');
  await page.getByLabel('Note').fill('Called back.');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await rowFocused.waitFor();
  expect(await place()).toBe(left);

  await page.keyboard.press('Enter');
  const pane = page.getByRole('complementary');
  await pane.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await pane.getByText('User agents', { exact: true }).waitFor();
  expect(await place()).toBe(left);
  await page.keyboard.press('Escape');
  await rowFocused.waitFor();
  expect(await place()).toBe(left);
});
