import { createMemoryHistory, type RouterHistory } from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import { createDashboard, DashboardRoot } from '../../../src/app/dashboard.tsx';
import { openDesk, type DeskOptions } from './desk.ts';

export type Page = Awaited<ReturnType<typeof openApp>>;

/** The whole dashboard at an address, on a desk of its own. */
export async function openApp(address: string, options: DeskOptions = {}) {
  const desk = await openDesk(options);
  return { ...desk, ...renderApp(address) };
}

/** The whole dashboard at an address, on the desk that was opened before it. */
export function renderApp(
  address: string,
  history: RouterHistory = createMemoryHistory({ initialEntries: [address] }),
) {
  // Tests press quicker than people do; what a quick second press does is for the browser to show.
  const dashboard = createDashboard({ history, pressPause: 0 });
  const { app, router } = dashboard;
  const cache = app.queryClient;
  onTestFinished(() => cache.cancelQueries().then(() => cache.clear()));
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  render(<DashboardRoot dashboard={dashboard} />);
  return {
    user,
    /** Presses and types without a pause in which the page could show what came of it, however busy the machine is. */
    hasty: userEvent.setup({ delay: null }),
    cache,
    /** The present address, with its query. */
    address: () => router.state.location.href,
    goBack: () => router.history.back(),
    goForward: () => router.history.forward(),
    goTo: (href: string) => router.history.push(href),
  };
}

export const button = (name: string | RegExp) => screen.getByRole('button', { name });
export const link = (name: string | RegExp) => screen.getByRole('link', { name });
export const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

/** The rows of a table as texts, cell by cell, without that of the headings. */
export const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

/** Whatever is on the page of a role and name, as soon as it is there. */
export const appears = (role: string, name?: string | RegExp) =>
  screen.findByRole(role, name === undefined ? {} : { name });

export const disappears = (role: string, name: string | RegExp) =>
  waitFor(() => expect(screen.queryByRole(role, { name })).toBeNull());

/** Waits until an element has the focus: the one a person goes on from. */
export const hasFocus = (find: () => HTMLElement) =>
  waitFor(() => expect(document.activeElement).toBe(find()));

/** A dialog, as soon as it is open. */
export const dialog = async (name: string | RegExp) => within(await appears('dialog', name));
