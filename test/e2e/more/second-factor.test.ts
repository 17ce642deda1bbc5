import { expect, test } from 'vitest';
import { codeAt } from '../../support/bff/second-factor.ts';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { layoutFaultsAt } from '../../support/e2e/layout-faults.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

const { server, watched, page } = await openSignedIn();

const field = (name: string) => page.getByLabel(name, { exact: true });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

/** Checks what is on the screen, also as narrow as a telephone. */
async function isWellMade() {
  expect(await layoutFaultsAt(page, [390, 1440])).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
}

async function signOutAndIn(code: () => string) {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await press('Sign out');
  await field('Name').fill('manager');
  await field('Password').fill(server.password);
  await press('Sign in');
  await field('Code').waitFor();
  await isWellMade();
  // Only now: what the app shows is soon out of date.
  await field('Code').fill(code());
  await press('Sign in');
  await page.getByRole('link', { name: 'Staff', exact: true }).waitFor();
}

test('an app is set up by its key, then its code signs in, and after it a recovery code', async () => {
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('link', { name: 'My account' }).click();
  await press('Set up authenticator app');
  await press('Continue');
  const scan = page.getByRole('dialog', { name: 'Scan this with the app' });
  const key = ((await scan.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await expect.poll(() => field('Code').evaluate((input) => input === document.activeElement)).toBe(true);
  await isWellMade();
  // Each later sign-in needs a later code: the app's clock may be early by one code.
  await field('Code').fill(codeAt(key, Date.now()));
  await press('Confirm');
  const stored = page.getByRole('dialog', { name: 'Your recovery codes' });
  const recoveryCode = (await stored.getByRole('listitem').first().textContent()) ?? '';
  await isWellMade();
  await page.goBack();
  await stored.getByText('Keep the codes first').waitFor();
  expect(await stored.getByRole('listitem').first().textContent()).toBe(recoveryCode);
  await press('I have kept them');
  await page.getByText('10 recovery codes left.').waitFor();
  await isWellMade();

  await signOutAndIn(() => codeAt(key, Date.now() + 30_000));
  await signOutAndIn(() => recoveryCode.toUpperCase());
  await page.goto(`${server.url}/account`);
  await page.getByText('9 recovery codes left.').waitFor();
  expect(watched.complaints()).toEqual([]);
  expect(watched.refusals()).toEqual(['401 POST /bff/session', '401 POST /bff/session']);
});
