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

test('Cancel returns to the row from which the form was opened by a key', async () => {
  const { user, address } = await openRow();
  await user.keyboard('e');
  await appears('heading', 'Edit p030');
  await user.click(await appears('button', 'Cancel'));
  await hasFocus(() => link('p030'));
  expect(address()).toBe(list);
});

test('Save returns to it as well', async () => {
  const { user, address } = await openRow();
  await user.keyboard('e');
  await appears('heading', 'Edit p030');
  await user.type(await appears('textbox', 'Note'), 'Called.');
  await user.click(button('Save changes'));
  await hasFocus(() => link('p030'));
  expect(address()).toBe(list);
});

test('Cancel returns to the row where a new subscriber was begun', async () => {
  const { user, address } = await openRow();
  await user.keyboard('n');
  await appears('heading', 'New subscriber');
  await user.click(await appears('button', 'Cancel'));
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
