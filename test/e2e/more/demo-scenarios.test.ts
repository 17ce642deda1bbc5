import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { startProduct } from '../../support/e2e/product.ts';

const demo = await startProduct('demo');
const { page } = await openPage();
const bar = page.getByRole('region', { name: 'Demo', exact: true });
await page.goto(demo.url);

const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const step = (text: string | RegExp) => bar.getByRole('status').getByText(text).waitFor();
const isDone = () => step(/^Done/);
const openActivity = () => page.getByRole('link', { name: 'Activity' }).click();

/** Starts one from the card; the demo asks first, because the scenario before has changed something. */
async function play(title: string): Promise<void> {
  await press('Scenarios');
  await press(title);
  await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('region', { name: `Scenario: ${title}` }).waitFor();
}

async function preview157(change: string): Promise<void> {
  await press('Select all 157 that match');
  await press(change);
  await press('Preview');
}

async function confirm157(action: RegExp): Promise<void> {
  await page.getByRole('textbox', { name: 'Type 157 to confirm' }).fill('157');
  await press(action);
}

test('a card says what this is, and starts a scenario that ticks off what is done', async () => {
  const card = page.getByRole('region', { name: 'This is a demo of Subscriber Desk' });
  await card.getByText('everybody in it is made up').waitFor();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('table').getByText('Sigrid').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await card.getByRole('button', { name: 'A caller can’t watch' }).click();
  await step('1 of 3');
  await bar.getByText('Say: “Staff type what they hear.').waitFor();
  expect(await card.count()).toBe(0);
  await page.getByRole('searchbox').fill('m.bianchi');
  await page.getByRole('link', { name: 'm.bianchi', exact: true }).click();
  await step('2 of 3');
  await page.reload();
  await step('2 of 3');
  // The bar has a button of this name, too: it moves the clock.
  await page.getByRole('complementary').getByRole('button', { name: '+1 month' }).click();
  await step('3 of 3');
  expect(await accessibilityFaults(page)).toEqual([]);
  await openActivity();
  await isDone();
});

test('all 157 expired trials are cleaned up in one job', async () => {
  await play('Clean up 157 expired trials');
  await page.getByRole('link', { name: /^Expired trials\s*157/ }).click();
  await step('2 of 4');
  await press('Select');
  await page.getByRole('table').getByRole('checkbox').first().check();
  await preview157('Delete…');
  await step('3 of 4');
  await confirm157(/^Delete 157/);
  await step('4 of 4');
  await openActivity();
  await isDone();
});

test('two people edit, and both changes are kept', async () => {
  await play('Two people edit');
  const note = page.getByLabel('Note', { exact: true });
  const before = await note.inputValue();
  expect(before.length).toBeLessThan(100);
  await note.fill(`${before}\nMine.`);
  await press('Save changes');
  await step('2 of 3');
  await page.getByRole('group', { name: 'Note' }).locator('ins', { hasText: 'Mine.' }).first().waitFor();
  await press('Save merged version');
  await step('3 of 3');
  await page.getByRole('complementary').getByText('Called, and was called back.').first().waitFor();
  await openActivity();
  await isDone();
});

test('a change whose answer gets lost is made once', async () => {
  await play('The answer gets lost');
  await press('+7 days');
  await step('3 of 3');
  await openActivity();
  await isDone();
});

test('157 are extended, and as they were before', async () => {
  await play('Extend 157, and take it back');
  await press('Select');
  await preview157('Extend…');
  await step('2 of 4');
  await confirm157(/^Extend 157/);
  await step('3 of 4');
  await press('Undo this job…');
  await step('4 of 4');
  // What has just been done stays in sight.
  await bar.getByText('✓ That was too generous.').waitFor();
  await confirm157(/^Undo the changes of 157/);
  await isDone();
});

test('a leaked token leads to its subscriber, and stops', async () => {
  await play('A leaked token');
  await press('Copy playlist link');
  await press('Link copied');
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Control+v');
  await step('2 of 3');
  await press('Regenerate token…');
  await page.getByRole('dialog').getByRole('button', { name: 'Regenerate token' }).click();
  await step('3 of 3');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Control+v');
  await isDone();
});

test('a list goes out to a file, and comes back', async () => {
  await play('Out to a spreadsheet, and back');
  await press('Export…');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  await step('2 of 4');
  await page.getByRole('link', { name: 'Import…' }).click();
  await page.getByLabel('File', { exact: true }).setInputFiles(await file.path());
  await step('3 of 4');
  await press('Preview');
  await step('4 of 4');
  await openActivity();
  await isDone();
});

test('a link with other settings ends the scenario with its faults, and can hide the bar', async () => {
  await page.goto(`${demo.url}/?demo-scenario=lost-answer`);
  await page.getByRole('region', { name: 'Scenario: The answer gets lost' }).waitFor();
  await bar.getByRole('button', { name: 'What happens if… (1 on)' }).waitFor();
  await page.goto(`${demo.url}/subscribers?demo-data=25`);
  await bar.getByRole('button', { name: 'What happens if…', exact: true }).waitFor();
  expect(await page.getByRole('region', { name: /^Scenario/ }).count()).toBe(0);
  await page.goto(`${demo.url}/subscribers?demo-data=25&demo-bar=off`);
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
  expect(await bar.isVisible()).toBe(false);
  expect(await page.getByRole('region', { name: 'This is a demo of Subscriber Desk' }).count()).toBe(0);
});

test.each([
  ['a link', 'demo-name=Example+TV&demo-colour=b3005e&demo-logo=logo.svg&demo-statuses=Paused,Gone'],
  ['a file', 'demo-file=example.json&demo-name=Example+TV'],
])('name, colour, logo and statuses can be those of %s', async (_way, query) => {
  const { page: own } = await openPage();
  const file = { name: 'Another TV', colour: 'b3005e', logo: 'logo.svg', statuses: ['Paused', 'Gone'] };
  await own.route('**/example.json', (route) => route.fulfill({ json: file }));
  await own.goto(`${demo.url}/subscribers?demo-data=25&${query}`);
  const banner = own.getByRole('banner');
  await banner.getByText('Example TV').waitFor();
  const colour = (of: Page) =>
    of
      .getByRole('link', { name: 'New subscriber' })
      .evaluate((link) => getComputedStyle(link).backgroundColor);
  expect(await colour(own)).not.toBe(await colour(page));
  const logo = await banner
    .locator('svg')
    .first()
    .evaluate((svg) => getComputedStyle(svg).backgroundImage);
  expect(logo).toContain(`${demo.url}/logo.svg`);
  await expect.poll(() => own.title()).toBe('Subscribers · Example TV');
  for (const name of ['Paused', 'Gone'])
    await own.getByRole('option', { name: `Status: ${name}` }).waitFor({ state: 'attached' });
  expect(await accessibilityFaults(own)).toEqual([]);
});
