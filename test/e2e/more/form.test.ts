import { expect, test } from 'vitest';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

// The page stays English; the order of dates and the clock are Norwegian.
const { server, watched, page } = await openSignedIn('start', {}, { locale: 'nb-NO' });

test('a Norwegian browser gets English sentences, with the day before the month and 24 hours', async () => {
  await page.goto(`${server.url}/subscribers/1`);
  await page.getByText(/^Can watch .* until \d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d /).waitFor();
  await page.locator('table[aria-busy=false]').waitFor();
  const times = await page.getByRole('time').allTextContents();
  expect(times.length).toBeGreaterThan(20);
  expect(times.filter((time) => /\b(om|siden|morgen|går|neste|forrige)\b/.test(time))).toEqual([]);
});

test.each([
  ['an error', 'Email', 'no address', 'Enter a full address, such as name@example.com.'],
  ['an answer', 'Username', 'soren12', 'This username is taken'],
])(
  '%s about the field that a press leaves does not move the pressed button',
  async (_, label, text, said) => {
    await page.goto(`${server.url}/subscribers/new`);
    await page.getByLabel(label).fill(text);
    await page.getByRole('button', { name: '+1 month' }).hover();
    await page.mouse.down();
    await page.locator('button:focus').waitFor();
    // As long as it takes to ask the server.
    await page.evaluate(async () => (await fetch('/')).text());
    await page.mouse.up();
    await page.getByText(said).waitFor();
    expect(await page.getByLabel('Expires').inputValue()).toMatch(/^\d{4}-/);
  },
);

test.each([
  [1440, 0],
  [390, 1],
])('no error, warning or hint moves a field of the form at %i pixels', async (width, row) => {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${server.url}/subscribers?expired=true&trial=false`);
  const link = page.getByRole('table').getByRole('rowheader').nth(row).getByRole('link');
  await page.goto(`${server.url}${(await link.getAttribute('href'))?.split('?')[0]}/edit`);
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await field('Note').waitFor();
  // The names of bundles come after their numbers, and take more lines.
  await page
    .getByText(/ · \d+$/)
    .first()
    .waitFor();
  const places = () =>
    page
      .locator('form :is(label, legend)')
      .evaluateAll((labels) => labels.map((one) => Math.round(one.getBoundingClientRect().top + scrollY)));
  const before = await places();
  const enter = async (label: string, text: string) => {
    await field(label).fill(text);
    await field(label).blur();
  };
  for (const [said, change] of [
    ['a trial lasts', () => field('Trial').check()],
    [
      'Without HLS or MPEG-TS',
      async () => {
        for (const name of ['HLS', 'MPEG-TS']) await field(name).uncheck();
      },
    ],
    ['Enter a username.', () => enter('Username', '')],
    ['This username is taken', () => enter('Username', 'al-amin-2008')],
    ['Enter a full address', () => enter('Email', 'no address')],
    ['Enter a date and time.', () => enter('Expires', '')],
    ['In the past', () => enter('Expires', '2026-01-01T12:00')],
    ['Enter a whole number', () => enter('Connection limit', '0')],
    ['“203.0.113”', () => enter('IP addresses', '203.0.113')],
  ] as const) {
    await change();
    await page.getByText(said).first().waitFor();
    expect(await places(), said).toEqual(before);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('the list of countries can be read, fits a telephone, takes clicks and keys, and Escape closes only it', async () => {
  await page.goto(`${server.url}/subscribers/new`);
  const box = page.getByRole('combobox', { name: 'Countries' });
  const chosen = page.getByRole('list', { name: 'Countries, chosen' }).getByRole('listitem');
  const options = page.getByRole('option');
  await box.pressSequentially('uk');
  expect(await options.allTextContents()).toEqual(['United Kingdom', 'Ukraine']);
  expect(await accessibilityFaults(page)).toEqual([]);
  // Where the pointer has left the list, nothing in it is marked, and Enter must not send the form.
  await options.nth(1).hover();
  await page.getByLabel('Username').hover();
  await box.press('Enter');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  expect(await page.getByText('Enter a username.').count()).toBe(0);
  await box.fill('');
  await box.pressSequentially('norw');
  await options.getByText('Norway').click();
  await box.pressSequentially('swe');
  await box.press('Enter');
  expect(await chosen.allTextContents()).toEqual(['Norway', 'Sweden']);

  await page.setViewportSize({ width: 390, height: 800 });
  await box.press('ArrowDown');
  await options.first().waitFor();
  const { x, width } = (await page.getByRole('listbox').boundingBox()) ?? { x: -1, width: 0 };
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(watched.complaints()).toEqual([]);
});

test('Escape closes the list of countries before the dialog for many', async () => {
  await page.goto(`${server.url}/subscribers`);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox').nth(1).check();
  await page.getByRole('button', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit 1 subscriber' });
  await dialog.getByRole('combobox', { name: 'Countries: what to do' }).selectOption('Add');
  const box = dialog.getByRole('combobox', { name: 'Countries to add' });
  await box.pressSequentially('uk');
  await dialog.getByRole('option', { name: 'United Kingdom' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await box.press('Escape');
  await dialog.getByRole('listbox').waitFor({ state: 'detached' });
  await box.press('Enter');
  await dialog.getByRole('button', { name: 'Remove United Kingdom' }).waitFor();
  await box.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(watched.complaints()).toEqual([]);
});
