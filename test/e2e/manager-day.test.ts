import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../support/e2e/axe.ts';
import { openPage } from '../support/e2e/browser.ts';
import { testManagersChange } from '../support/e2e/manager-change.ts';
import { startProduct } from '../support/e2e/product.ts';
import { signIn } from '../support/e2e/sign-in.ts';

describe('a manager’s change of many subscribers at a desk', () => {
  testManagersChange({ width: 1440, height: 900 });
});

const server = await startProduct();
const watched = { manager: await openPage(), newcomer: await openPage() };
const manager = watched.manager.page;
const newcomer = watched.newcomer.page;

/** A manager and a newcomer in two browsers; each test begins where the one before ended. */
describe('staff accounts', () => {
  let oneTime: string;

  afterEach(() => {
    for (const { complaints, refusals } of Object.values(watched))
      expect([...complaints(), ...refusals()]).toEqual([]);
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const row = (name: string) => manager.getByRole('row').filter({ hasText: name });

  test('a manager adds an account and sees its one-time password once', async () => {
    await signIn(manager, server);
    await manager.getByRole('link', { name: 'Staff' }).click();
    await row('manager').getByText('You', { exact: true }).waitFor();
    expect(await accessibilityFaults(manager)).toEqual([]);

    await button(manager, 'Add staff').click();
    const dialog = manager.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Jonas');
    await dialog.getByLabel('Viewer').check();
    expect(await accessibilityFaults(manager)).toEqual([]);
    await button(manager, 'Add account').click();
    await manager.getByRole('dialog', { name: 'One-time password for Jonas' }).waitFor();
    expect(await accessibilityFaults(manager)).toEqual([]);
    for (let press = 0; press < 3; press += 1) await manager.keyboard.press('Escape');
    await dialog.getByText('Copy the password first').waitFor();
    expect(await accessibilityFaults(manager)).toEqual([]);
    // Looked for from before the press, because it does not stand for long.
    const confirmed = dialog.getByText('The password is on the clipboard.').waitFor();
    await Promise.all([confirmed, button(manager, 'Copy password').click()]);
    oneTime = (await dialog.getByText(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/).textContent()) ?? '';
    await button(manager, 'Done').click();
    expect(await manager.content()).not.toContain(oneTime);
    await row('Jonas').getByText('One-time password', { exact: true }).waitFor();
  });

  test('a newcomer has to choose a password before anything else', async () => {
    await newcomer.goto(`${server.url}/sign-in?from=${encodeURIComponent('/subscribers?expired=true')}`);
    await newcomer.getByLabel('Name', { exact: true }).fill('jonas');
    await newcomer.getByLabel('Password', { exact: true }).fill(oneTime);
    await button(newcomer, 'Sign in').click();
    const heading = newcomer.getByRole('heading', { name: 'Choose your own password' });
    await heading.waitFor();
    expect(await newcomer.getByRole('navigation').count()).toBe(0);
    expect(await accessibilityFaults(newcomer)).toEqual([]);

    await newcomer.goto(`${server.url}/subscribers/1`);
    await heading.waitFor();
    expect(new Set(watched.newcomer.refusals().map((refusal) => refusal.slice(0, 3)))).toEqual(
      new Set(['403']),
    );
    await newcomer.goBack();
    await heading.waitFor();

    expect(await newcomer.getByLabel('New password').evaluate((field) => field.matches(':focus'))).toBe(true);
    await newcomer.getByLabel('New password').fill('jonas jonas jonas');
    await button(newcomer, 'Change password').click();
    await newcomer.getByText('Too close to your name.').waitFor();
    await newcomer.getByLabel('New password').fill('nine tired otters sing');
    await button(newcomer, 'Change password').click();
    await newcomer.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
    expect(newcomer.url()).toBe(`${server.url}/subscribers?expired=true`);
  });
});
