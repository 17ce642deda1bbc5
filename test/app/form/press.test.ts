import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { chips, input, openForm, readWith } from '../../support/app/form.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button } from '../../support/app/page.tsx';

const badEmail = 'Enter a full address, such as name@example.com.';
const looks = /GET \/api\/subscribers\?.*Username=/;

async function enter(user: UserEvent, label: string, text: string): Promise<void> {
  await user.click(input(label));
  await user.paste(text);
}
const press = (user: UserEvent, name: string) => user.pointer({ keys: '[MouseLeft>]', target: button(name) });
const release = (user: UserEvent, name: string) =>
  user.pointer({ keys: '[/MouseLeft]', target: button(name) });

test('an error of the field that a press leaves is said when the press is over', async () => {
  const { user } = await openForm();
  await enter(user, 'Email', 'no address');
  await press(user, '+1 month');
  expect(document.activeElement).toBe(button('+1 month'));
  expect(readWith('Email').join().trim()).toBe('');
  await release(user, '+1 month');
  await waitFor(() => expect(readWith('Email')).toContain(badEmail));
  expect(input('Expires').value).not.toBe('');
});

test('a taken username is looked for when the press is over', async () => {
  const { user, requested } = await openForm();
  await enter(user, 'Username', 'anna');
  await press(user, '+1 month');
  expect(requested(looks)).toEqual([]);
  await release(user, '+1 month');
  await appears('link', /^Open anna/);
});

test('a taken username is reported when a press that began in the meantime is over', async () => {
  const { user, requested, saved } = await openForm();
  const answer = holdAnswers(looks);
  await enter(user, 'Username', 'anna');
  await user.tab();
  await waitFor(() => expect(requested(looks)).toHaveLength(1));
  await press(user, '+1 month');
  answer.release();
  // What is asked later is answered later.
  await saved();
  await user.hover(button('+1 month'));
  expect(screen.queryByRole('link', { name: /^Open anna/ })).toBeNull();
  await release(user, '+1 month');
  await appears('link', /^Open anna/);
});

test('a value typed into a list is added when the press that leaves it is over, and is saved with it', async () => {
  const { user } = await openForm();
  await enter(user, 'Bundles', '40');
  await press(user, 'Create subscriber');
  expect(chips('Bundles')).toEqual([]);
  await release(user, 'Create subscriber');
  expect(chips('Bundles')).toEqual(['40']);
});

test('a key ends the wait for a release that never comes', async () => {
  const { user } = await openForm();
  await enter(user, 'Email', 'no address');
  await press(user, '+1 month');
  await user.keyboard('{Shift}');
  await waitFor(() => expect(readWith('Email')).toContain(badEmail));
});
