import type { BrowserContextOptions, Page } from 'playwright-core';
import { openPage, type Watched } from './browser.ts';
import { startProduct, type Product } from './product.ts';

/** A running product, and a page in which the manager is signed in. */
interface SignedIn {
  server: Product;
  watched: Watched;
  page: Page;
}

/** Starts a product and signs in; in the demo somebody is signed in already. */
export async function openSignedIn(
  command: 'start' | 'demo' = 'start',
  variables: Record<string, string> = {},
  options: BrowserContextOptions = {},
): Promise<SignedIn> {
  const [server, watched] = await Promise.all([startProduct(command, variables), openPage(options)]);
  const { page } = watched;
  await (command === 'start' ? signIn(page, server) : page.goto(`${server.url}/subscribers`));
  return { server, watched, page };
}

/** Signs in as the manager that the server created at its first start. */
export async function signIn(page: Page, server: Pick<Product, 'url' | 'password'>): Promise<void> {
  await page.goto(`${server.url}/sign-in?from=/subscribers`);
  await page.getByLabel('Name', { exact: true }).fill('manager');
  await page.getByLabel('Password', { exact: true }).fill(server.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
}
