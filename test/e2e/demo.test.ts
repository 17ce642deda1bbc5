import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { launchChromium, openPage } from './browser.ts';
import { runDesk, type RunningDesk } from './desk-process.ts';

let demo: RunningDesk;
let browser: Browser;

beforeAll(async () => {
  [demo, browser] = await Promise.all([runDesk('demo'), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await demo?.stop();
});

test('the demo runs the whole desk in the tab, signed in as a manager', async () => {
  const { page, complaints, refusals } = await openPage(browser);
  const sent: string[] = [];
  // What the worker answers never leaves the page; this sees only what goes to the server.
  page.context().on('request', (request) => {
    if (request.serviceWorker()) sent.push(request.url());
  });
  await page.goto(demo.url);
  await page.getByText('of 2,000').waitFor();
  await page.getByRole('link', { name: 'Expired trials' }).click();
  await page.waitForURL(/expired=true&trial=true/);
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().click();
  const pane = page.getByRole('complementary');
  await pane.getByText('Cannot watch').waitFor();

  await pane.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Note', { exact: true }).fill('Changed in the demo.');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await pane.getByText('Changed in the demo.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Regenerate token…' }).click();
  await page.getByRole('button', { name: 'Regenerate token', exact: true }).click();
  await page.getByText('The old one no longer works.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete subscriber' }).click();
  await page.getByText(/is deleted\.$/).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Subscribers/);
  expect(complaints()).toEqual([]);
  expect(refusals()).toEqual([]);
  expect(sent.filter((url) => url.includes('/api/'))).toEqual([]);
});
