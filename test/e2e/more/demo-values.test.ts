import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openPage, type Watched } from '../../support/e2e/browser.ts';
import { layoutFaultsAt } from '../../support/e2e/layout-faults.ts';
import { startProduct } from '../../support/e2e/product.ts';

const demo = await startProduct('demo');

const ways = [
  { way: 'the keyboard', width: 1440, height: 900 },
  { way: 'a finger, on a telephone', width: 390, height: 844 },
] as const;

describe.each(ways)('what subscribers may use, in the demo by $way', ({ way, width, height }) => {
  const isTouch = way !== 'the keyboard';
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage({ viewport: { width, height }, hasTouch: isTouch });
    ({ page } = watched);
    await page.goto(`${demo.url}/subscribers?demo-data=2000&demo-role=manager&demo-bar=off`);
  });

  /** Presses a link or a button as soon as it takes a press: by the key on it, or by a tap. */
  async function press(role: 'link' | 'button', name: string | RegExp): Promise<void> {
    const target = page.getByRole(role, { name }).first();
    if (isTouch) return target.tap();
    await target.click({ trial: true });
    await target.focus();
    await page.keyboard.press('Enter');
  }
  async function isFaultless(): Promise<void> {
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    expect.soft(await accessibilityFaults(page)).toEqual([]);
    expect.soft(await layoutFaultsAt(page, [width])).toEqual([]);
    expect.soft([...watched.complaints(), ...watched.refusals()]).toEqual([]);
  }
  const find = () => page.getByRole('searchbox', { name: 'Find subscribers' });
  const chip = (name: string) => page.getByRole('button', { name: `Remove filter: ${name}` }).waitFor();
  const rows = () => page.getByRole('table', { name: 'Subscribers' });

  it('leads from an address to those who may use it, and from a value of one to all with it', async () => {
    await rows().getByRole('link').first().waitFor();
    await find().focus();
    await page.keyboard.insertText('198.51.100.0/24');
    await page.getByRole('button', { name: /^Who may use 198\.51\.100\.0\/24\?/ }).waitFor();
    await isFaultless();
    await page.keyboard.press('Enter');
    await chip('IP address');
    await isFaultless();
    await press('link', /^\w+\.\w+/);
    const pane = page.getByRole('complementary');
    await pane
      .getByText(/^198\.51\.100\./)
      .first()
      .waitFor();
    await isFaultless();
    await press('link', /^Show all with 198\.51\.100\./);
    await chip('IP address');
    await rows().getByRole('link').first().waitFor();
    await isFaultless();
  });

  it('has bundles with names, and counts of subscribers that lead to them', async () => {
    await page.goto(`${demo.url}/bundles`);
    await page.getByRole('table', { name: 'Bundles' }).getByText('Sports Plus').waitFor();
    await isFaultless();
    await press('button', 'Edit Sports');
    await page.getByRole('dialog', { name: 'Edit Sports' }).waitFor();
    await isFaultless();
    await page.keyboard.press('Escape');
    await page.goto(`${demo.url}/overview`);
    await page.getByRole('link', { name: /^Norway: / }).waitFor();
    await page.getByRole('link', { name: /^Norway: / }).scrollIntoViewIfNeeded();
    const places = page.getByRole('list').filter({ has: page.getByRole('link', { name: /^Norway: / }) });
    const lefts = places
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.children[1]?.getBoundingClientRect().left));
    expect(new Set(await lefts).size).toBe(1);
    await isFaultless();
    await press('link', /^Sports · 3: /);
    await chip('Bundle');
    await rows().getByRole('link').first().waitFor();
    await isFaultless();
  });
});
