import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';

export const table = () => screen.getByRole('table', { name: 'Subscribers' });

/** The usernames in the table, from top to bottom. */
export const usernames = () =>
  within(table())
    .queryAllByRole('link')
    .map((link) => link.textContent);

/** Waits until the table shows these and no others, in this order. */
export const shows = (...names: string[]) => waitFor(() => expect(usernames()).toEqual(names));

/** What the row of a subscriber says, cell by cell; the username first. */
export async function rowOf(username: string) {
  const link = await screen.findByRole('link', { name: username });
  const row = link.closest('tr');
  if (!row) throw new Error(`${username} is in no row.`);
  return row;
}

/** The texts of the live regions of the page, which a screen reader reads out. */
export const announced = () => screen.getAllByRole('status').map((region) => region.textContent);
