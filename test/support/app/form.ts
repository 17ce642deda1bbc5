import { fireEvent, screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { anna } from '../people.ts';
import type { DeskOptions } from './desk.ts';
import { openApp } from './page.tsx';

/** Opens the form at an address and waits for it. */
export async function openForm(address = '/subscribers/new', options: DeskOptions = {}) {
  const page = await openApp(address, { people: [anna], ...options });
  await screen.findByLabelText('Note');
  return page;
}

/** A field of the form by the words of its label. */
export const input = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(label, { selector: 'input, textarea' });

/** Replaces the text of a field, all at once, and moves on to the next field. */
export async function fill(user: UserEvent, label: string, text: string): Promise<void> {
  await user.clear(input(label));
  if (text !== '') await user.paste(text);
  await user.tab();
}

/** Picks a date and time, as a browser's own picker enters it: at once. Local, such as `2026-12-31T23:00`. */
export function pickExpiry(local: string): void {
  fireEvent.change(input('Expires'), { target: { value: local } });
  fireEvent.blur(input('Expires'));
}

/** Enters all that a new subscriber needs. */
export async function fillNew(user: UserEvent, username = 'bjarne'): Promise<void> {
  await fill(user, 'Username', username);
  await fill(user, 'Email', `${username}@example.com`);
  pickExpiry('2026-12-31T23:00');
}

/** The sentences that are read with a field: its error, or its hint. */
export const readWith = (label: string) =>
  (input(label).getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '');

/** The values of a list that are chosen so far. */
export const chips = (label: string) =>
  [...screen.getByRole('list', { name: `${label}, chosen` }).children].map((chip) => chip.textContent);
