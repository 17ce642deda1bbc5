import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { suspend } from '../../../support/app/desk.ts';
import { fill, input, pickExpiry } from '../../../support/app/form.ts';
import { button, openPage } from '../../../support/app/page.tsx';
import { pane } from '../../../support/app/pane.ts';
import { person } from '../../../support/people.ts';

const verdict = () => screen.queryByRole('region', { name: 'With what is entered' })?.textContent;

test('the form says after each change whether the subscriber could watch, in the words of the pane', async () => {
  const { user } = await openPage('/subscribers/1/edit', { people: [person('anna')] });
  await screen.findByLabelText('Note');
  expect(verdict()).toBe('Can watch on one device at a time, until 1 Jun 2027, 14:00 (12:00 UTC).');
  await fill(user, 'Connection limit', '4');
  expect(verdict()).toMatch(/^Can watch on up to 4 devices at once/);
  await user.click(screen.getByRole('checkbox', { name: 'HLS' }));
  await user.click(screen.getByRole('checkbox', { name: 'MPEG-TS' }));
  expect(verdict()).toBe('May not be able to watch: no delivery format is on.');
  pickExpiry('2026-05-20T00:30');
  const last = verdict();
  expect(last).toMatch(/^Cannot watch: the subscription expired on 20 May 2026, 00:30/);
  await user.click(button('Save changes'));
  await waitFor(async () => expect((await pane('anna')).getByText(last ?? '')).toBeTruthy());
});

test('whether the subscriber could watch depends on the saved status', async () => {
  const page = await openPage('/subscribers', { people: [person('anna')] });
  await suspend(page, 'anna');
  page.goTo('/subscribers/1/edit');
  await screen.findByLabelText('Note');
  await waitFor(() => expect(verdict()).toBe('May not be able to watch: the status is Suspended.'));
});

test('the form does not say whether the subscriber could watch while expiry or limit are missing', async () => {
  const { user } = await openPage('/subscribers/new');
  await screen.findByLabelText('Note');
  expect(verdict()).toBeUndefined();
  pickExpiry('2027-05-20T00:30');
  expect(verdict()).toMatch(/^Can watch on one device at a time/);
  await user.clear(input('Connection limit'));
  expect(verdict()).toBeUndefined();
});
