import { expect, test } from 'vitest';
import type { BundleList } from '../../../src/contract/bff/bundle.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';
import { senderOf } from '../../support/e2e/roles.ts';
import { person } from '../../support/people.ts';

const { server, page } = await openSignedIn('start', { SAMPLE_SUBSCRIBERS: '20' });
const send = senderOf(page, server.url);

test('the largest number of a bundle leaves room for the buttons beside it at a phone', async () => {
  const bundles = [{ number: Number.MAX_SAFE_INTEGER, name: 'Sports', isSold: false }];
  const { version } = (await send('GET', '/bff/bundles')) as BundleList;
  await send('PUT', '/bff/bundles', { bundles, version });
  await page.goto(`${server.url}/bundles`);
  await page.setViewportSize({ width: 390, height: 844 });
  const last = page.getByRole('row', { name: 'Sports' }).getByRole('button').last();
  await last.waitFor();
  const { x = Infinity, width = 0 } = (await last.boundingBox()) ?? {};
  expect(x + width).toBeLessThan(390);
});

test('a name that is written from the right begins at the right where it is too long for its column', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const username = 'שלום עולם '.repeat(6).trim();
  await send('POST', '/api/subscribers', person(username, { email: 'shalom@example.com' }));
  await page.goto(`${server.url}/subscribers?username=${encodeURIComponent(username)}`);
  const name = page.getByRole('link', { name: username });
  await name.waitFor();
  const [start, cell] = await name.evaluate((link) => {
    const range = document.createRange();
    const texts = document.createNodeIterator(link, NodeFilter.SHOW_TEXT);
    range.setStart(texts.nextNode() ?? link, 0);
    range.setEnd(range.startContainer, 1);
    return [range, link.closest('th') ?? link].map((part) => part.getBoundingClientRect().right);
  });
  expect(start).toBeLessThanOrEqual(cell ?? 0);
});
