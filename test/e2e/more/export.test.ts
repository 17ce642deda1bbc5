import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Watched } from '../../support/e2e/browser.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

describe.each(['start', 'demo'] as const)('the export of the list, by npm run %s', (script) => {
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    const samples = script === 'start' ? { SAMPLE_SUBSCRIBERS: '5000' } : {};
    ({ watched, page } = await openSignedIn(script, samples));
  });
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));

  const dialog = () => page.getByRole('dialog', { name: /^Export [\d,]+ subscribers$/ });
  const open = async () => {
    await page.getByRole('button', { name: /^Export…/ }).click();
    await dialog().waitFor();
  };

  test('everybody is saved as a file', async () => {
    await open();
    const title = await dialog().getByRole('heading').textContent();
    const count = Number(title?.replaceAll(/\D/g, ''));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText(/^[\d,]+ subscribers exported\.$/).waitFor(),
      dialog().getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^subscribers-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toMatch(/^\uFEFF"ID","Username",.*"Expires \(Europe\/Oslo\)"/);
    expect(new Set(text.match(/(?<=\r\n)"\d+"/g)).size).toBe(count);
    expect(text.endsWith('"\r\n')).toBe(true);
    await dialog().waitFor({ state: 'hidden' });
  });
});
