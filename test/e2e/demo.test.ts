import { expect, test } from 'vitest';
import { accessibilityFaults } from '../support/e2e/axe.ts';
import { openDemo, pane, saveNote, shownNote, table } from '../support/e2e/demo.ts';
import { startProduct } from '../support/e2e/product.ts';

const demo = await startProduct('demo');

test('nothing that the dashboard asks for leaves the tab', async () => {
  const { page, complaints, refusals } = await openDemo(`${demo.url}/subscribers/3/edit?demo-data=25`);
  const sent: string[] = [];
  // What the worker answers never leaves the page; this sees only what goes to the server.
  page.context().on('request', (request) => {
    if (request.serviceWorker()) sent.push(request.url());
  });
  await saveNote(page, 'Changed in the demo.');
  await shownNote(page, 'Changed in the demo.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(complaints()).toEqual([]);
  expect(refusals()).toEqual([]);
  expect(sent.filter((url) => /\/(api|bff)\//.test(url))).toEqual([]);
});

test('"View as" signs in with the rights of the chosen role', async () => {
  const { page, bar } = await openDemo(`${demo.url}/staff?demo-data=25`);
  await page.getByRole('table').getByText('Sigrid').waitFor();
  await bar.getByLabel('View as').selectOption('viewer');
  await page.getByText('Only managers can see staff accounts.').waitFor();
  await page.getByRole('button', { name: /Account: .*Jonas/ }).waitFor();
  await bar.getByLabel('View as').selectOption('manager');
  await page.getByRole('table').getByText('Sigrid').waitFor();
});

test('subscriptions expire when the clock moves on, and changes survive a reload until the demo starts over', async () => {
  const { page, bar } = await openDemo(`${demo.url}/subscribers/3?demo-data=25`);
  await pane(page).getByRole('link', { name: 'Edit' }).click();
  await saveNote(page, 'Outlives a reload.');
  const note = shownNote(page, 'Outlives a reload.');
  await note.waitFor();
  await pane(page).getByText('Can watch').waitFor();
  for (let year = 0; year < 12; year += 1) await bar.getByRole('button', { name: '+1 month' }).click();
  await pane(page).getByText('Can’t watch').waitFor();
  await page.reload();
  await note.waitFor();
  await pane(page).getByText('Can’t watch').waitFor();
  await bar.getByText('Clock: 360 days ahead').waitFor();

  const data = bar.getByLabel('Data');
  const dialog = page.getByRole('dialog', { name: 'Start the demo over' });
  await data.selectOption('No subscribers');
  await dialog.getByText('What you changed in the demo will be gone.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await data.inputValue()).toBe('25');
  await data.selectOption('No subscribers');
  await dialog.getByRole('button', { name: 'Start over' }).click();
  await bar.getByText('Clock: now').waitFor();
  await page.goto(`${demo.url}/subscribers`);
  await page.getByText('No subscribers yet').waitFor();
  await page.goto(`${demo.url}/subscribers/3`);
  await page.getByRole('heading', { name: 'This subscriber doesn’t exist' }).waitFor();
});

test('a session that ends leads to sign-in, and signing in leads back to the page before', async () => {
  const { page, bar } = await openDemo(
    `${demo.url}/subscribers?expired=true&demo-data=25&demo-faults=session-ends`,
  );
  await page.getByRole('heading', { name: 'Sign in to Subscriber Desk' }).waitFor();
  await bar.getByText('Sign in as Jonas, Ingrid or Marit with any password').waitFor();
  await expect.poll(() => bar.getByLabel('View as').inputValue()).toBe('nobody');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel('Name', { exact: true }).fill('Ingrid');
  await page.getByLabel('Password', { exact: true }).fill('whatever');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await table(page).getByRole('link').first().waitFor();
  expect(page.url()).toBe(`${demo.url}/subscribers?expired=true`);
  await page.getByRole('button', { name: /Account: .*Ingrid/ }).waitFor();
  await expect.poll(() => bar.getByLabel('View as').inputValue()).toBe('support');
});
