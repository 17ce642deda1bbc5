import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { appears, button } from './page.tsx';

export const signInHeading = 'Sign in to Subscriber Desk';

/** Fills in the sign-in page, as soon as it is there, and sends it. */
export async function signIn(user: UserEvent, { name, password }: { name: string; password: string }) {
  await appears('heading', signInHeading);
  const nameField = screen.getByLabelText('Name');
  await user.clear(nameField);
  await user.paste(name);
  await user.clear(screen.getByLabelText('Password'));
  await user.paste(password);
  await user.click(button('Sign in'));
}

export async function signOut(user: UserEvent) {
  await user.click(await appears('button', /^Account: ?Kari/));
  await user.click(await appears('button', 'Sign out'));
}
