import type { Page } from 'playwright-core';
import type { RunningScript } from './run-script.ts';

/** The password of the manager of a desk's first start, who is called `manager`. */
export const passwordOf = (desk: RunningScript): string =>
  /with the password (\S+)/.exec(desk.output())?.[1] ?? '';

/** Signs in as the manager of a desk's first start. */
export async function signIn(page: Page, desk: RunningScript): Promise<void> {
  await page.goto(`${desk.url}/sign-in`);
  await page.getByLabel('Name', { exact: true }).fill('manager');
  await page.getByLabel('Password', { exact: true }).fill(passwordOf(desk));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
}
