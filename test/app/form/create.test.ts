import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { announced } from '../../support/app/list.ts';
import { fill, fillNew, input, openForm, pickExpiry, readWith } from '../../support/app/form.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, hasFocus, link } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';

const create = /POST \/api\/subscribers$/;

test('a new subscriber is created exactly as entered and opened, and a toast says so', async () => {
  const page = await openForm('/subscribers/new?sort=username');
  await hasFocus(() => input('Username'));
  expect(document.title).toBe('New subscriber · Subscriber Desk');
  await fillNew(page.user);
  await fill(page.user, 'Connection limit', '4');
  await page.user.click(screen.getByRole('checkbox', { name: 'Trial' }));
  await page.user.click(screen.getByRole('checkbox', { name: 'MPEG-TS' }));
  await fill(page.user, 'Note', 'Two lines,\nyes.');
  await page.user.click(button('Create subscriber'));
  await pane('bjarne');
  await screen.findByText('bjarne was created.');
  expect(page.address()).toBe('/subscribers/2?sort=username');
  expect((await page.sent(create)).body).toEqual({
    username: 'bjarne',
    email: 'bjarne@example.com',
    expiresAt: '2026-12-31T22:00:00.000Z',
    maxConnections: 4,
    isTrial: true,
    note: 'Two lines,\nyes.',
    hls: true,
    mpegTs: false,
    bundles: [],
    ipAddresses: [],
    userAgents: [],
    countries: [],
  });
  const created = { username: 'bjarne', maxConnections: 4, note: 'Two lines,\nyes.' };
  expect(await page.saved(2)).toMatchObject(created);
});

describe('an invalid value', () => {
  it('is reported when the user leaves the field, with what to enter', async () => {
    const { user } = await openForm();
    await fill(user, 'Email', 'anna@');
    await screen.findByText('Enter a full address, such as name@example.com.');
    expect(readWith('Email')).toEqual(['Enter a full address, such as name@example.com.']);
    expect(input('Email').getAttribute('aria-invalid')).toBe('true');
    await user.type(input('Email'), 'example.com');
    await waitFor(() => expect(input('Email').getAttribute('aria-invalid')).toBeNull());
    for (const limit of ['0', '1001', '1.5', '']) {
      await fill(user, 'Connection limit', limit);
      await screen.findByText('Enter a whole number from 1 to 1000.');
      await fill(user, 'Connection limit', '1');
      await waitFor(() => expect(input('Connection limit').getAttribute('aria-invalid')).toBeNull());
    }
  });

  it('is reported for every field on saving, and the first one gets the focus', async () => {
    const { user, requested } = await openForm();
    // Also before anything was entered.
    for (const note of ['', 'Only a note.']) {
      await fill(user, 'Note', note);
      await user.click(button('Create subscriber'));
      await screen.findByText('Enter a username.');
      expect(screen.getByText('Enter a full address, such as name@example.com.')).toBeTruthy();
      expect(screen.getByText('Enter a date and time.')).toBeTruthy();
      await hasFocus(() => input('Username'));
    }
    expect(requested(create)).toEqual([]);
  });

  it('is reported at its field, which gets the focus, if the service refuses it, such as a taken username', async () => {
    const page = await openForm();
    await fillNew(page.user, 'ANNA');
    await page.user.click(button('Create subscriber'));
    await waitFor(() => expect(readWith('Username').join()).toContain('Username already taken.'));
    await hasFocus(() => input('Username'));
    expect(input('Email').value).toBe('ANNA@example.com');
    await fill(page.user, 'Username', 'bjarne');
    await page.user.click(button('Create subscriber'));
    await pane('bjarne');
  });
});

test('an expiry in the past and no delivery format get warnings, and can be saved', async () => {
  const page = await openForm();
  await fillNew(page.user);
  pickExpiry('2026-05-31T12:00');
  await waitFor(() => expect(readWith('Expires')).toEqual(['In the past: 10:00 UTC · yesterday']));
  for (const name of ['HLS', 'MPEG-TS']) await page.user.click(screen.getByRole('checkbox', { name }));
  await waitFor(() => expect(announced()).toContain('Without HLS or MPEG-TS, they probably can’t watch.'));
  await page.user.click(button('Create subscriber'));
  await pane('bjarne');
});

test('a second press while the form is saving sends nothing', async () => {
  const page = await openForm();
  await fillNew(page.user);
  const answer = holdAnswers(create);
  await page.user.click(button('Create subscriber'));
  await page.user.click(await appears('button', 'Saving…'));
  answer.release();
  await pane('bjarne');
  expect(page.requested(create)).toHaveLength(1);
});

test('the button “Cancel” goes back to the list as it was', async () => {
  const { user, address } = await openForm('/subscribers/new?trial=true');
  await user.click(button('Cancel'));
  await appears('link', 'anna');
  expect(address()).toBe('/subscribers?trial=true');
  expect(link('New subscriber')).toBeTruthy();
});
