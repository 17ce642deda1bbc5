import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { openDemo, table } from '../../support/e2e/demo.ts';
import { startProduct } from '../../support/e2e/product.ts';

const demo = await startProduct('demo');

const isFocused = (element: Element) => element === document.activeElement;

test('the link that is copied holds the settings and nothing else, and opens the same demo elsewhere', async () => {
  const { page, bar } = await openDemo(
    `${demo.url}/subscribers?username=anna&demo-data=25&demo-role=support`,
  );
  await bar.getByRole('button', { name: '+1 week' }).click();
  await bar.getByRole('button', { name: 'What happens if…' }).click();
  await page.getByRole('checkbox', { name: /^Slow/ }).check();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Copy link' }).click();
  await bar.getByRole('button', { name: 'Link copied' }).waitFor();
  // The page may write to the clipboard and not read it, so somebody pastes.
  await page.getByRole('link', { name: 'New subscriber' }).click();
  const note = page.getByLabel('Note', { exact: true });
  await note.press('Control+v');
  await expect.poll(() => note.inputValue()).not.toBe('');
  const link = await note.inputValue();
  expect(link).toBe(`${demo.url}/?demo-role=support&demo-data=25&demo-faults=slow&demo-days=7`);

  const { page: other } = await openPage();
  await other.goto(link);
  const there = other.getByRole('region', { name: 'Demo', exact: true });
  await there.getByText('Clock: 7 days ahead').waitFor();
  await there.getByRole('button', { name: 'What happens if… (1 on)' }).waitFor();
  await other.getByText('of 25').waitFor();
  await expect.poll(() => there.getByLabel('View as').inputValue()).toBe('support');
  expect(other.url()).toBe(`${demo.url}/subscribers`);
});

test.each([1440, 1024, 390])(
  'the bar covers nothing of the dashboard at %i pixels, and stays in reach',
  async (width) => {
    const { page, bar } = await openDemo(`${demo.url}/subscribers?demo-data=25`, {
      viewport: { width, height: 844 },
    });
    await table(page).getByRole('link').first().waitFor();
    const open = bar.getByRole('button', { name: 'Demo' });
    if ((await open.getAttribute('aria-expanded')) === 'false') await open.press('Enter');
    await bar.getByLabel('View as').waitFor();
    const box = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect());
    const card = page.getByRole('region', { name: 'This is a demo of Subscriber Desk' });
    expect((await box(card)).top).toBeGreaterThanOrEqual((await box(bar)).bottom);
    expect((await box(page.locator('#root'))).top).toBeGreaterThanOrEqual((await box(card)).bottom);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(width);
    expect(await accessibilityFaults(page)).toEqual([]);
    await open.press('Enter');
    await bar.getByText('Manager · 25 subscribers').waitFor();
    await card.getByRole('button', { name: 'Hide' }).press('Enter');
    await expect.poll(() => bar.getByRole('button', { name: 'Scenarios' }).evaluate(isFocused)).toBe(true);
    await table(page).getByRole('link').last().scrollIntoViewIfNeeded();
    expect((await box(bar)).top).toBe(0);
    // A sticky part of the dashboard stays below it.
    const navigation = page.getByRole('navigation').first();
    expect((await box(navigation)).top).toBeGreaterThanOrEqual((await box(bar)).bottom);
  },
);
