import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { appears } from './page.tsx';

const boxes = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox', { name: /^Select (?!all)/ })
    .filter(({ checked }) => checked);

/** The box that selects a subscriber, as soon as it is there. */
export const mark = (username: string) => appears('checkbox', `Select ${username}`);

export const markAll = () =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all on this page' });

/** The usernames on the page that are selected. */
export const marked = () => boxes().map((box) => box.getAttribute('aria-label')?.replace('Select ', ''));

export const bar = () => within(screen.getByRole('region', { name: 'Selection' }));

/** Waits until the bar says this of the selection. */
export const barSays = (sentence: string) =>
  waitFor(() => expect(bar().getByRole('status').textContent).toBe(sentence));
