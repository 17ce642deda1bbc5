import type { Page } from 'playwright-core';
import type { RunningScript } from './run-script.ts';

/** The password of `manager`, which the server printed at its first start. */
export const passwordOf = (server: RunningScript): string =>
  /with the password (\S+)/.exec(server.output())?.[1] ?? '';

/** Signs in as the manager that the server created at its first start. */
export async function signIn(page: Page, server: RunningScript): Promise<void> {
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel('Name', { exact: true }).fill('manager');
  await page.getByLabel('Password', { exact: true }).fill(passwordOf(server));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
}
