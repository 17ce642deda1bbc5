import type { Page } from 'playwright-core';
import { openPage } from './browser.ts';

export const barOf = (page: Page) => page.getByRole('region', { name: 'Demo', exact: true });
export const table = (page: Page) => page.getByRole('table', { name: 'Subscribers' });
export const pane = (page: Page) => page.getByRole('complementary');
export const shownNote = (page: Page, text: string) => pane(page).getByText(text).first();

/** The demo at an address. */
export async function openDemo(url: string, options: Parameters<typeof openPage>[0] = {}) {
  const watched = await openPage(options);
  await watched.page.goto(url);
  return { ...watched, bar: barOf(watched.page) };
}

/** Saves a note in the form. */
export async function saveNote(page: Page, note: string): Promise<void> {
  await page.getByLabel('Note', { exact: true }).fill(note);
  await page.getByRole('button', { name: 'Save changes' }).click();
}
