import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rowOf, shows, table } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, openApp } from '../../support/app/page.tsx';
import { saveView } from '../../support/app/views.ts';
import { anna } from '../../support/people.ts';

const all = ['Username', 'Email', 'Status', 'Expires', 'Plan', 'Connections', 'Formats'];
const headings = () =>
  within(table())
    .getAllByRole('columnheader')
    .map((heading) => heading.textContent);

test('the columns are hidden and shown by name, except that of usernames', async () => {
  const { user } = await openApp('/subscribers', { people: [anna] });
  await shows('anna');
  expect(headings()).toEqual(all);
  await user.click(button('Columns'));
  const choice = within(screen.getByRole('group', { name: 'Columns' }));
  const usernameBox = await choice.findByRole<HTMLInputElement>('checkbox', { name: 'Username' });
  expect([usernameBox.checked, usernameBox.disabled]).toEqual([true, true]);
  await user.click(choice.getByRole('checkbox', { name: 'Email', checked: true }));
  await user.click(choice.getByRole('checkbox', { name: 'Plan', checked: true }));
  expect(headings()).toEqual(['Username', 'Status', 'Expires', 'Connections', 'Formats']);
  const row = await rowOf('anna');
  expect(within(row).getAllByRole('cell')).toHaveLength(4);
  expect(row.textContent).not.toContain('anna@example.com');
  await user.click(choice.getByRole('checkbox', { name: 'Email', checked: false }));
  expect(headings()).toEqual(all.filter((heading) => heading !== 'Plan'));
});

test('a view has its own columns: those of other lists come back, and a change of them is saved with it', async () => {
  const page = await openApp('/subscribers?trial=true', { people: [anna] });
  const { user } = page;
  await shows('anna');
  const toggle = async (name: string) => {
    if (!screen.queryByRole('checkbox', { name })) await user.click(button('Columns'));
    await user.click(await screen.findByRole('checkbox', { name }));
  };
  await toggle('Email');
  await saveView(page, 'Trials');
  await user.click(await appears('link', 'All'));
  await toggle('Email');
  expect(headings()).toEqual(all);
  await user.click(screen.getByRole('link', { name: /^Trials/ }));
  await waitFor(() => expect(headings()).not.toContain('Email'));
  await toggle('Formats');
  await user.click(await appears('button', 'Update view “Trials”'));
  await screen.findByText('View “Trials” was updated.');
  const [view] = await page.db.selectFrom('views').select('hidden').execute();
  expect(view).toEqual({ hidden: 'email formats' });
  await user.click(screen.getByRole('link', { name: 'All' }));
  await waitFor(() => expect(headings()).toEqual(all));
});

test('a window that is closed in a view leaves the user’s own columns as they were', async () => {
  const page = await openApp('/subscribers?trial=true', { people: [anna] });
  await shows('anna');
  await saveView(page, 'Trials');
  await page.user.click(button('Columns'));
  await page.user.click(await screen.findByRole('checkbox', { name: 'Email' }));
  await waitFor(() => expect(headings()).not.toContain('Email'));
  expect(localStorage.getItem('hidden-columns')).toBeNull();
});

test('hidden columns stay hidden on the next visit, also in grey rows', async () => {
  localStorage.setItem('hidden-columns', 'email status expires plan connections');
  const answer = holdAnswers(/GET \/api\/subscribers$/);
  await openApp('/subscribers', { people: [anna] });
  await appears('table', 'Subscribers');
  expect(headings()).toEqual(['Username', 'Formats']);
  expect(within(table()).getAllByRole('row')[1]?.children).toHaveLength(2);
  answer.release();
  await shows('anna');
});

test('stored names of columns that do not exist hide nothing', async () => {
  localStorage.setItem('hidden-columns', 'password username');
  await openApp('/subscribers', { people: [anna] });
  await shows('anna');
  expect(headings()).toEqual(all);
});
