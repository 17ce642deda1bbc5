import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Watched } from '../../support/e2e/browser.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

/** Each test begins where the one before ended. */
describe.each(['start', 'demo'] as const)('an export, by npm run %s', (script) => {
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    const samples = script === 'start' ? { SAMPLE_SUBSCRIBERS: '5000' } : {};
    ({ watched, page } = await openSignedIn(script, samples));
  });
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));

  const dialog = () => page.getByRole('dialog', { name: /^Export [\d,]+ subscribers$/ });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  /** Presses a button that saves a file, and waits until the page says so. */
  async function save(press: Locator, what: 'subscribers' | 'entries', name: RegExp) {
    const [file, said] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText(new RegExp(`^[\\d,]+ ${what} exported\\.$`)).textContent(),
      press.click(),
    ]);
    expect(file.suggestedFilename()).toMatch(name);
    return { text: await readFile(await file.path(), 'utf8'), count: Number(said?.replaceAll(/\D/g, '')) };
  }

  test('everybody is saved as a file', async () => {
    await button(/^Export…/).click();
    const title = await dialog().getByRole('heading').textContent();
    const press = dialog().getByRole('button', { name: 'Export', exact: true });
    const { text, count } = await save(press, 'subscribers', /^subscribers-\d{4}-\d\d-\d\d\.csv$/);
    expect(count).toBe(Number(title?.replaceAll(/\D/g, '')));
    expect(text).toMatch(/^\uFEFF"ID","Username",.*"Expires \(Europe\/Oslo\)"/);
    expect(new Set(text.match(/(?<=\r\n)"\d+"/g)).size).toBe(count);
    expect(text.endsWith('"\r\n')).toBe(true);
    await dialog().waitFor({ state: 'hidden' });
  });

  test('the activity is saved as a file, which the page’s policy allows', async () => {
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('table', { name: 'Activity' }).getByText('Subscribers exported').waitFor();
    const { text, count } = await save(button('Export CSV'), 'entries', /^activity-\d{4}-\d\d-\d\d\.csv$/);
    expect(text.trim().split('\r\n').slice(1)).toHaveLength(count);
  });
});
