import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { announced } from '../../../support/app/list.ts';
import { chips, fill, input, pickExpiry, readWith } from '../../../support/app/form.ts';
import { cutNetwork } from '../../../support/app/network.ts';
import { appears, button, disappears, openPage } from '../../../support/app/page.tsx';
import { facts, pane } from '../../../support/app/pane.ts';
import { anna } from '../../../support/app/people.ts';

const update = /PUT \/api/;

async function edit() {
  const page = await openPage('/subscribers/1/edit?sort=username', { people: [anna] });
  await appears('heading', 'Edit anna');
  await screen.findByLabelText('Username');
  return page;
}
const saveIsOff = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' }).disabled;

test('the form holds what the subscriber has, in the zone of the person', async () => {
  await edit();
  expect(document.title).toBe('Edit anna · Subscriber Desk');
  expect(input('Username').value).toBe('anna');
  expect(input('Expires').value).toBe('2026-12-31T23:00');
  expect(readWith('Expires')).toEqual(['22:00 UTC · in 7 months']);
  expect(input('Connection limit').value).toBe('3');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Trial' }).checked).toBe(true);
  expect([chips('Bundles'), chips('Countries'), chips('IP addresses'), chips('User agents')]).toEqual([
    ['30', '7'],
    ['Norway', 'Sweden'],
    ['192.0.2.0/24'],
    ['VLC/3.0'],
  ]);
  expect(input('Note').value).toBe('Calls on Mondays.');
});

test('the whole subscriber is sent, bound to the version that was seen', async () => {
  const page = await edit();
  const { etag } = await page.service.getSubscriber({ params: { id: 1 }, query: {} });
  await fill(page.user, 'Note', 'Calls on Tuesdays.');
  await fill(page.user, 'Reason (optional)', 'Asked by phone.');
  await page.user.click(button('Save changes'));
  await pane('anna');
  await screen.findByText('anna is saved.');
  expect(await page.sent(update)).toEqual({
    ifMatch: etag,
    reason: 'Asked%20by%20phone.',
    body: { ...anna, note: 'Calls on Tuesdays.' },
  });
  await waitFor(() =>
    expect(facts()).toMatchObject({ Note: 'Calls on Tuesdays.', Countries: 'Norway | Sweden' }),
  );
  expect(page.address()).toBe('/subscribers/1?sort=username');
});

test('saving is off until something is changed, and what is changed is named', async () => {
  const { user } = await edit();
  expect(saveIsOff()).toBe(true);
  await fill(user, 'Email', 'anna@new.example');
  await user.click(screen.getByRole('checkbox', { name: 'Trial' }));
  await waitFor(() => expect(announced()).toContain('2 unsaved changes: Email, Trial'));
  expect(saveIsOff()).toBe(false);
  await user.click(screen.getByRole('checkbox', { name: 'Trial' }));
  await waitFor(() => expect(announced()).toContain('1 unsaved change: Email'));
  await fill(user, 'Email', 'anna@example.com');
  await waitFor(() => expect(saveIsOff()).toBe(true));
});

describe('the expiry', () => {
  test.each([
    ['+7 days', '2027-01-07T23:00', 'To 7 Jan 2027, counted from the present expiry'],
    ['+1 month', '2027-01-31T23:00', 'To 31 Jan 2027, counted from the present expiry'],
    ['+1 year', '2027-12-31T23:00', 'To 31 Dec 2027, counted from the present expiry'],
  ])('is extended by %s, and the button says to when before it is pressed', async (name, local, promise) => {
    const { user } = await edit();
    const extend = within(screen.getByRole('group', { name: 'Extend' })).getByRole('button', { name });
    expect(extend.title).toBe(promise);
    await user.click(extend);
    await waitFor(() => expect(input('Expires').value).toBe(local));
    expect(announced()).toContain('1 unsaved change: Expires');
  });

  test('of somebody who is expired is extended from now', async () => {
    const { user } = await edit();
    pickExpiry('2026-01-31T12:00');
    const extend = await screen.findByTitle('To 1 Jul 2026, counted from now');
    await user.click(extend);
    await waitFor(() => expect(input('Expires').value).toBe('2026-07-01T14:00'));
  });

  test('cannot be taken away', async () => {
    await edit();
    pickExpiry('');
    await screen.findByText('Enter a date and a time.');
  });
});

test('who is gone cannot be edited', async () => {
  await openPage('/subscribers/99/edit', { people: [anna] });
  await appears('heading', 'There is no such subscriber');
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
});

test('a subscriber that cannot be loaded is tried again', async () => {
  const mend = cutNetwork(/GET \/api\/subscribers\/1/);
  const { user } = await openPage('/subscribers/1/edit', { people: [anna] });
  await appears('heading', 'This subscriber could not be loaded');
  mend();
  await user.click(button('Try again'));
  await waitFor(() => expect(input('Username').value).toBe('anna'));
  await disappears('heading', 'This subscriber could not be loaded');
});

test('from the pane one comes to the form, and Cancel leads back', async () => {
  const { user, address } = await openPage('/subscribers/1', { people: [anna] });
  await user.click(await appears('link', 'Edit'));
  await appears('heading', 'Edit anna');
  await user.click(await appears('button', 'Cancel'));
  await pane('anna');
  expect(address()).toBe('/subscribers/1');
});
