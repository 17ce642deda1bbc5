import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { suspend } from '../../support/app/desk.ts';
import { fill, input, openForm, pickExpiry } from '../../support/app/form.ts';
import { button, openApp } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
import { person } from '../../support/people.ts';

const playbackStatus = () => screen.queryByRole('region', { name: 'With these values' })?.textContent;

test('the form says after each change whether the subscriber could watch, as the pane does', async () => {
  const { user } = await openForm('/subscribers/1/edit', { people: [person('anna')] });
  expect(playbackStatus()).toBe('Can watch on one device at a time until 1 Jun 2027, 14:00 (12:00 UTC).');
  await fill(user, 'Connection limit', '4');
  expect(playbackStatus()).toMatch(/^Can watch on up to 4 devices at once/);
  await user.click(screen.getByRole('checkbox', { name: 'HLS' }));
  await user.click(screen.getByRole('checkbox', { name: 'MPEG-TS' }));
  expect(playbackStatus()).toBe('Probably can’t watch: HLS and MPEG-TS are both off.');
  pickExpiry('2026-05-20T00:30');
  const last = playbackStatus();
  expect(last).toMatch(/^Can’t watch: expired on 20 May 2026, 00:30/);
  await user.click(button('Save changes'));
  await waitFor(async () => expect((await pane('anna')).getByText(last ?? '')).toBeTruthy());
});

test('the form takes the saved status into account when it says whether the subscriber could watch', async () => {
  const page = await openApp('/subscribers', { people: [person('anna')] });
  await suspend(page, 'anna');
  page.goTo('/subscribers/1/edit');
  await screen.findByLabelText('Note');
  await waitFor(() =>
    expect(playbackStatus()).toBe(
      'Probably can’t watch: status Suspended. Status is set in the billing system.',
    ),
  );
});

test('the form does not say whether the subscriber could watch while expiry or limit is missing', async () => {
  const { user } = await openForm();
  expect(playbackStatus()).toBeUndefined();
  pickExpiry('2027-05-20T00:30');
  expect(playbackStatus()).toMatch(/^Can watch on one device at a time/);
  await user.clear(input('Connection limit'));
  expect(playbackStatus()).toBeUndefined();
});
