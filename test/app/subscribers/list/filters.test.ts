import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { suspend } from '../../../support/app/desk.ts';
import { announced, shows } from '../../../support/app/list.ts';
import { appears, button, disappears, openPage } from '../../../support/app/page.tsx';
import { anna, crowd, person } from '../../../support/people.ts';

const people = [
  person('anna', { expiresAt: '2026-08-01T00:00:00Z', isTrial: true }),
  person('bjarne', { expiresAt: '2026-02-01T00:00:00Z' }),
  person('cecilie', { expiresAt: '2026-01-01T00:00:00Z', isTrial: true }),
];
const pressed = (name: string) => button(name).getAttribute('aria-pressed');

test('“Expired” and “Trial” filter the list, and show whether they are on', async () => {
  const { user, address } = await openPage('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  await user.click(button('Expired'));
  await shows('bjarne', 'cecilie');
  await user.click(button('Trial'));
  await shows('cecilie');
  expect(address()).toBe('/subscribers?expired=true&trial=true');
  expect([pressed('Expired'), pressed('Trial')]).toEqual(['true', 'true']);
  expect(announced()).toContain('1 subscriber.');
  await user.click(button('Expired'));
  await shows('anna', 'cecilie');
  expect(address()).toBe('/subscribers?trial=true');
});

test('the status filters the list', async () => {
  const page = await openPage('/subscribers', { people });
  await suspend(page, 'bjarne');
  await screen.findByRole('option', { name: 'Status: Suspended' });
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Status: Suspended');
  await shows('bjarne');
  expect(page.address()).toBe('/subscribers?status=2');
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Status: any');
  await shows('anna', 'bjarne', 'cecilie');
});

test('“Clear filters” shows when there are filters, and keeps order and page size', async () => {
  const { user, address } = await openPage('/subscribers?expired=true&sort=username_desc&pageSize=50', {
    people,
  });
  await shows('cecilie', 'bjarne');
  await user.click(button('Clear filters'));
  await shows('cecilie', 'bjarne', 'anna');
  expect(address()).toBe('/subscribers?sort=username_desc&pageSize=50');
  await disappears('button', 'Clear filters');
});

test('Back and Forward restore the filters and their rows', async () => {
  const page = await openPage('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  await page.user.click(button('Expired'));
  await shows('bjarne', 'cecilie');
  await page.user.click(button('Trial'));
  await shows('cecilie');
  page.goBack();
  await shows('bjarne', 'cecilie');
  expect([pressed('Expired'), pressed('Trial')]).toEqual(['true', 'false']);
  page.goBack();
  await shows('anna', 'bjarne', 'cecilie');
  page.goForward();
  await shows('bjarne', 'cecilie');
});

test('another filter goes to the first page', async () => {
  const { user, address } = await openPage('/subscribers?page=2', { people: crowd(30) });
  await shows('p026', 'p027', 'p028', 'p029', 'p030');
  await user.click(button('Trial'));
  await appears('heading', 'No subscribers match');
  expect(address()).toBe('/subscribers?trial=true');
});

test('an address full of nonsense is corrected', async () => {
  const nonsense = 'page=minus&expired=perhaps&sort=shoe&pageSize=9999&status=x&foo=bar';
  const { address } = await openPage(`/subscribers?${nonsense}&trial=true`, { people: [anna] });
  await shows('anna');
  expect(address()).toBe('/subscribers?trial=true');
});

describe('sorting', () => {
  const sorted = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort');

  test('by expiry goes up, then down, then off', async () => {
    const { user, address } = await openPage('/subscribers', { people });
    await shows('anna', 'bjarne', 'cecilie');
    expect(sorted('Expires')).toBe('none');
    await user.click(button('Expires'));
    await shows('cecilie', 'bjarne', 'anna');
    expect([sorted('Expires'), address()]).toEqual(['ascending', '/subscribers?sort=expiresAt']);
    await user.click(button('Expires'));
    await shows('anna', 'bjarne', 'cecilie');
    expect([sorted('Expires'), address()]).toEqual(['descending', '/subscribers?sort=expiresAt_desc']);
    await user.click(button('Expires'));
    await shows('anna', 'bjarne', 'cecilie');
    expect([sorted('Expires'), address()]).toEqual(['none', '/subscribers']);
  });

  test('by username replaces sorting by expiry', async () => {
    const { user } = await openPage('/subscribers?sort=expiresAt', { people });
    await shows('cecilie', 'bjarne', 'anna');
    await user.click(button('Username'));
    await shows('anna', 'bjarne', 'cecilie');
    expect([sorted('Username'), sorted('Expires')]).toEqual(['ascending', 'none']);
  });
});
