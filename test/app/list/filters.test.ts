import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { suspend } from '../../support/app/desk.ts';
import { announced, shows, toggleFilter, isFiltered } from '../../support/app/list.ts';
import { button, disappears, openApp } from '../../support/app/page.tsx';
import { anna, person } from '../../support/people.ts';
import { testTime } from '../../support/setup/fixed-time.ts';

const people = [
  person('anna', { expiresAt: '2026-08-01T00:00:00Z', isTrial: true }),
  person('bjarne', { expiresAt: '2026-02-01T00:00:00Z' }),
  person('cecilie', { expiresAt: '2026-01-01T00:00:00Z', isTrial: true }),
];

test('the filters by expiry and plan show whether they are on, and are in the address', async () => {
  const { user, address } = await openApp('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  await toggleFilter(user, 'Expired');
  await shows('bjarne', 'cecilie');
  await toggleFilter(user, 'Trial');
  await shows('cecilie');
  expect(address()).toBe('/subscribers?expired=true&trial=true');
  expect([isFiltered('Expired'), isFiltered('Trial')]).toEqual([true, true]);
  expect(announced()).toContain('1 subscriber.');
  await toggleFilter(user, 'Expired');
  await shows('anna', 'cecilie');
  expect(address()).toBe('/subscribers?trial=true');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Plan' }), 'Paid');
  await shows('bjarne');
  expect(address()).toBe('/subscribers?trial=false');
});

test('the status filters the list', async () => {
  const page = await openApp('/subscribers', { people });
  await suspend(page, 'bjarne');
  await screen.findByRole('option', { name: 'Status: Suspended' });
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Status: Suspended');
  await shows('bjarne');
  expect(page.address()).toBe('/subscribers?status=2');
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Status: any');
  await shows('anna', 'bjarne', 'cecilie');
});

test('several statuses filter the list, in a dialog with all of them, and are named by the one that is left out', async () => {
  const page = await openApp('/subscribers', { people });
  await suspend(page, 'bjarne');
  await screen.findByRole('option', { name: 'Status: Suspended' });
  const filter = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Status' });
  const open = async () => {
    await page.user.selectOptions(filter(), 'Several…');
    return within(await screen.findByRole('dialog', { name: 'Filter by status' }));
  };
  const press = async (dialog: Awaited<ReturnType<typeof open>>, ...statuses: string[]) => {
    for (const name of statuses) await page.user.click(dialog.getByRole('checkbox', { name }));
  };
  const show = (dialog: Awaited<ReturnType<typeof open>>) =>
    page.user.click(dialog.getByRole('button', { name: 'Show subscribers' }));
  let dialog = await open();
  await press(dialog, 'Suspended');
  await show(dialog);
  await shows('anna', 'cecilie');
  expect(page.address()).toBe('/subscribers?statuses=1%2C3');
  await waitFor(() => expect(filter().selectedOptions[0]?.textContent).toBe('Status: not Suspended'));

  dialog = await open();
  await press(dialog, 'Active', 'Blocked');
  await show(dialog);
  expect(dialog.getByText('Choose at least one status.')).toBeTruthy();
  await press(dialog, 'Suspended');
  await show(dialog);
  await shows('bjarne');
  expect(page.address()).toBe('/subscribers?status=2');

  dialog = await open();
  await press(dialog, 'Active', 'Blocked');
  await show(dialog);
  await shows('anna', 'bjarne', 'cecilie');
  expect(page.address()).toBe('/subscribers');
  page.goBack();
  await shows('bjarne');
  page.goBack();
  await shows('anna', 'cecilie');
  await page.user.click(button('Remove filter: Status'));
  await shows('anna', 'bjarne', 'cecilie');
});

test('“Clear filters” shows when there are filters, and keeps order and page size', async () => {
  const { user, address } = await openApp('/subscribers?expired=true&sort=username_desc&pageSize=50', {
    people,
  });
  await shows('cecilie', 'bjarne');
  await user.click(button('Clear filters'));
  await shows('cecilie', 'bjarne', 'anna');
  expect(address()).toBe('/subscribers?sort=username_desc&pageSize=50');
  await disappears('button', 'Clear filters');
});

test('Back and Forward restore the filters and their rows', async () => {
  const page = await openApp('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  await toggleFilter(page.user, 'Expired');
  await shows('bjarne', 'cecilie');
  await toggleFilter(page.user, 'Trial');
  await shows('cecilie');
  page.goBack();
  await shows('bjarne', 'cecilie');
  expect([isFiltered('Expired'), isFiltered('Trial')]).toEqual([true, false]);
  page.goBack();
  await shows('anna', 'bjarne', 'cecilie');
  page.goForward();
  await shows('bjarne', 'cecilie');
});

test('an address full of nonsense is corrected', async () => {
  const nonsense = 'page=minus&expired=perhaps&sort=shoe&pageSize=9999&status=x&foo=bar';
  const { address } = await openApp(`/subscribers?${nonsense}&trial=true`, { people: [anna] });
  await shows('anna');
  expect(address()).toBe('/subscribers?trial=true');
});

describe('a column heading', () => {
  it('sorts up, then down, then not at all, and replaces sorting by another column', async () => {
    const { user, address } = await openApp('/subscribers', { people });
    const sorted = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort');
    await shows('anna', 'bjarne', 'cecilie');
    expect(sorted('Expires')).toBe('none');
    await user.click(button('Expires'));
    await shows('cecilie', 'bjarne', 'anna');
    expect([sorted('Expires'), address()]).toEqual(['ascending', '/subscribers?sort=expiresAt']);
    await user.click(button('Expires'));
    await shows('anna', 'bjarne', 'cecilie');
    expect([sorted('Expires'), address()]).toEqual(['descending', '/subscribers?sort=expiresAt_desc']);
    await user.click(button('Expires'));
    await waitFor(() => expect([sorted('Expires'), address()]).toEqual(['none', '/subscribers']));
    await shows('anna', 'bjarne', 'cecilie');
    await user.click(button('Expires'));
    await shows('cecilie', 'bjarne', 'anna');
    await user.click(button('Username'));
    await shows('anna', 'bjarne', 'cecilie');
    expect([sorted('Username'), sorted('Expires')]).toEqual(['ascending', 'none']);
  });
});

describe('the filter by expiry', () => {
  const expires = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Expires' });
  const day = 24 * 60 * 60_000;
  const inDays = (days: number) => new Date(testTime + days * day).toISOString();
  const around = [
    person('month-ago', { expiresAt: inDays(-25) }),
    person('week-ago', { expiresAt: inDays(-5) }),
    person('soon', { expiresAt: inDays(5) }),
    person('fortnight', { expiresAt: inDays(12) }),
    person('later', { expiresAt: inDays(200), isTrial: true }),
  ];

  it('has an address for each choice, and is removed by its button', async () => {
    const { user, address } = await openApp('/subscribers', { people: around });
    const everybody = around.map(({ username }) => username);
    for (const [option, search, names] of [
      ['Expired', '?expired=true', ['month-ago', 'week-ago']],
      ['Not expired', '?expired=false', ['soon', 'fortnight', 'later']],
      ['Last 7 days', '?expiresFrom=-7d&expiresTo=now', ['week-ago']],
      ['Last 30 days', '?expiresFrom=-30d&expiresTo=now', ['month-ago', 'week-ago']],
      ['Next 7 days', '?expiresFrom=now&expiresTo=7d', ['soon']],
      ['Next 14 days', '?expiresFrom=now&expiresTo=14d', ['soon', 'fortnight']],
      ['Next 30 days', '?expiresFrom=now&expiresTo=30d', ['soon', 'fortnight']],
    ] as const) {
      await shows(...everybody);
      await user.selectOptions(expires(), option);
      await shows(...names);
      expect([option, address()]).toEqual([option, `/subscribers${search}`]);
      expect(expires().selectedOptions[0]?.textContent).toBe(option);
      await user.click(button('Remove filter: Expires'));
      await waitFor(() => expect([option, address()]).toEqual([option, '/subscribers']));
      expect(document.activeElement).toBe(expires());
    }
  });

  it('takes both days whole, in the time zone that it names, and can be changed', async () => {
    const { user, address } = await openApp('/subscribers?trial=false', {
      people: [
        person('before', { expiresAt: '2026-03-28T22:59:59.999Z' }),
        person('first', { expiresAt: '2026-03-28T23:00:00Z' }),
        // The clocks go forward in this night, so the second day is over an hour earlier.
        person('last', { expiresAt: '2026-03-30T21:59:59.999Z' }),
        person('after', { expiresAt: '2026-03-30T22:00:00Z' }),
      ],
    });
    await shows('before', 'first', 'last', 'after');
    await user.selectOptions(expires(), 'From–to…');
    const dialog = within(await screen.findByRole('dialog', { name: 'Filter by expiry' }));
    expect(dialog.getByText(/in your time zone \(Europe\/Oslo\)/)).toBeTruthy();
    const show = dialog.getByRole('button', { name: 'Show subscribers' });
    await user.click(show);
    expect(dialog.getByText('Enter the first or the last day.')).toBeTruthy();
    await user.type(dialog.getByLabelText('First day'), '2026-03-29');
    await user.type(dialog.getByLabelText('Last day'), '2026-03-28');
    expect(dialog.getByText('Enter a last day that is not before the first.')).toBeTruthy();
    fireEvent.change(dialog.getByLabelText('Last day'), { target: { value: '2026-03-30' } });
    await user.click(show);
    await shows('first', 'last');
    const range = 'expiresFrom=2026-03-28T23%3A00%3A00.000Z&expiresTo=2026-03-30T22%3A00%3A00.000Z';
    expect(address()).toBe(`/subscribers?trial=false&${range}`);
    expect(expires().selectedOptions[0]?.textContent).toBe('Expires from 29 Mar 2026 to 30 Mar 2026');
    await user.selectOptions(expires(), 'From–to…');
    const again = within(await screen.findByRole('dialog', { name: 'Filter by expiry' }));
    expect(again.getByLabelText<HTMLInputElement>('First day').value).toBe('2026-03-29');
    expect(again.getByLabelText<HTMLInputElement>('Last day').value).toBe('2026-03-30');
  });
});
