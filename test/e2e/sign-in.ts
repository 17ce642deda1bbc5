import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium, openPage, type Watched } from './browser.ts';
import { runScript, type RunningScript } from './run-script.ts';

/** A running product, and a page of a browser of its own in which the manager is signed in. */
export interface SignedIn {
  server: RunningScript;
  browser: Browser;
  watched: Watched;
  page: Page;
  /** Ends both. A `beforeAll` returns it. */
  close: () => Promise<void>;
}

/** Starts a product and a browser. */
export async function openBrowserAt(script: 'start' | 'demo', variables: Record<string, string> = {}) {
  const [server, browser] = await Promise.all([runScript(script, variables), launchChromium()]);
  const close = async () => {
    await browser.close();
    await server.stop();
  };
  return { server, browser, close };
}

/** The same, and signs in; in the demo somebody is signed in already. */
export async function openSignedIn(
  script: 'start' | 'demo' = 'start',
  variables: Record<string, string> = {},
  options: BrowserContextOptions = {},
): Promise<SignedIn> {
  const { server, browser, close } = await openBrowserAt(script, variables);
  try {
    const watched = await openPage(browser, options);
    const { page } = watched;
    await (script === 'start' ? signIn(page, server) : page.goto(`${server.url}/subscribers`));
    return { server, browser, watched, page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Signs in as the manager that the server created at its first start. */
export async function signIn(page: Page, server: RunningScript): Promise<void> {
  await page.goto(`${server.url}/sign-in?from=/subscribers`);
  await page.getByLabel('Name', { exact: true }).fill('manager');
  await page.getByLabel('Password', { exact: true }).fill(server.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
}
