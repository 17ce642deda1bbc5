import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { appears, button, dialog } from './page.tsx';

/** The row of an account, cell by cell, without its actions. */
export function account(name: string): string[] {
  const row = screen.getByRole('rowheader', { name: new RegExp(`^${name}`) }).closest('tr');
  const cells = within(row ?? document.body).getAllByRole('cell');
  return cells.slice(0, -1).map((cell) => cell.textContent);
}

/** Waits until the row of an account says this: its role, its state, its last sign-in. */
export const accountIs = (name: string, ...says: string[]) =>
  waitFor(() => expect(account(name)).toEqual(says));

export async function add(user: UserEvent, name: string, role: string) {
  await user.click(await appears('button', 'Add staff'));
  const form = await dialog('Add staff');
  await user.type(form.getByRole('textbox', { name: 'Name' }), name);
  await user.click(form.getByRole('radio', { name: role }));
  await user.click(form.getByRole('button', { name: 'Add account' }));
}

/** Adds an account and puts its one-time password away. */
export async function hire(user: UserEvent, name: string, role: string) {
  await add(user, name, role);
  await user.click((await dialog(`One-time password for ${name}`)).getByRole('button', { name: 'Done' }));
}

/** Picks an action from the menu of an account. */
export async function choose(user: UserEvent, name: string, action: string) {
  await user.click(button(`Manage ${name}`));
  await user.click(await appears('button', action));
}
