import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { anna, crowd } from '../people.ts';
import type { DeskOptions } from './desk.ts';
import { appears, openApp, rowsOf } from './page.tsx';

/** The messages in the corner of the page. */
export const toasts = () => within(screen.getByRole('status', { name: 'Notifications' }));

/** The part of the pane that shows who did what. */
export const paneActivity = async () => within(await screen.findByRole('region', { name: 'Activity' }));

/** The rows of the journal's page as texts, cell by cell; without the last, which holds the button. */
export const journalRows = () => rowsOf('Activity').map((cells) => cells.slice(0, -1));

/** Sends a change as the page does, or another tab of the same browser. */
export function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  base = '/api',
) {
  return fetch(`${location.origin}${base}${path}`, {
    method,
    headers: { 'X-CSRF': '1', 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** The activity of three changes: one done, one refused and a deletion. */
export async function openActivity(address = '/activity', options: DeskOptions = {}) {
  const page = await openApp('/subscribers', { people: [anna, ...crowd(2)], ...options });
  await appears('link', 'anna');
  await send('PUT', '/subscribers/1', { note: '=1+1' }, { 'X-Change-Reason': encodeURIComponent('Påske') });
  await send('PUT', '/subscribers/2', { username: 'anna' });
  await send('DELETE', '/subscribers/3');
  page.goTo(address);
  await appears('heading', /^Activity/);
  return page;
}

/** Waits until the journal's page shows these entries, by what was done. */
export const showsEntries = (...requested: string[]) =>
  waitFor(() => expect(journalRows().map(([, , what]) => what)).toEqual(requested));
