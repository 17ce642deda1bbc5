import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { appears, button, dialog, openApp } from '../../support/app/page.tsx';
import { bar } from '../../support/app/selection.ts';
import { crowd, person } from '../../support/people.ts';

const trials = crowd(12, { isTrial: true, expiresAt: '2026-05-01T12:00:00.000Z' });
const people = [...trials, person('paying'), person('suspended')];

describe('an extension of all that match', () => {
  it('goes from the list by a preview to the report, and is undone by another job', async () => {
    const { user, address, service } = await openApp('/subscribers?expired=true&trial=true', { people });
    const expiries = async () =>
      (await service.listSubscribers({ query: { IsTrial: true } })).data.items.map(
        ({ expiresAt }) => expiresAt,
      );
    const before = await expiries();
    await user.click(await appears('button', 'Select'));
    await screen.findByRole('checkbox', { name: 'Select p001' });
    await user.click(bar().getByRole('button', { name: 'Select all 12 that match' }));
    await waitFor(() =>
      expect(bar().getByRole('status').textContent).toBe('All 12 that match are selected.'),
    );
    await user.click(bar().getByRole('button', { name: 'Extend…' }));
    const shown = await dialog('Extend 12 subscribers');
    shown.getByText(/^Nothing is changed yet/);
    await user.click(shown.getByRole('button', { name: 'Preview' }));
    await appears('heading', 'Extend 12 subscribers');
    const start = await appears('button', 'Extend 12 subscribers');
    within(await appears('region', 'Preview')).getByText('New expiry: 1 Jul 2026');
    expect(await expiries()).toEqual(before);
    await user.click(start);
    await screen.findByText('Done. 12 extended.', { selector: 'section p' });
    expect(new Set(await expiries())).toEqual(new Set(['2026-07-01T21:59:59.000Z']));
    const first = address();
    await user.click(button('Undo this job…'));
    await user.click(await appears('button', 'Undo the changes of 12 subscribers'));
    await screen.findByText('Done. 12 undone.', { selector: 'section p' });
    expect(await expiries()).toEqual(before);
    expect(address()).not.toBe(first);
    await user.click(screen.getByRole('link', { name: 'Jobs' }));
    const table = await appears('table', 'Jobs');
    await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(3));
  });
});
