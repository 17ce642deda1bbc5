import { screen, within } from '@testing-library/react';
import { openDesk, type DeskOptions } from './desk.ts';
import { appears, dialog, renderApp, type Page } from './page.tsx';
import { person } from '../people.ts';

/** A trial, one whose subscription has expired, and one whose trial has. */
export const trialAndExpired = [
  person('anna', { isTrial: true }),
  person('bjarne', { expiresAt: '2026-02-01T00:00:00Z' }),
  person('cecilie', { expiresAt: '2026-01-01T00:00:00Z', isTrial: true }),
];

/** The links above the list. */
const viewLinks = () =>
  within(screen.getByRole('navigation', { name: 'Views' })).getAllByRole<HTMLAnchorElement>('link');

/** Links of the saved views: name and count. They come after those that every user has. */
export function savedViews(): (string | null)[] {
  const names = viewLinks().map((link) => link.textContent);
  return names.slice(names.indexOf('Expiring next') + 1);
}

/** The names of the current views, without their counts. */
export const currentViews = () =>
  viewLinks()
    .filter((link) => link.getAttribute('aria-current') === 'page')
    .map((link) => link.firstChild?.textContent);

/** Saves the current list as a view. */
export async function saveView({ user }: Pick<Page, 'user'>, name: string, shared = false) {
  await user.click(await appears('button', 'Save view'));
  const form = await dialog('Save view');
  await user.clear(form.getByRole('textbox', { name: 'Name' }));
  await user.paste(name);
  if (shared) await user.click(form.getByRole('checkbox', { name: 'Share with everybody' }));
  await user.click(form.getByRole('button', { name: 'Save view' }));
}

/** The list with saved views of these names, each filtered by that username; the last of them is open. */
export async function openWithViews(names: readonly string[], options: DeskOptions) {
  const desk = await openDesk(options);
  const views = names.map((name, place) => {
    const query = JSON.stringify({ Username: name });
    return { owner: 'tab', id: name, place, name, query };
  });
  await desk.db.insertInto('views').values(views).execute();
  const page = renderApp(`/subscribers?username=${names.at(-1)}`);
  await appears('link', `${names.at(-1)}1`);
  return { ...desk, ...page };
}
