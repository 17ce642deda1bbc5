import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { suspend } from '../../../support/app/desk.ts';
import { announced, rowOf, shows, table } from '../../../support/app/list.ts';
import { holdAnswers } from '../../../support/app/network.ts';
import { appears, openPage } from '../../../support/app/page.tsx';
import { anna, person } from '../../../support/people.ts';

test('the list shows the subscribers, and tells screen readers how many there are', async () => {
  await openPage('/subscribers', { people: [anna, person('bjarne')] });
  await shows('anna', 'bjarne');
  expect(screen.getByRole('heading', { name: 'Subscribers 2' })).toBeTruthy();
  expect(announced()).toContain('2 subscribers.');
  expect(document.title).toBe('Subscribers · Subscriber Desk');
});

test('a row shows email, status, expiry, plan, connections and formats', async () => {
  await openPage('/subscribers', { people: [{ ...anna, hls: false }] });
  const cells = within(await rowOf('anna')).getAllByRole('cell');
  await within(table()).findByText('Active');
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'anna@example.com',
    'Active',
    'in 7 months 31 Dec 2026',
    'Trial',
    '3',
    'TS',
  ]);
});

test('a row shows an unusual status and missing formats in words', async () => {
  const people = [person('bjarne', { hls: false, mpegTs: false })];
  const page = await openPage('/subscribers/new', { people });
  await suspend(page, 'bjarne');
  page.goTo('/subscribers');
  const row = await rowOf('bjarne');
  await within(row).findByText('Suspended');
  expect(within(row).getByText('None')).toBeTruthy();
});

test('hovering a status shows whether the subscriber can watch', async () => {
  const people = [person('anna'), person('bjarne', { expiresAt: '2026-01-01T00:00:00.000Z' })];
  const { user } = await openPage('/subscribers', { people });
  const hover = async (name: string) => user.hover(await within(await rowOf(name)).findByText('Active'));
  await hover('anna');
  await screen.findByTitle(/^Can watch on /);
  await hover('bjarne');
  await screen.findByTitle('Can’t watch: expired on 1 Jan 2026, 01:00 (00:00 UTC).');
});

test('hovering an expiry shows the exact local and UTC time', async () => {
  const { user } = await openPage('/subscribers', { people: [anna] });
  await user.hover(within(await rowOf('anna')).getByText(/in 7 months/));
  const expiry = await screen.findByTitle('31 Dec 2026, 23:00 (22:00 UTC)');
  expect(expiry.getAttribute('datetime')).toBe('2026-12-31T22:00:00.000Z');
});

test('a row reached by keyboard shows the exact time too', async () => {
  const { user } = await openPage('/subscribers', { people: [anna] });
  await rowOf('anna');
  await user.keyboard('j');
  await screen.findByTitle('31 Dec 2026, 23:00 (22:00 UTC)');
});

test('while the first rows load, as many grey rows are shown', async () => {
  const rows = holdAnswers(/GET \/api\/subscribers\?/);
  await openPage('/subscribers?pageSize=50', { people: [anna] });
  await appears('table', 'Subscribers');
  expect(table().getAttribute('aria-busy')).toBe('true');
  expect(within(table()).getAllByRole('row')).toHaveLength(51);
  rows.release();
  await shows('anna');
  expect(table().getAttribute('aria-busy')).toBe('false');
});

test('a click anywhere in a row opens its subscriber', async () => {
  const { user, address } = await openPage('/subscribers', { people: [anna] });
  await user.click(within(await rowOf('anna')).getByText('3'));
  await appears('complementary', 'anna');
  expect(address()).toBe('/subscribers/1');
  expect(screen.getByRole('link', { name: 'anna', current: 'page' })).toBeTruthy();
});

test('the browser handles a click that opens a new tab or window', async () => {
  const { address } = await openPage('/subscribers?expired=true', {
    people: [person('anna', { expiresAt: '2026-01-01T00:00:00.000Z' })],
  });
  const link = within(await rowOf('anna')).getByRole('link', { name: 'anna' });
  expect(link.getAttribute('href')).toBe('/subscribers/1?expired=true');
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])
    expect(fireEvent.click(link, { [key]: true })).toBe(true);
  expect(fireEvent.click(link, { button: 1 })).toBe(true);
  expect(address()).toBe('/subscribers?expired=true');
  expect(fireEvent.click(link)).toBe(false);
  await appears('complementary', 'anna');
  expect(address()).toBe('/subscribers/1?expired=true');
});

test('selecting text in a row does not open the subscriber', async () => {
  const { user, address } = await openPage('/subscribers', { people: [anna] });
  const email = within(await rowOf('anna')).getByRole('cell', { name: 'anna@example.com' });
  getSelection()?.selectAllChildren(email);
  await user.pointer({ target: email, keys: '[MouseLeft>]' });
  getSelection()?.selectAllChildren(email);
  await user.pointer({ target: email, keys: '[/MouseLeft]' });
  expect(address()).toBe('/subscribers');
  getSelection()?.removeAllRanges();
});
