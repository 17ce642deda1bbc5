import { request, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import type { Watched } from './browser.ts';
import type { Product } from './product.ts';

/** Signs in to a test, and checks later that the session has ended. */
export interface Entry {
  /** Goes to an address inside. */
  enter: (watched: Watched, server: Product, path: string) => Promise<void>;
  /** Keeps the session; the returned function tries it later and gives the status. */
  keepSession: (page: Page, server: Product) => Promise<() => Promise<number>>;
}

/** By name and password, and a cookie. */
export const signInEntry: Entry = {
  async enter({ page, refusals }, server, path) {
    const field = (name: string) => page.getByLabel(name, { exact: true });
    const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
    await page.goto(`${server.url}${path}`);
    await page.getByRole('heading', { name: 'Sign in to Subscriber Desk', exact: true }).waitFor();
    expect(new Set(refusals())).toEqual(new Set(['401 GET /bff/session', '401 GET /api/subscribers']));
    expect(await accessibilityFaults(page)).toEqual([]);

    await field('Name').fill('manager');
    await field('Password').fill('not the password');
    await signIn.click();
    await page.getByRole('alert').getByText('Name or password is wrong').waitFor();
    expect(refusals()).toEqual(['401 POST /bff/session']);

    await field('Password').fill(server.password);
    await signIn.click();
  },
  async keepSession(page, server) {
    const [cookie] = await page.context().cookies();
    const headers = { 'X-CSRF': '1', Cookie: `${cookie?.name}=${cookie?.value}` };
    return async () => {
      const stranger = await request.newContext({ extraHTTPHeaders: headers, ignoreHTTPSErrors: true });
      const answer = await stranger.get(`${server.url}/bff/session`);
      await stranger.dispose();
      return answer.status();
    };
  },
};

/** Somebody is signed in already, and the server exists only in this page. */
export const openEntry: Entry = {
  enter: async ({ page }, server, path) => void (await page.goto(`${server.url}${path}`)),
  keepSession: async (page) => () =>
    page.evaluate(async () => (await fetch('/bff/session', { headers: { 'X-CSRF': '1' } })).status),
};
