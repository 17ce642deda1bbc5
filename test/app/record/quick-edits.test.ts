import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toasts } from '../../support/app/activity.ts';
import { announced } from '../../support/app/list.ts';
import { cutNetwork, holdAnswers, sendInTurn } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, hasFocus } from '../../support/app/page.tsx';
import { details, openPane } from '../../support/app/pane.ts';

const openAnna = (role: 'viewer' | 'support' = 'support') => openPane({ role });

/** The dialog of one of anna's lists. */
async function openList(label: string) {
  const page = await openAnna();
  await page.user.click(button(`Edit ${label}`));
  const shown = await dialog(`${label} of anna`);
  const save = () => page.user.click(shown.getByRole('button', { name: 'Save changes' }));
  return { ...page, shown, save };
}

test('a press on + gives one connection more, which the toast can undo', async () => {
  const { user } = await openAnna();
  await user.click(button('One connection more'));
  await toasts().findByText('anna can now watch on 4 devices at once.');
  expect(details()['Connection limit']).toBe('4');
  await user.click(toasts().getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(details()['Connection limit']).toBe('3'));
  await user.click(toasts().getByRole('button', { name: 'Dismiss' }));
  await hasFocus(() => screen.getByRole('heading', { level: 1 }));
  await user.click(button('One connection fewer'));
  await waitFor(() => expect(details()['Connection limit']).toBe('2'));
});

test('two changes made offline are told apart: which went through, and which did not', async () => {
  const { user } = await openAnna();
  const mend = cutNetwork(/PUT .api/);
  // Both set out at once when the network is back, and the first in the database goes through.
  sendInTurn(/PUT .api/);
  await user.click(button(/^\+1 year/));
  await toasts().findByText(/^anna: We don’t know yet whether the expiry was changed\./);
  await user.click(button('One connection more'));
  await toasts().findByText(/^anna: We don’t know yet whether the connection limit was changed\./);
  mend();
  window.dispatchEvent(new Event('online'));
  await toasts().findByText(/^anna now expires on /);
  await toasts().findByText(
    'anna: The connection limit wasn’t changed: you changed this subscriber after you opened it (14:00). Check the subscriber before you try again.',
  );
  expect(details()['Connection limit']).toBe('3');
});

test('a country is added and another taken in one dialog, which the toast can undo', async () => {
  const { user, shown, save } = await openList('Countries');
  await hasFocus(() => shown.getByRole('combobox', { name: 'Countries' }));
  await user.click(shown.getByRole('button', { name: 'Remove Norway' }));
  await user.type(shown.getByRole('combobox', { name: 'Countries' }), 'Greece{Enter}');
  await save();
  await disappears('dialog', 'Countries of anna');
  await toasts().findByText('Countries of anna were changed.');
  await waitFor(() => expect(details().Countries).toBe('Sweden | Greece'));
  await hasFocus(() => button('Edit Countries'));
  await user.click(toasts().getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(details().Countries).toBe('Norway | Sweden'));
});

test('the button of a list has the focus again after its last entry was taken', async () => {
  const { user, shown, save } = await openList('User agents');
  await user.click(shown.getByRole('button', { name: 'Remove VLC/3.0' }));
  await save();
  await waitFor(() => expect(details()['User agents']).toBe('No limit'));
  await hasFocus(() => button('Edit User agents'));
});

test('an entry that is typed and not added yet is not left out silently', async () => {
  const { user, requested, shown, save } = await openList('IP addresses');
  await user.type(shown.getByRole('textbox', { name: 'IP addresses' }), '203.0.113.7, 1.2.3');
  await save();
  await shown.findByText('Press Enter to add “1.2.3”, or remove it.');
  expect(requested(/PUT .*api.subscribers/)).toEqual([]);
});

test.each([
  ['IP addresses', '203.0.113.7', '192.0.2.0/24 | 203.0.113.7'],
  ['User agents', 'Kodi/21', 'VLC/3.0 | Kodi/21'],
])('one of the %s is added without the form', async (label, entry, after) => {
  const { user, shown, save } = await openList(label);
  await user.type(shown.getByRole('textbox', { name: label }), `${entry}{Enter}`);
  await save();
  await toasts().findByText(`${label} of anna were changed.`);
  await waitFor(() => expect(details()[label]).toBe(after));
});

