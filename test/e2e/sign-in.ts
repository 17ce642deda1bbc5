import type { Page } from 'playwright-core';
import type { RunningScript } from './run-script.ts';

/** Signs in as the manager that the server created at its first start. */
export async function signIn(page: Page, server: RunningScript): Promise<void> {
  await page.goto(`${server.url}/sign-in?from=/subscribers`);
  await page.getByLabel('Name', { exact: true }).fill('manager');
  await page.getByLabel('Password', { exact: true }).fill(server.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
}
