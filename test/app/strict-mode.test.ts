import { configure, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toasts } from '../support/app/activity.ts';
import { fill, fillNew } from '../support/app/form.ts';
import { rowOf, shows } from '../support/app/list.ts';
import { openApp, appears, button, dialog, disappears, hasFocus } from '../support/app/page.tsx';
import { details, pane } from '../support/app/pane.ts';
import { bar, mark } from '../support/app/selection.ts';
import { anna, person } from '../support/people.ts';

const people = [anna, person('bjarne')];

// While React develops, it renders twice, and it starts, ends and starts again every effect of what is mounted.
beforeEach(() => configure({ reactStrictMode: true }));
afterEach(() => configure({ reactStrictMode: false }));

describe('the dashboard in React’s strict mode', () => {
  it('opens every screen', async () => {
    const { goTo } = await openApp('/overview', { people });
    for (const [address, heading] of [
      ['/overview', 'Overview'],
      ['/activity', /^Activity/],
      ['/activity?totals=true', /^Activity/],
      ['/jobs', 'No jobs yet'],
      ['/jobs/import', 'Import subscribers'],
      ['/messages', 'Messages'],
      ['/staff', /^Staff/],
      ['/account', 'My account'],
      ['/password', 'Change your password'],
      ['/nothing', 'Page not found'],
    ] as const) {
      goTo(address);
      await appears('heading', heading);
    }
  });

  it('creates, finds, changes and deletes subscribers', async () => {
    const { user, requested, goTo, service } = await openApp('/subscribers', { people });
    await shows('anna', 'bjarne');
    await user.keyboard('n');
    await hasFocus(() => screen.getByLabelText('Username'));
    await fillNew(user, 'cecilie');
    await fill(user, 'Bundles', '7');
    await user.click(button('Create subscriber'));
    await pane('cecilie');
    expect(details()['Bundles']).toBe('7');
    expect(requested(/^POST \/api\/subscribers$/)).toHaveLength(1);
    await user.keyboard('{Escape}');
    await disappears('complementary', 'cecilie');
    await user.click(screen.getByRole('searchbox'));
    await user.paste('ann');
    await shows('anna');
    await user.click(await rowOf('anna'));
    await (await pane('anna')).findByText('Norway');
    await user.click(button(/^\+7 days/));
    await toasts().findByText(/^anna now expires on 7 Jan 2027/);
    await user.keyboard('e');
    await appears('heading', 'Edit anna');
    await fill(user, 'Note', 'Moved.');
    await user.click(within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link'));
    await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Keep editing' }));
    await user.click(button('Save changes'));
    await toasts().findByText('Changes to anna were saved.');
    await user.click(button('Delete…'));
    await user.click((await dialog('Delete anna?')).getByRole('button', { name: 'Delete subscriber' }));
    await toasts().findByText('anna was deleted.');
    goTo('/activity');
    await appears('link', 'anna');
    const { items } = (await service.listSubscribers({ query: {} })).data;
    expect(items.map(({ username }) => username)).toEqual(['bjarne', 'cecilie']);
  });

  it('runs a job for the selected, which the palette opens', async () => {
    const { user } = await openApp('/subscribers', { people });
    await shows('anna', 'bjarne');
    await user.click(await appears('button', 'Select'));
    await user.click(await mark('bjarne'));
    await user.click(bar().getByRole('button', { name: 'Extend…' }));
    await user.click((await dialog('Extend 1 subscriber')).getByRole('button', { name: 'Preview' }));
    await user.click(await appears('button', 'Extend 1 subscriber'));
    await appears('region', 'Report');
    await user.keyboard('{Control>}k{/Control}');
    await dialog('Find a command or a subscriber');
    await user.keyboard('bjarne');
    await user.click(await appears('option', /^bjarne/));
    await pane('bjarne');
  });
});
