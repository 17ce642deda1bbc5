import { afterEach, describe, expect, it } from 'vitest';
import { toCsv } from '../../../src/contract/bff/csv.ts';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { layoutFaultsAt } from '../../support/e2e/layout-faults.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

const { server, watched, page } = await openSignedIn();

/** Each test begins where the one before ended. */
describe('an import', () => {
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));

  const choose = (file: string | { name: string; mimeType: string; buffer: Buffer }) =>
    page.getByLabel('File', { exact: true }).setInputFiles(file);
  const rowsAreThere = () => page.locator('table[aria-busy=false]').waitFor();

  it('creates subscribers, the first three first, and leaves out rows with errors', async () => {
    await page.goto(`${server.url}/jobs/import`);
    const rows = Array.from({ length: 8 }, (_, index) => [
      `new-${index}`,
      index === 5 ? 'no address' : `new-${index}@example.com`,
      '2030-01-01 12:00',
      index % 2 ? 'true' : '',
    ]);
    const text = toCsv([['username', 'email', 'expires', 'trial'], ...rows]);
    await choose({ name: 'new.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import 7 subscribers' }).waitFor();
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    await rowsAreThere();
    expect(await layoutFaultsAt(page, [1024, 390, 1440])).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Skipped 1' }).click();
    await page.getByRole('row', { name: /Email: Enter a full address/ }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download rows with errors' }).click();
    expect((await download).suggestedFilename()).toMatch(/^errors-.*\.csv$/);
    await page.getByRole('button', { name: 'Start with the first 3' }).click();
    await page.getByRole('button', { name: 'Continue with the other 4' }).click();
    await page.getByText('Done. 7 imported, 1 skipped.').last().waitFor();
    await rowsAreThere();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(`${server.url}/subscribers?username=new-7`);
    await page.getByRole('link', { name: 'new-7' }).waitFor();
  });
});
