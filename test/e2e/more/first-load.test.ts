import { expect, test } from 'vitest';
import { openPage } from '../../support/e2e/browser.ts';
import { startProduct } from '../../support/e2e/product.ts';
import { signIn } from '../../support/e2e/sign-in.ts';

const server = await startProduct('start');
const first = await openPage();
await signIn(first.page, server);
await first.page.getByRole('option', { name: 'Status: Active' }).waitFor({ state: 'attached' });
const page = (await openPage({ storageState: await first.page.context().storageState() })).page;

test('the first view asks for its data once, while its code is still loading, and nothing moves', async () => {
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/assets/')) requested.push(`${pathname}${search}`);
  });
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) =>
      shifts.push(...list.getEntries().map((entry) => JSON.stringify(entry))),
    ).observe({ type: 'layout-shift', buffered: true });
  });
  const code = Promise.withResolvers<void>();
  const list = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-/, async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.route(/\/api\/subscribers$/, async (route) => {
    await list.promise;
    await route.continue();
  });
  const requestedFirst = Promise.all([
    page.waitForRequest('**/bff/session'),
    page.waitForRequest('**/api/subscribers'),
  ]);
  await page.goto(`${server.url}/subscribers`, { waitUntil: 'commit' });
  await requestedFirst;
  code.resolve();
  await page.getByRole('row').nth(25).waitFor();
  expect(await page.getByRole('table').getAttribute('aria-busy')).toBe('true');
  list.resolve();
  await page.getByRole('row').getByRole('link').first().waitFor();
  await expect.poll(() => requested).toContain('/api/subscribers?Expired=true&IsTrial=true&PageSize=1');
  await page.waitForLoadState('networkidle');
  // When it asks for its icon is up to the browser; the next page is fetched ahead a second later.
  const later = ['/favicon.svg', '/api/subscribers?Page=2'];
  expect(requested.filter((path) => !later.includes(path))).toEqual([
    '/subscribers',
    '/bff/session',
    '/api/subscribers',
    '/api/subscribers?Expired=true&IsTrial=true&PageSize=1',
  ]);
  expect(await page.evaluate('shifts')).toEqual([]);
});
