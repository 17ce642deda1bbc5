import { gzipSync } from 'node:zlib';
import type { Browser, Response } from 'playwright-core';
import { openPage } from '../support/e2e/browser.ts';
import type { RunningScript } from '../support/e2e/run-script.ts';
import { signIn } from '../support/e2e/sign-in.ts';

const kilo = 1000;

/** What the first view may take: bytes as gzip packs them, and requests. */
export const budgets = { script: 140 * kilo, stylesheet: 10 * kilo, requests: 8 };

/** One answer of the first view. */
export interface Loaded {
  method: string;
  path: string;
  type: string;
  bytes: number;
}

/** Every answer of a signed-in load with an empty cache, until no request is under way. */
export async function loadFirstView(browser: Browser, server: RunningScript): Promise<Loaded[]> {
  const { page } = await openPage({}, browser);
  await signIn(page, server);
  const cold = await openPage({ storageState: await page.context().storageState() }, browser);
  const loaded: Response[] = [];
  cold.page.on('response', (response) => loaded.push(response));
  await cold.page.goto(`${server.url}/subscribers`, { waitUntil: 'networkidle' });
  await cold.page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
  return Promise.all(loaded.map(measure));
}

export function sumOf(loaded: readonly Loaded[], type: string): number {
  return loaded.filter((each) => each.type === type).reduce((total, { bytes }) => total + bytes, 0);
}

/** Sizes are of the body as gzip packs it best, whatever was agreed on for the way. */
async function measure(response: Response): Promise<Loaded> {
  const request = response.request();
  const { pathname, search } = new URL(response.url());
  const bytes = gzipSync(await response.body(), { level: 9 }).length;
  return { method: request.method(), path: `${pathname}${search}`, type: request.resourceType(), bytes };
}
