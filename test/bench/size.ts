/**
 * `npm run size`: what a browser with an empty cache loads until the list of subscribers stands, held against a
 * budget. Exits with 1 where a budget is passed.
 */
import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { launchChromium, openPage } from '../e2e/browser.ts';
import { runDesk } from '../e2e/desk-process.ts';
import { signIn } from '../e2e/sign-in.ts';

const kilo = 1000;
const budgets = { script: 135 * kilo, stylesheet: 10 * kilo, requests: 8 };

const [desk, browser] = await Promise.all([runDesk('start'), launchChromium()]);
try {
  const loaded = await firstView();
  const sizes = await Promise.all(loaded.map(measure));
  for (const { method, path, type, bytes } of sizes)
    say(`${method.padEnd(5)}${type.padEnd(12)}${kilobytes(bytes).padStart(10)}  ${path}`);
  const sum = (type: string) =>
    sizes.filter((size) => size.type === type).reduce((total, { bytes }) => total + bytes, 0);
  say('');
  hold('JavaScript, gzip', sum('script'), budgets.script, kilobytes);
  hold('CSS, gzip', sum('stylesheet'), budgets.stylesheet, kilobytes);
  hold('Requests', sizes.length, budgets.requests, String);
} finally {
  await browser.close();
  await desk.stop();
}

/** Every answer of a cold visit, signed in, until nothing is under way any more. */
async function firstView(): Promise<Response[]> {
  const { page } = await openPage(browser);
  await signIn(page, desk);
  const cold = await openPage(browser, { storageState: await page.context().storageState() });
  const loaded: Response[] = [];
  cold.page.on('response', (response) => loaded.push(response));
  await cold.page.goto(`${desk.url}/subscribers`, { waitUntil: 'networkidle' });
  await cold.page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
  return loaded;
}

/** Sizes are of the body as gzip packs it best, whatever was agreed on for the way. */
async function measure(response: Response) {
  const request = response.request();
  const { pathname, search } = new URL(response.url());
  const bytes = gzipSync(await response.body(), { level: 9 }).length;
  return { method: request.method(), path: `${pathname}${search}`, type: request.resourceType(), bytes };
}

function hold(name: string, figure: number, budget: number, show: (figure: number) => string): void {
  const kept = figure <= budget;
  if (!kept) process.exitCode = 1;
  say(
    `${name}: ${show(figure)} of ${show(budget)}${kept ? '' : '  PASSED: take something out of the first view'}`,
  );
}

function kilobytes(bytes: number): string {
  return `${(bytes / kilo).toFixed(1)} kB`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
