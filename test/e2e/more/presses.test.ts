import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Change } from '../../../src/contract/bff/journal.ts';
import { limits } from '../../../src/contract/service/limits.ts';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { enterTwice } from '../../support/e2e/browser.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';
import { lookBehind } from '../../support/e2e/look-behind.ts';

const { server, watched, page } = await openSignedIn('start', { SAMPLE_SUBSCRIBERS: '20' });
const behind = lookBehind(page, server.url);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const notifications = () => page.getByRole('status', { name: 'Notifications' });
const toast = (text: string | RegExp) => notifications().getByText(text).waitFor();
/** A button takes presses again: what the last one asked for is over. */
const isReady = (target: Locator) => target.and(page.locator(':not([aria-disabled])')).waitFor();

async function middleOf(target: Locator): Promise<[x: number, y: number]> {
  await isReady(target);
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('The button is not on the screen.');
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** The ways in which one press becomes several. */
const presses = {
  'a double click': async (target: Locator) =>
    page.mouse.dblclick(...(await middleOf(target)), { delay: 100 }),
  'a triple click': async (target: Locator) =>
    page.mouse.click(...(await middleOf(target)), { clickCount: 3 }),
  'two clicks': async (target: Locator) => {
    await page.mouse.move(...(await middleOf(target)));
    // Sent at once: after more than half a second, the second one would be meant.
    await Promise.all((['down', 'up', 'down', 'up'] as const).map((half) => page.mouse[half]()));
  },
  'a held Enter': async (target: Locator) => {
    await isReady(target);
    await target.focus();
    await hold('Enter');
  },
  'a held Space': async (target: Locator) => {
    await isReady(target);
    await target.focus();
    await hold('Space');
  },
} as const;

/** Holds a key down for many repeats, until the answer to the first press has long arrived. */
async function hold(key: string, repeats = 60): Promise<void> {
  for (let repeat = 0; repeat < repeats; repeat += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

let made = 0;
async function openSubscriber(path = ''): Promise<SubscriberDetail> {
  made += 1;
  const subscriber = await behind.create(`pressed-${made}`);
  await page.goto(`${server.url}/subscribers/${subscriber.id}${path}`);
  return subscriber;
}
const changesOf = async ({ username }: SubscriberDetail, operation: Change) =>
  (await behind.journal(operation, username)).map(({ outcome }) => outcome);

test.each(Object.entries(presses))('%s on +1 month extends once, to the date on it', async (_name, press) => {
  const subscriber = await openSubscriber();
  const month = button(/^\+1 month/);
  await isReady(month);
  const shown = (await month.locator('small').textContent()) ?? '';
  await press(month);
  await toast(new RegExp(`^${subscriber.username} now expires on ${shown}`));
  await isReady(month);
  expect(await changesOf(subscriber, 'updateSubscriber')).toEqual(['done']);
});

test.each([1440, 1024, 390])(
  'Undo is in the window after a change of a long name, at %i pixels',
  async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const { id } = await behind.create(`m_${width}`.padEnd(limits.username, 'weatherby'));
    await page.goto(`${server.url}/subscribers/${id}`);
    await button(/^\+1 month/).click();
    const undo = notifications().getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    const { x = Infinity, width: wide = 0 } = (await undo.boundingBox()) ?? {};
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(x + wide).toBeLessThan(width);
  },
);

test.each(Object.entries(presses))('%s on Undo of a toast undoes once', async (_name, press) => {
  const subscriber = await openSubscriber();
  await button(/^\+1 year/).click();
  await toast(/ now expires on /);
  const undo = notifications().getByRole('button', { name: 'Undo' });
  await press(undo);
  await toast(`Undone: ${subscriber.username} is as it was before.`);
  await isReady(undo);
  expect(await changesOf(subscriber, 'updateSubscriber')).toEqual(['done', 'done']);
  expect((await behind.named(subscriber.username))[0]?.expiresAt).toBe(subscriber.expiresAt);
});

test('the form saves once, by a double click and by an Enter that is held', async () => {
  const subscriber = await openSubscriber('/edit');
  await page.getByLabel('Note', { exact: true }).fill('Called.');
  await presses['a double click'](button('Save changes'));
  await toast(`Changes to ${subscriber.username} were saved.`);
  const other = await openSubscriber('/edit');
  await page.getByLabel('Email', { exact: true }).fill('new@example.com');
  await hold('Enter');
  await toast(`Changes to ${other.username} were saved.`);
  for (const one of [subscriber, other]) expect(await changesOf(one, 'updateSubscriber')).toEqual(['done']);
});

test('the press that opens a dialog does not confirm it', async () => {
  const subscriber = await openSubscriber();
  for (const [opener, action, repeats] of [
    ['Regenerate token…', 'Regenerate token', 1],
    ['Delete…', 'Delete subscriber', 60],
  ] as const) {
    await isReady(button(opener));
    await button(opener).focus();
    await enterTwice(page, repeats);
    await isReady(button(action));
    await page.keyboard.press('Escape');
    await isReady(button(opener));
  }
  expect(await changesOf(subscriber, 'regenerateToken')).toEqual([]);
  expect(await behind.named(subscriber.username)).toHaveLength(1);
});

test('the button of a dialog that has just opened shows that it takes no press yet, and until when', async () => {
  const subscriber = await openSubscriber();
  await isReady(button('Delete…'));
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  await button('Delete…').focus();
  await page.keyboard.press('Enter');
  const confirming = button('Delete subscriber');
  const look = () =>
    confirming.evaluate((element) => {
      const { opacity, animationDuration } = getComputedStyle(element);
      return { isDim: Number(opacity) < 0.7, fills: parseFloat(animationDuration) * 1_000 };
    });
  await confirming.and(page.locator('[aria-busy=true]')).waitFor();
  const { isDim, fills } = await look();
  expect([isDim, fills > 0]).toEqual([true, true]);
  await confirming.focus();
  await page.clock.runFor(fills - 1);
  await page.keyboard.press('Enter');
  expect(await confirming.getAttribute('aria-busy')).toBe('true');
  await page.clock.runFor(1);
  await isReady(confirming);
  expect(await look()).toEqual({ isDim: false, fills: 0 });
  expect(await behind.named(subscriber.username)).toHaveLength(1);
  await page.clock.resume();
  await page.keyboard.press('Enter');
  await toast(`${subscriber.username} was deleted.`);
});

test('Enter after a reason confirms, once', async () => {
  const subscriber = await openSubscriber();
  await button('Regenerate token…').click();
  await page.keyboard.type('Asked for by phone.');
  await isReady(button('Regenerate token'));
  await hold('Enter');
  await button('Done').click();
  expect(await changesOf(subscriber, 'regenerateToken')).toEqual(['done']);
  await button('Delete…').click();
  await presses['a triple click'](button('Delete subscriber'));
  await toast(`${subscriber.username} was deleted.`);
  expect(await changesOf(subscriber, 'deleteSubscriber')).toEqual(['done']);
  expect([watched.complaints(), watched.refusals()]).toEqual([[], []]);
});

test.each([
  { width: 1440, height: 900 },
  { width: 390, height: 800 },
])('a save without an answer says so in sight, $width pixels wide', async (size) => {
  await page.setViewportSize(size);
  const { username } = await openSubscriber('/edit');
  await page.getByLabel('Email', { exact: true }).fill('new@example.com');
  const path = '**/api/subscribers/*';
  await page.route(path, (route) => route.abort('connectionreset'));
  await button('Save changes').click();
  const notice = page.getByText('We don’t know yet whether the changes were saved.');
  await notice.waitFor();
  const [top, bottom] = await notice.evaluate((text) => {
    const { top, bottom } = text.getBoundingClientRect();
    return [top, bottom];
  });
  expect([top >= 0, bottom <= size.height]).toEqual([true, true]);
  await page.unroute(path);
  await toast(`Changes to ${username} were saved.`);
  watched.complaints();
});
