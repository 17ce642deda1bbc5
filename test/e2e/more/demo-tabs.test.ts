import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from '../../support/e2e/browser.ts';
import { barOf, pane, saveNote, shownNote } from '../../support/e2e/demo.ts';
import { startProduct } from '../../support/e2e/product.ts';

const demo = await startProduct('demo');

/** A second tab of the same browser. */
async function openTab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${demo.url}${address}`);
  return page;
}

async function editNote(page: Page, text: string): Promise<void> {
  await pane(page).getByRole('link', { name: 'Edit' }).click();
  await saveNote(page, text);
  await shownNote(page, text).waitFor();
}

test('two tabs are two people with the same subscribers, and the second goes on without the first', async () => {
  const { page: first, complaints } = await openPage();
  await first.goto(`${demo.url}/subscribers/3?demo-data=25`);
  await pane(first).getByText('User agents').waitFor();
  const second = await openTab(first.context(), '/subscribers/3?demo-role=support');
  await pane(second).getByText('User agents').waitFor();
  await expect.poll(() => barOf(second).getByLabel('Data').inputValue()).toBe('25');
  await second.getByRole('button', { name: /Account: .*Ingrid/ }).waitFor();
  await first.getByRole('button', { name: /Account: .*Marit/ }).waitFor();

  // Each sees what the other does.
  await editNote(second, 'From the second tab.');
  await shownNote(first, 'From the second tab.').waitFor();
  await barOf(second).getByRole('button', { name: '+1 week' }).click();
  // The pane shows other sentences then, and what is to be pressed moves.
  for (const page of [first, second]) await barOf(page).getByText('Clock: 7 days ahead').waitFor();
  await pane(second).getByRole('link', { name: 'Edit' }).click();
  await second.getByLabel('Note', { exact: true }).fill('Both at once, second.');
  await editNote(first, 'Both at once, first.');
  await second.getByRole('button', { name: 'Save changes' }).click();
  await second.getByRole('dialog').getByText(/Marit/).first().waitFor();
  await second.getByRole('radio', { name: /^Yours/ }).check();
  await second.getByRole('button', { name: 'Save merged version' }).click();
  await shownNote(first, 'Both at once, second.').waitFor();

  // The second takes over, with all that was done, and a third finds it.
  await first.close();
  await editNote(second, 'Alone now.');
  await second.getByRole('button', { name: /Account: .*Ingrid/ }).waitFor();
  const third = await openTab(second.context(), '/subscribers/3');
  await shownNote(third, 'Alone now.').waitFor();
  await barOf(third).getByText('Clock: 7 days ahead').waitFor();
  await second.reload();
  await shownNote(second, 'Alone now.').waitFor();
  await second.getByRole('button', { name: /Account: .*Ingrid/ }).waitFor();
  await third.getByRole('link', { name: 'Activity' }).click();
  for (const name of ['Ingrid', 'Marit']) await third.getByRole('table').getByText(name).first().waitFor();
  expect(complaints()).toEqual([]);
});

test('a tab that takes over before the data are there fills in those of the other tab', async () => {
  const { page: first } = await openPage();
  await first.goto(`${demo.url}/subscribers?demo-data=50000`);
  await first.waitForFunction(async () => (await navigator.locks.query()).held?.length === 1);
  const second = await openTab(first.context(), '/subscribers');
  await second.getByText('Preparing the demo (as in the other tab)').waitFor();
  await first.close();
  await expect.poll(() => barOf(second).getByLabel('Data').inputValue()).toBe('50000');
});

test('starting over leaves the other tab what it has', async () => {
  const { page: first } = await openPage();
  await first.goto(`${demo.url}/subscribers/3?demo-data=25`);
  await pane(first).getByText('User agents').waitFor();
  const second = await openTab(first.context(), '/subscribers/3');
  await pane(second).getByText('User agents').waitFor();
  await editNote(first, 'Stays.');
  await barOf(first).getByRole('button', { name: 'Start over' }).click();
  await first.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
  await first.getByRole('heading', { name: 'Overview' }).waitFor();
  await first.goto(`${demo.url}/subscribers/3`);
  await pane(first).getByText('User agents').waitFor();
  expect(await shownNote(first, 'Stays.').count()).toBe(0);
  await second.reload();
  await shownNote(second, 'Stays.').waitFor();
});
