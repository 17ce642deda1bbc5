import type { Request, Route } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookBehind } from '../../support/e2e/look-behind.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

const { server, watched, page } = await openSignedIn('start', { SAMPLE_SUBSCRIBERS: '20' });
const behind = lookBehind(page, server.url);
beforeEach(() => void watched.complaints());
afterEach(async () => {
  await page.context().setOffline(false);
  await page.unrouteAll({ behavior: 'wait' });
  // What broke the connection on purpose is no fault of the page.
  expect(watched.complaints().filter((line) => !line.includes('net::ERR_'))).toEqual([]);
});

/** Something that goes wrong with every request for a new subscriber, until it is over. */
interface Fault {
  begin: () => Promise<void>;
  end: () => Promise<void>;
}

const isCreation = (request: Request) =>
  request.method() === 'POST' && new URL(request.url()).pathname === '/api/subscribers';

let isBroken = false;

const onRequest = (happen: (route: Route) => Promise<void>): Fault => ({
  async begin() {
    isBroken = true;
    await page.route('**/api/**', (route) =>
      isBroken && isCreation(route.request()) ? happen(route) : route.continue(),
    );
  },
  // The page asks again by itself. Whoever presses “Check now” may come too late for it.
  async end() {
    isBroken = false;
  },
});

const faults: Readonly<Record<string, Fault>> = {
  'the network is cut before it is sent': {
    begin: () => page.context().setOffline(true),
    // The browser tells that the network is there again, and the page asks at once.
    end: () => page.context().setOffline(false),
  },
  'the connection breaks on the way there': onRequest((route) => route.abort('connectionreset')),
  'it is done, and the answer is dropped': onRequest(async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  }),
  'it is done, and something between answers that it waited too long': onRequest(async (route) => {
    await route.fetch();
    await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway Timeout</h1>' });
  }),
};

const note = 'First line, then\na second one: æøå ✓';
const field = (label: string) => page.getByLabel(label, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const notifications = page.getByRole('status', { name: 'Notifications' });
let made = 0;

// The tests of the dashboard go on to the other changes: what happens to one, the page does for all in one place.
describe('a new subscriber', () => {
  it.each(Object.entries(faults))('is created once, although %s', async (_, { begin, end }) => {
    made += 1;
    const username = `new-${made}`;
    const typed = { Username: username, Email: `${username}@example.com`, Note: note };
    await page.goto(`${server.url}/subscribers/new`);
    for (const [label, text] of Object.entries(typed)) await field(label).fill(text);
    await button('+1 month').click();
    await begin();
    const keys: (string | undefined)[] = [];
    const take = (request: Request) => {
      if (isCreation(request)) keys.push(request.headers()['idempotency-key']);
    };
    page.on('request', take);
    await button('Create subscriber').click();

    // The page says that it does not know, keeps every character, and shows no success.
    const unconfirmed = page.getByText('We don’t know yet whether the subscriber was created.');
    await unconfirmed.waitFor();
    for (const [label, text] of Object.entries(typed)) expect(await field(label).inputValue()).toBe(text);
    expect(await notifications.innerText()).not.toContain(username);

    await end();
    await notifications.getByText(`${username} was created.`).waitFor();
    await unconfirmed.waitFor({ state: 'detached' });
    page.off('request', take);
    expect(await behind.named(username)).toMatchObject([{ note }]);
    const entries = await behind.journal('createSubscriber', username);
    expect(entries.map(({ outcome }) => outcome)).toEqual(['done']);
    expect([keys.length > 1, new Set(keys).size]).toEqual([true, 1]);
  });
});
