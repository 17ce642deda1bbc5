import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shows } from '../../support/app/list.ts';
import { appears, button, disappears, field, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { crowd } from '../../support/people.ts';

const people = crowd(60);
const list = '/subscribers?page=2&pageSize=25';

async function openRow() {
  const page = await openApp(list, { people });
  await waitFor(() => expect(link('p030')).toBeTruthy());
  link('p030').focus();
  return page;
}

test.each([
  ['e', 'Edit p030', 'Cancel'],
  ['e', 'Edit p030', 'Save changes'],
  ['n', 'New subscriber', 'Cancel'],
])('the form that the key %s opens, “%s”, returns to the row by “%s”', async (key, title, press) => {
  const { user, address } = await openRow();
  await user.keyboard(key);
  await appears('heading', title);
  if (press !== 'Cancel') await user.type(await appears('textbox', 'Note'), 'Called.');
  await user.click(await appears('button', press));
  await hasFocus(() => link('p030'));
  expect(address()).toBe(list);
});

test('Cancel opens the pane again from which the form was opened, and Back leaves it', async () => {
  const { user, address, goBack } = await openRow();
  await user.keyboard('{Enter}');
  await appears('complementary', 'p030');
  await user.click(link('Edit'));
  await appears('heading', 'Edit p030');
  await user.click(await appears('button', 'Cancel'));
  await appears('complementary', 'p030');
  goBack();
  await disappears('complementary', 'p030');
  expect(address()).toBe(list);
});

test('a form that was opened by its address leads to the pane', async () => {
  const { user, address } = await openApp('/subscribers/3/edit', { people });
  await appears('heading', 'Edit p003');
  await user.click(await appears('button', 'Cancel'));
  await appears('complementary', 'p003');
  expect(address()).toBe('/subscribers/3');
});

test('the browser’s Back skips the form after a subscriber is created', async () => {
  const { user, goBack } = await openRow();
  await user.keyboard('n');
  await user.type(await appears('textbox', 'Username'), 'newcomer');
  await user.type(field('Email'), 'newcomer@example.com');
  await user.click(button(/^\+1 month/));
  await user.click(button('Create subscriber'));
  await appears('complementary', 'newcomer');
  goBack();
  await disappears('complementary', 'newcomer');
  await shows(...people.slice(25, 50).map(({ username }) => username));
});
