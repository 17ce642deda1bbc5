import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { fill } from './form.ts';
import { kari, openBffWithAccounts } from './bff-with-accounts.ts';
import { appears, dialog, openDashboard } from './page.tsx';
import { anna, person } from './people.ts';
import { signIn } from './sign-in.ts';

export const title = 'Sign in again';
export const saving = /^PUT \/api\/subscribers/;

/** Opens a page as a signed-in user. Tests then end the session without telling the page. */
export async function openAt(address: string, options: { provider?: boolean } = {}) {
  const bff = await openBffWithAccounts(
    [{ ...anna, isTrial: false }, person('bjarne', { isTrial: true })],
    options,
  );
  const page = openDashboard(address);
  await signIn(page.user, kari);
  await appears('button', /^Account: ?Kari/);
  return { ...bff, ...page };
}
export type Page = Awaited<ReturnType<typeof openAt>>;

export async function openForm(options: { provider?: boolean } = {}) {
  const page = await openAt('/subscribers/1/edit', options);
  await screen.findByLabelText('Note');
  // From here on every request is caused by the user.
  await waitFor(() => expect(page.cache.isFetching()).toBe(0));
  return page;
}
export async function typeNote({ user }: Page, text = 'Typed before.') {
  await fill(user, 'Note', text);
}
export const noteOf = async ({ service }: Page) =>
  (await service.getSubscriber({ params: { id: 1 }, query: {} })).data.note;

export async function answerWith({ user }: Page, password: string) {
  const asked = await dialog(title);
  await user.clear(asked.getByLabelText('Password'));
  await user.paste(password);
  await user.click(asked.getByRole('button', { name: 'Sign in' }));
}

export const giveUp = async ({ user }: Page) =>
  user.click((await dialog(title)).getByRole('button', { name: 'Cancel' }));
