import type { Request, Route } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSignedIn } from '../../support/e2e/sign-in.ts';
import { lookBehind, steps, type Step } from '../../support/e2e/staff-steps.ts';

const { server, watched, page } = await openSignedIn('start', { SAMPLE_SUBSCRIBERS: '20' });
const behind = lookBehind(page, server.url);
beforeEach(() => void watched.complaints());
afterEach(async () => {
  await page.context().setOffline(false);
  await page.unrouteAll({ behavior: 'wait' });
  // What broke the connection on purpose is no fault of the page.
  expect(watched.complaints().filter((line) => !line.includes('net::ERR_'))).toEqual([]);
});

/** Something that goes wrong with every request of a step, until it is over. */
interface Fault {
  begin: (step: Step) => Promise<void>;
  end: () => Promise<void>;
}

const isOf = ({ request: { method, path } }: Step, request: Request) =>
  request.method() === method && path.test(new URL(request.url()).pathname);

let isBroken = false;

const onRequest = (happen: (route: Route) => Promise<void>): Fault => ({
  async begin(step) {
    isBroken = true;
    await page.route('**/api/**', (route) =>
      isBroken && isOf(step, route.request()) ? happen(route) : route.continue(),
    );
  },
  // The page asks again by itself. Whoever presses “Check now” may come too late for it.
  async end() {
    isBroken = false;
  },
});

const dropped = 'it is done, and the answer is dropped';
const faults: Readonly<Record<string, Fault>> = {
  'the network is cut before it is sent': {
    begin: () => page.context().setOffline(true),
    // The browser tells that the network is there again, and the page asks at once.
    end: () => page.context().setOffline(false),
  },
  'the connection breaks on the way there': onRequest((route) => route.abort('connectionreset')),
  [dropped]: onRequest(async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  }),
  'it is done, and something between answers that it waited too long': onRequest(async (route) => {
    await route.fetch();
    await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway Timeout</h1>' });
  }),
};

let made = 0;

/** Each change with the hardest fault, and one change with each: what happens to one, the page does for all in one place. */
const cases = Object.entries(steps).flatMap(([name, step], index) =>
  Object.entries(faults)
    .filter(([fault]) => index === 0 || fault === dropped)
    .map(([fault, its]) => [name, fault, step, its] as const),
);

describe('a change', () => {
  it.each(cases)('happens once: “%s”, although %s', async (name, _fault, step, { begin, end }) => {
    made += 1;
    const username = `${name}-${made}`;
    const before = name === 'create' ? undefined : await behind.create(username);
    await step.prepare(page, server.url, { id: before?.id ?? 0, username });
    await begin(step);
    const keys: (string | undefined)[] = [];
    const note = (request: Request) => {
      if (isOf(step, request)) keys.push(request.headers()['idempotency-key']);
    };
    page.on('request', note);
    await step.send(page);

    // The page says that it does not know, keeps every character, and shows no success.
    const unconfirmed = page.getByText(`We don’t know yet whether ${step.done}.`);
    await unconfirmed.waitFor();
    expect(await step.typed(page)).toEqual(step.wrote(username));
    const told = await page.getByRole('status', { name: 'Notifications' }).innerText();
    expect(told.replace(`${username}: We don’t know`, '')).not.toContain(username);

    await end();
    await step.told(page, username);
    await unconfirmed.waitFor({ state: 'detached' });
    page.off('request', note);
    expect(step.isTrue(before, await behind.named(username))).toBe(true);
    const entries = await behind.journal(step.operation, username);
    expect(entries.map(({ outcome, reason }) => [outcome, reason])).toEqual([['done', step.reason]]);
    expect([keys.length > 1, new Set(keys).size]).toEqual([true, 1]);
  });
});
