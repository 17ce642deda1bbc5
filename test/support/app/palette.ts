import { screen, within } from '@testing-library/react';
import { shows } from './list.ts';
import { appears, dialog, hasFocus, openApp } from './page.tsx';
import { pane } from './pane.ts';
import { anna, person } from '../people.ts';

/** Name of the palette. */
export const title = 'Find a command or a subscriber';
export const people = [anna, person('bjarne'), person('annika')];
export const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: /^Command, username/ });
export const options = () =>
  within(screen.getByRole('listbox'))
    .queryAllByRole('option')
    .map((option) => option.textContent);
export const group = (name: string) =>
  within(screen.getByRole('group', { name }))
    .getAllByRole('option')
    .map((option) => option.textContent);
/** The chosen entry for a screen reader, while the focus stays in the box. */
export const chosen = () =>
  document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent;

/** The dashboard with the palette open, and with a pane where the address has one. */
export async function openPalette(
  address = '/subscribers',
  role: 'viewer' | 'support' | 'manager' = 'support',
) {
  const page = await openApp(address, { people, role });
  await shows('anna', 'bjarne', 'annika');
  await appears('button', /^Account: ?Kari/);
  if (address.startsWith('/subscribers/')) await (await pane('anna')).findByText('Norway');
  await page.user.keyboard('{Control>}k{/Control}');
  await dialog(title);
  await hasFocus(box);
  return page;
}
