import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { suspend } from '../../support/app/desk.ts';
import { announced, rowOf, shows, table } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, openApp } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
import { anna, person } from '../../support/people.ts';

test('the list has a row for each subscriber, with email, status, expiry, plan, connections and formats', async () => {
  await openApp('/subscribers', { people: [{ ...anna, hls: false }, person('bjarne')] });
  await shows('anna', 'bjarne');
  expect(screen.getByRole('heading', { name: 'Subscribers 2' })).toBeTruthy();
  expect(announced()).toContain('2 subscribers.');
  expect(document.title).toBe('Subscribers · Subscriber Desk');
  const cells = within(await rowOf('anna')).getAllByRole('cell');
  await waitFor(() =>
    expect(cells.map((cell) => cell.textContent)).toEqual([
      'anna@example.com',
      'Active',
      'in 7 months 31 Dec 2026',
      'Trial',
      '3',
      'TS',
    ]),
  );
});

test('a row shows an unusual status and missing formats in words', async () => {
  const people = [person('bjarne', { hls: false, mpegTs: false })];
  const page = await openApp('/subscribers/new', { people });
  await suspend(page, 'bjarne');
  page.goTo('/subscribers');
  const row = await rowOf('bjarne');
  await within(row).findByText('Suspended');
  expect(within(row).getByText('None')).toBeTruthy();
});

test('Active is green in the list and the pane for those who can watch, and grey for those who have expired', async () => {
  const people = [anna, person('bjarne', { expiresAt: '2026-01-01T00:00:00.000Z' })];
  const page = await openApp('/subscribers', { people });
  const tone = async (area: Pick<typeof screen, 'findByText'>) =>
    /ok|neutral/.exec((await area.findByText('Active', { selector: '[class*=badge]' })).className)?.[0];
  expect(await tone(within(await rowOf('anna')))).toBe('ok');
  expect(await tone(within(await rowOf('bjarne')))).toBe('neutral');
  page.goTo('/subscribers/1');
  expect(await tone(await pane('anna'))).toBe('ok');
  page.goTo('/subscribers/2');
  expect(await tone(await pane('bjarne'))).toBe('neutral');
});

test('a row that is pointed at or reached by keyboard leads to all with its status or plan, and stays at hand', async () => {
  const people = [person('bjarne'), anna, person('cora', { isTrial: true })];
  const page = await openApp('/subscribers/new', { people });
  await suspend(page, 'cora');
  page.goTo('/subscribers');
  await shows('bjarne', 'anna', 'cora');
  const { user, address } = page;
  await user.hover(await within(await rowOf('cora')).findByText('Suspended'));
  await user.click(await appears('link', 'Show all with status Suspended'));
  await shows('cora');
  expect(address()).toBe('/subscribers?status=2');
  page.goTo('/subscribers');
  await shows('bjarne', 'anna', 'cora');
  within(await rowOf('anna'))
    .getByRole('link', { name: 'anna' })
    .focus();
  await appears('link', 'Show all with plan Trial');
  expect(screen.getAllByRole('link', { name: /^Show all with/ })).toHaveLength(2);
  // Tab passes the row.
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'cora' }));
  await user.tab({ shift: true });
  await appears('link', 'Show all with plan Trial');
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}{ArrowRight}{Enter}');
  await shows('anna', 'cora');
  expect(address()).toBe('/subscribers?trial=true');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'anna' }));
});

test('a row says more where its status or expiry is hovered, or when it is reached by keyboard', async () => {
  const people = [anna, person('bjarne', { expiresAt: '2026-01-01T00:00:00.000Z' })];
  const { user } = await openApp('/subscribers', { people });
  const hover = async (name: string, text: string | RegExp) =>
    user.hover(await within(await rowOf(name)).findByText(text));
  await hover('anna', 'Active');
  await screen.findByTitle(/^Can watch on /);
  await hover('bjarne', 'Active');
  await screen.findByTitle('Can’t watch: expired on 1 Jan 2026, 01:00 (00:00 UTC).');
  await hover('anna', /in 7 months/);
  const expiry = await screen.findByTitle('31 Dec 2026, 23:00 (22:00 UTC)');
  expect(expiry.getAttribute('datetime')).toBe('2026-12-31T22:00:00.000Z');
  await user.keyboard('jj');
  await screen.findByTitle('1 Jan 2026, 01:00 (00:00 UTC)');
});

test('grey rows fill the page while the first rows load', async () => {
  const rows = holdAnswers(/GET \/api\/subscribers\?/);
  await openApp('/subscribers?pageSize=50', { people: [anna] });
  await appears('table', 'Subscribers');
  expect(table().getAttribute('aria-busy')).toBe('true');
  expect(within(table()).getAllByRole('row')).toHaveLength(51);
  rows.release();
  await shows('anna');
  expect(table().getAttribute('aria-busy')).toBe('false');
});

test('a click anywhere in a row opens its subscriber', async () => {
  const { user, address } = await openApp('/subscribers', { people: [anna] });
  await user.click(within(await rowOf('anna')).getByText('3'));
  await appears('complementary', 'anna');
  expect(address()).toBe('/subscribers/1');
  expect(screen.getByRole('link', { name: 'anna', current: 'page' })).toBeTruthy();
});

test('the browser handles a click that opens a new tab or window', async () => {
  const { address } = await openApp('/subscribers?expired=true', {
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
  const { user, address } = await openApp('/subscribers', { people: [anna] });
  const email = within(await rowOf('anna')).getByRole('cell', { name: 'anna@example.com' });
  getSelection()?.selectAllChildren(email);
  await user.pointer({ target: email, keys: '[MouseLeft>]' });
  getSelection()?.selectAllChildren(email);
  await user.pointer({ target: email, keys: '[/MouseLeft]' });
  expect(address()).toBe('/subscribers');
  getSelection()?.removeAllRanges();
});
