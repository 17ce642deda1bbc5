import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import type { Watched } from './browser.ts';
import { openSignedIn } from './sign-in.ts';

describe.each(['start', 'demo'] as const)('the export of the list, by npm run %s', (script) => {
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    const samples = script === 'start' ? { SAMPLE_SUBSCRIBERS: '5000' } : {};
    const opened = await openSignedIn(script, samples);
    ({ watched, page } = opened);
    return opened.close;
  });
  afterEach(() => expect([...watched.complaints(), ...watched.refusals()]).toEqual([]));

  const dialog = () => page.getByRole('dialog', { name: /^Export [\d,]+ subscribers$/ });
  const open = async () => {
    await page.getByRole('button', { name: /^Export…/ }).click();
    await dialog().waitFor();
  };

  test('its dialog is accessible and fits, on every width', async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await open();
      expect(await accessibilityFaults(page)).toEqual([]);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBeLessThanOrEqual(width);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
    }
  });

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
