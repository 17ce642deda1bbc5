import type { UserEvent } from '@testing-library/user-event';
import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';

export const table = () => screen.getByRole('table', { name: 'Subscribers' });

/** The usernames in the table, from top to bottom. */
export const usernames = () =>
  within(table())
    .queryAllByRole('rowheader')
    .map((heading) => heading.querySelector('a')?.textContent);

/** Waits until the table shows these and no others, in this order. */
export const shows = (...names: string[]) => waitFor(() => expect(usernames()).toEqual(names));

/** Waits until the table begins with this one. */
export const firstShown = (name: string) => waitFor(() => expect(usernames()[0]).toBe(name));

/** The box that the list is searched with. */
export const findBox = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find subscribers' });

/** The row of a subscriber, cell by cell; the username first. */
export async function rowOf(username: string) {
  const link = await screen.findByRole('link', { name: username });
  const row = link.closest('tr');
  if (!row) throw new Error(`${username} is in no row.`);
  return row;
}

/** The texts of the live regions of the page, which a screen reader reads out. */
export const announced = () => screen.getAllByRole('status').map((region) => region.textContent);

/** Waits until the page announces a sentence. */
export const says = (sentence: string) => waitFor(() => expect(announced()).toContain(sentence));

const options = { Expired: ['Expires', 'Expired'], Trial: ['Plan', 'true'] } as const;

const filterSelect = (name: keyof typeof options) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: options[name][0] });

/** True if the list is filtered like this. */
export const isFiltered = (name: keyof typeof options) => filterSelect(name).value === options[name][1];

/** Sets a filter of the list, or takes it away if it is set. */
export const toggleFilter = (user: UserEvent, name: keyof typeof options) =>
  user.selectOptions(filterSelect(name), isFiltered(name) ? '' : options[name][1]);
