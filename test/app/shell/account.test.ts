import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { applyTheme } from '../../../src/app/shell/theme.ts';
import { shows } from '../../support/app/list.ts';
import { appears, link, openApp } from '../../support/app/page.tsx';
import { anna } from '../../support/people.ts';

const themeOfPage = () => document.documentElement.dataset['theme'];
const choice = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Theme' });

test('the account menu names the user, and opens and closes', async () => {
  const { user } = await openApp('/subscribers', { role: 'support' });
  const opener = await appears('button', /^Account: ?Kari ?Support$/);
  expect(screen.queryByRole('combobox', { name: 'Theme' })).toBeNull();
  await user.click(opener);
  await appears('combobox', 'Theme');
  await user.click(opener);
  expect(screen.queryByRole('combobox', { name: 'Theme' })).toBeNull();
});

test('the account menu has no sign-out for a user who did not need to sign in', async () => {
  const { user } = await openApp('/subscribers');
  await user.click(await appears('button', /^Account: ?Kari ?Manager$/));
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull();
});

test('a chosen theme applies at once and at the next visit', async () => {
  const { user } = await openApp('/subscribers');
  await user.click(await appears('button', /^Account:/));
  expect([choice().value, themeOfPage()]).toEqual(['system', undefined]);
  await user.selectOptions(choice(), 'Dark theme');
  expect([choice().value, themeOfPage()]).toEqual(['dark', 'dark']);
  delete document.documentElement.dataset['theme'];
  applyTheme();
  expect(themeOfPage()).toBe('dark');
  await user.selectOptions(choice(), 'System theme');
  expect([choice().value, themeOfPage()]).toEqual(['system', 'system']);
});

test('an unknown stored theme is ignored', () => {
  localStorage.setItem('theme', 'neon');
  applyTheme();
  expect(themeOfPage()).toBe('system');
});

test('the page for an unknown address says so and links to the list', async () => {
  const { user } = await openApp('/nothing/here', { people: [anna] });
  await appears('heading', 'Page not found');
  await user.click(link('Go to subscribers'));
  await shows('anna');
});

test('the keyboard can skip to the content', async () => {
  const { user } = await openApp('/subscribers', { people: [anna] });
  await shows('anna');
  screen.getByRole('heading', { level: 1 }).blur();
  await user.tab();
  expect(document.activeElement).toBe(link('Skip to content'));
  expect(link('Skip to content').getAttribute('href')).toBe(`#${screen.getByRole('main').id}`);
  expect(within(screen.getByRole('main')).getByRole('table')).toBeTruthy();
});
