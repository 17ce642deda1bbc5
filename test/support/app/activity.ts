import { screen, within } from '@testing-library/react';

/** The messages in the corner of the page. */
export const toasts = () => within(screen.getByRole('status', { name: 'Notifications' }));

/** The part of the pane that shows who did what. */
export const paneActivity = async () => within(await screen.findByRole('region', { name: 'Activity' }));

/** The rows of the journal's page as texts, cell by cell; without the last, which holds the button. */
export function journalRows(): string[][] {
  const rows = within(screen.getByRole('table', { name: 'Activity' }))
    .getAllByRole('row')
    .slice(1);
  return rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .slice(0, -1)
      .map((cell) => cell.textContent),
  );
}
