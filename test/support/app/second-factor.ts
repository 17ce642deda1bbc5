import type { UserEvent } from '@testing-library/user-event';
import { codeAt } from '../bff/second-factor.ts';
import { appears, dialog } from './page.tsx';

export const setUp = 'Set up authenticator app';

type Shown = Awaited<ReturnType<typeof dialog>>;

export const keyIn = (shown: Shown) =>
  shown.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/).textContent.replaceAll(' ', '');

/** Goes as far as the dialog with the key, and reads the key from it. */
export async function scan(user: UserEvent) {
  await user.click(await appears('button', setUp));
  await user.click((await dialog(setUp)).getByRole('button', { name: 'Continue' }));
  const shown = await dialog('Scan this with the app');
  return { shown, key: keyIn(shown) };
}

/** Enters the code of a moment, in ms since the epoch. */
export async function enterCode(user: UserEvent, shown: Shown, key: string, at: number) {
  await user.clear(shown.getByLabelText('Code'));
  await user.paste(codeAt(key, at));
  await user.click(shown.getByRole('button', { name: 'Confirm' }));
}

/** Says that the recovery codes are kept. */
export async function keepCodes(user: UserEvent) {
  const stored = await dialog('Your recovery codes');
  await user.click(stored.getByRole('button', { name: 'I have kept them' }));
}
