import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { announced } from '../../support/app/list.ts';
import { chips, fill, input, openForm, pickExpiry, readWith } from '../../support/app/form.ts';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { appears, button, disappears, openApp } from '../../support/app/page.tsx';
import { details, pane } from '../../support/app/pane.ts';
import { anna, person } from '../../support/people.ts';

const update = /PUT \/api/;

const edit = () => openForm('/subscribers/1/edit?sort=username');
const saveIsOff = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' }).disabled;

test('the form shows the subscriber’s values, with times in the user’s time zone', async () => {
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

test('the form sends the whole subscriber with the version it began with', async () => {
  const page = await edit();
  const { etag } = await page.service.getSubscriber({ params: { id: 1 }, query: {} });
  await fill(page.user, 'Note', 'Calls on Tuesdays.');
  await fill(page.user, 'Reason (optional)', 'Asked by phone.');
  await page.user.click(button('Save changes'));
  await pane('anna');
  await screen.findByText('Changes to anna were saved.');
  expect(await page.sent(update)).toEqual({
    ifMatch: etag,
    reason: 'Asked%20by%20phone.',
    body: { ...anna, note: 'Calls on Tuesdays.' },
  });
  await waitFor(() => expect(details()).toMatchObject({ Countries: 'Norway | Sweden' }));
  within(screen.getByRole('region', { name: 'Notes' })).getByText('Calls on Tuesdays.');
  expect(page.address()).toBe('/subscribers/1?sort=username');
});

test('the form takes no more input while it is saved, since it closes afterwards', async () => {
  const { user, saved } = await edit();
  await fill(user, 'Note', 'Calls on Tuesdays.');
  const answer = holdAnswers(update);
  await user.click(button('Save changes'));
  await appears('button', 'Saving…');
  await user.type(input('Note'), ' And on Fridays.');
  expect(input('Note').value).toBe('Calls on Tuesdays.');
  answer.release();
  await pane('anna');
  expect((await saved()).note).toBe('Calls on Tuesdays.');
});

test('“Save changes” is off until something changes, and the changed fields are named', async () => {
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

describe('the expiry in the form', () => {
  it.each([
    ['+7 days', '2027-01-07T23:00', 'To 7 Jan 2027, starting at the current expiry'],
    ['+1 month', '2027-01-31T23:00', 'To 31 Jan 2027, starting at the current expiry'],
    ['+1 year', '2027-12-31T23:00', 'To 31 Dec 2027, starting at the current expiry'],
  ])('is extended by the button %s, which shows the new date', async (name, local, promise) => {
    const { user } = await edit();
    const extend = within(screen.getByRole('group', { name: 'Extend' })).getByRole('button', { name });
    expect(extend.title).toBe(promise);
    await user.click(extend);
    await waitFor(() => expect(input('Expires').value).toBe(local));
    expect(announced()).toContain('1 unsaved change: Expires');
  });

  it('is extended from today if it is in the past', async () => {
    const { user } = await edit();
    pickExpiry('2026-01-31T12:00');
    const extend = await screen.findByTitle('To 1 Jul 2026, starting today');
    await user.click(extend);
    await waitFor(() => expect(input('Expires').value).toBe('2026-07-01T23:59'));
  });

  it('cannot be empty', async () => {
    await edit();
    pickExpiry('');
    await screen.findByText('Enter a date and time.');
  });
});

test('the form is that of the subscriber in its heading, also right after the form of another one', async () => {
  const page = await openForm('/subscribers/1/edit', { people: [anna, person('bjarne')] });
  // As by the list of visited pages, which the browser's Back opens when it is held.
  page.goTo('/subscribers/2/edit');
  await appears('heading', 'Edit bjarne');
  await waitFor(() => expect(input('Username').value).toBe('bjarne'));
  page.goBack();
  await appears('heading', 'Edit anna');
  await waitFor(() => expect(input('Username').value).toBe('anna'));
});

test('a subscriber who does not exist cannot be edited', async () => {
  await openApp('/subscribers/99/edit', { people: [anna] });
  await appears('heading', 'This subscriber doesn’t exist');
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
});

test('the form can try again when the subscriber could not be loaded', async () => {
  const mend = cutNetwork(/GET \/api\/subscribers\/1/);
  const { user } = await openApp('/subscribers/1/edit', { people: [anna] });
  await appears('heading', 'Couldn’t load this subscriber');
  mend();
  await user.click(button('Try again'));
  await waitFor(() => expect(input('Username').value).toBe('anna'));
  await disappears('heading', 'Couldn’t load this subscriber');
});
