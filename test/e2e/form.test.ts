import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, openPage, type Watched } from './browser.ts';
import { runScript, type RunningScript } from './run-script.ts';
import { signIn } from './sign-in.ts';

let server: RunningScript;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([runScript('start'), launchChromium()]);
  // The page stays English; the order of dates and the clock are Norwegian.
  watched = await openPage(browser, { locale: 'nb-NO' });
  page = watched.page;
  await signIn(page, server);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a Norwegian browser gets English sentences, with the day before the month and 24 hours', async () => {
  await page.goto(`${server.url}/subscribers/1`);
  await page.getByText(/^Can watch .* until \d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d /).waitFor();
  const times = await page.getByRole('time').allTextContents();
  expect(times.length).toBeGreaterThan(20);
  expect(times.filter((time) => /\b(om|siden|morgen|går|neste|forrige)\b/.test(time))).toEqual([]);
});

test('n begins a new subscriber, Trial proposes the expiry, and Control and Enter save it', async () => {
  await page.goto(`${server.url}/subscribers`);
  await page.getByRole('table').getByRole('link').first().waitFor();
  await page.keyboard.press('n');
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('bjarne');
  await page.keyboard.press('Tab');
  await page.keyboard.type('bjarne@example.com');
  await page.keyboard.press('Tab');
  // Leaving the empty expiry says nothing that would move the box below the pointer.
  await page.getByLabel('Trial').check();
  await page.getByText(/^Expires is set to .*: a trial lasts 7 days\.$/).waitFor();
  await page.getByLabel('Note').fill('Two lines,');
  await page.getByLabel('Note').press('Enter');
  await page.keyboard.type('yes.');
  await page.keyboard.press('Control+Enter');
  const pane = page.getByRole('complementary', { name: 'bjarne' });
  await pane.getByText(/yes\.$/).waitFor();
  expect(watched.complaints()).toEqual([]);
});
