/**
 * `npm run size`: what a browser with an empty cache loads until it shows the list of subscribers, compared with
 * budgets. Exits with 1 when one is exceeded.
 */
import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { launchChromium, openPage } from '../support/e2e/browser.ts';
import { signIn } from '../support/e2e/sign-in.ts';
import { password, startProcess } from './processes.ts';
import { row, say, show } from './report.ts';

/** Limits of the first view: kB as gzip packs them, and requests. */
const budgets = { script: 130, stylesheet: 10, requests: 8 };

const samples = { SAMPLE_SUBSCRIBERS: '2000' };
const [server, browser] = await Promise.all([
  startProcess('src/server/main.ts start', samples),
  launchChromium(),
]);
try {
  const { page } = await openPage({}, browser);
  await signIn(page, { ...server, password });
  const cold = await openPage({ storageState: await page.context().storageState() }, browser);
  const loaded: Response[] = [];
  // A page that stays quiet reads the next one ahead, on a busy machine even before its own requests count as over.
  const isAhead = (response: Response) => response.url().endsWith('?Page=2');
  cold.page.on('response', (response) => isAhead(response) || loaded.push(response));
  await cold.page.goto(`${server.url}/subscribers`, { waitUntil: 'networkidle' });
  await cold.page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();

  const sizes = await Promise.all(loaded.map(sizeOf));
  for (const { path, type, kilobytes } of sizes) say(row(path, type, `${kilobytes.toFixed(1)} kB`));
  say();
  const sum = (requested: string) =>
    sizes.filter(({ type }) => type === requested).reduce((total, { kilobytes }) => total + kilobytes, 0);
  const isWithin = [
    show('JavaScript, gzip', sum('script'), 'kB', budgets.script),
    show('CSS, gzip', sum('stylesheet'), 'kB', budgets.stylesheet),
    show('Requests', sizes.length, '', budgets.requests),
  ];
  if (isWithin.includes(false)) {
    say('Take something out of the first view.');
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await server.stop();
}

/** Size of the body as gzip packs it best, whatever was agreed on for the way. */
async function sizeOf(response: Response) {
  const { pathname, search } = new URL(response.url());
  const kilobytes = gzipSync(await response.body(), { level: 9 }).length / 1000;
  return { path: pathname + search, type: response.request().resourceType(), kilobytes };
}
