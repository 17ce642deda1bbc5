import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { anna, person } from '../people.ts';
import type { DeskOptions } from './desk.ts';
import { fill } from './form.ts';
import { shows } from './list.ts';
import { appears, button, dialog, openApp } from './page.tsx';
import { endSessions, kari, signIn, staff } from './sign-in.ts';

export const title = 'Sign in again';
export const saving = /^PUT \/api\/subscribers/;

/** Opens a page as a signed-in user. Tests then end the session without telling the page. */
export async function openAt(address: string, options: DeskOptions = {}) {
  const people = [{ ...anna, isTrial: false }, person('bjarne', { isTrial: true })];
  const page = await openApp(address, { people, staff, ...options });
  await signIn(page.user, kari);
  await appears('button', /^Account: ?Kari/);
  return page;
}
export type Page = Awaited<ReturnType<typeof openAt>>;

export async function openForm(options: DeskOptions = {}) {
  const page = await openAt('/subscribers/1/edit', options);
  await screen.findByLabelText('Note');
  // From here on every request is caused by the user, until the subscriber is read again after ten seconds.
  await waitFor(() => {
    expect(new Set(page.requested(/editors|statuses|bff\/bundles|recent-subscribers/)).size).toBe(4);
    expect(page.cache.isFetching() + page.cache.isMutating()).toBe(0);
  });
  return page;
}
export async function typeNote({ user }: Page, text = 'Typed before.') {
  await fill(user, 'Note', text);
}

/** Opens the form, types a note, and saves it after the session has ended; the dialog to sign in again opens. */
export async function saveTooLate(options: DeskOptions = {}) {
  const page = await openForm(options);
  await typeNote(page);
  await endSessions(page);
  await page.user.click(button('Save changes'));
  return { page, requested: await dialog(title) };
}

/** Opens the list, with nothing left that the page itself requests, and ends the session. */
export async function openListTooLate() {
  const page = await openAt('/subscribers');
  await shows('anna', 'bjarne');
  await appears('link', 'Expired trials0');
  await endSessions(page);
  return page;
}

export const noteOf = async ({ saved }: Page) => (await saved()).note;

export async function answerWith({ user }: Page, password: string) {
  const asking = await dialog(title);
  await user.clear(asking.getByLabelText('Password'));
  await user.paste(password);
  await user.click(asking.getByRole('button', { name: 'Sign in' }));
}

export const giveUp = async ({ user }: Page) =>
  user.click((await dialog(title)).getByRole('button', { name: 'Cancel' }));
