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

// 1280 pixels at 400 % are 320: what WCAG 1.4.10 asks for.
const widths = [1440, 1024, 390, 320];

test.each([
  ['/subscribers', 'Subscribers'],
  ['/subscribers?expired=true&username=e', 'Subscribers'],
  ['/subscribers/new', 'New subscriber'],
  ['/subscribers/1/edit', /^Edit /],
  ['/subscribers/1', /^(?!Subscribers)/],
  ['/activity', 'Activity'],
  ['/jobs', 'Jobs'],
  ['/overview', 'Overview'],
  ['/messages', 'Messages'],
  ['/staff', 'Staff'],
] as const)('%s is never wider than the window', async (address, heading) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto(`${server.url}${address}`);
  await page.getByRole('heading', { name: heading }).first().waitFor();
  await page.waitForLoadState('networkidle');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const widest = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(widest, { message: `at ${width} pixels` }).toBe(width);
  }
});
