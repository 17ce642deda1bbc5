import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

const { server, watched, page } = await openSignedIn();

/** Each test begins where the one before ended. */
describe('the activity of a subscriber', () => {
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const toasts = () => page.getByRole('status', { name: 'Notifications' });

  test('a change made in the pane appears in its activity, and the toast undoes it', async () => {
    await page.goto(`${server.url}/subscribers/1`);
    const extend = button(/^\+7 days/);
    const before = await extend.textContent();
    await extend.click();
    // Under the pointer it stays.
    await toasts()
      .getByText(/expires on/)
      .hover();
    // The pane shows the new record only when it has been read again.
    await expect.poll(() => extend.textContent()).not.toBe(before);
    await page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await toasts().getByRole('button', { name: 'Undo' }).click();
    await toasts()
      .getByText(/is as it was before/)
      .waitFor();
    await expect.poll(() => extend.textContent()).toBe(before);
  });

  test('a change that cannot be undone asks first, and its reason is in the activity', async () => {
    await button('Regenerate token…').click();
    const dialog = page.getByRole('dialog', { name: 'Regenerate access token' });
    await dialog.getByText(/^You can’t undo this\./).waitFor();
    await dialog.getByLabel('Reason (optional)').fill('Lost phone');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Regenerate token' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('region', { name: 'Activity' }).getByText('“Lost phone”').waitFor();
  });

  test('the activity is saved as a file, which the page’s policy allows', async () => {
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('table', { name: 'Activity' }).getByRole('link').first().waitFor();
    const told = toasts().getByText(/^\d+ entries exported\.$/);
    const [file, said] = await Promise.all([
      page.waitForEvent('download'),
      told.textContent(),
      button('Export CSV').click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^activity-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toContain('Lost phone');
    const rows = text.trim().split('\r\n').slice(1);
    expect(said).toBe(`${rows.length} entries exported.`);
  });
});