test('entries that were added are not thrown away without asking', async () => {
  const { user, shown: requested } = await openList('IP addresses');
  await user.type(requested.getByLabelText('IP addresses'), '203.0.113.9{Enter}');
  await user.click(requested.getByRole('button', { name: 'Cancel' }));
  const leaving = await dialog('Leave without saving?');
  await user.click(leaving.getByRole('button', { name: 'Keep editing' }));
  await disappears('dialog', 'Leave without saving?');
  requested.getByText('203.0.113.9');
  await user.click(requested.getByRole('button', { name: 'Cancel' }));
  await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Discard changes' }));
  await disappears('dialog', 'IP addresses of anna');
  await hasFocus(() => button('Edit IP addresses'));
});

test('a list takes no more entries while it is saved, since its dialog closes afterwards', async () => {
  const { user, shown, save } = await openList('User agents');
  const box = shown.getByRole<HTMLInputElement>('textbox', { name: 'User agents' });
  await user.type(box, 'Kodi/21{Enter}');
  const answer = holdAnswers(/PUT \/api/);
  await save();
  await appears('button', 'Saving…');
  await user.type(box, 'TiviMate{Enter}');
  expect([box.value, shown.queryByText('TiviMate')]).toEqual(['', null]);
  answer.release();
  await disappears('dialog', 'User agents of anna');
  await hasFocus(() => button('Edit User agents'));
});

test('a list that somebody else changes meanwhile is not overwritten, and a second press saves both people’s entries', async () => {
  const page = await openList('Countries');
  const { shown, save } = page;
  await page.user.click(shown.getByRole('button', { name: 'Remove Norway' }));
  await page.user.type(shown.getByRole('combobox', { name: 'Countries' }), 'Greece{Enter}');
  await page.service.updateSubscriber({ params: { id: 1 }, body: { countries: ['NO', 'SE', 'FI'] } });
  await save();
  await shown.findByText(
    'Nothing was saved: someone changed this subscriber after you opened it. The list has both changes now: check it, then save again.',
  );
  expect((await page.saved()).countries).toEqual(['NO', 'SE', 'FI']);
  await save();
  await disappears('dialog', 'Countries of anna');
  await waitFor(() => expect(details().Countries).toBe('Sweden | Finland | Greece'));
});

test('name, email and ID are copied by one press each', async () => {
  const { user } = await openAnna();
  for (const [name, text] of [
    ['name', 'anna'],
    ['email', 'anna@example.com'],
    ['ID', '1'],
  ] as const) {
    await user.click(button(`Copy ${name}`));
    await waitFor(() => expect(announced()).toContain(`The ${name} is on the clipboard.`));
    expect(await navigator.clipboard.readText()).toBe(text);
  }
});

test('the token is shown large in groups of four, with a word for each letter, until it is closed', async () => {
  const page = await openAnna();
  const token = page.people[0]?.accessToken ?? '';
  await page.user.click(button('Show large, to read the token out'));
  const shown = await dialog('Access token of anna');
  const groups = shown.getAllByRole('listitem');
  expect(groups).toHaveLength(11);
  expect(groups.map((group) => group.querySelector('code')?.textContent).join('')).toBe(token);
  const letter = /[a-z]/.exec(token)?.[0] ?? '';
  expect(groups.map(({ textContent }) => textContent).join()).toMatch(new RegExp(`small ${letter}[a-z-]+`));
  await page.user.click(shown.getByRole('button', { name: 'Close' }));
  await disappears('dialog', 'Access token of anna');
  expect(document.body.textContent).not.toContain(token);
});

test('viewers are offered none of these changes', async () => {
  await openAnna('viewer');
  await appears('button', 'Copy email');
  expect(screen.queryByRole('button', { name: /^(Edit|One connection)/ })).toBeNull();
});
