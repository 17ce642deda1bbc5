import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openActivity, showsEntries as shows } from '../../support/app/activity.ts';
import { appears, button, openApp } from '../../support/app/page.tsx';

const subscriberBox = () => screen.getByRole('searchbox', { name: 'Subscriber' });

test('the filters change the address and what is shown', async () => {
  const { user, address } = await openActivity();
  await shows('Deleted', 'Edit', 'Edited');
  await user.selectOptions(screen.getByRole('combobox', { name: 'What' }), 'Delete');
  await shows('Deleted');
  expect(address()).toBe('/activity?operation=deleteSubscriber');
  await user.click(button('7 days'));
  await waitFor(() => expect(address()).toBe('/activity?operation=deleteSubscriber&period=7-days'));
  await user.click(button('Clear filters'));
  await shows('Deleted', 'Edit', 'Edited');
  expect(address()).toBe('/activity');
});

test('the filters are read from the address', async () => {
  const { address, user } = await openActivity('/activity?subscriber=%231');
  await shows('Edited');
  expect(address()).toBe('/activity?subscriber=%231');
  expect(subscriberBox()).toHaveProperty('value', '#1');
  await user.clear(subscriberBox());
  await shows('Deleted', 'Edit', 'Edited');
});

test('the filters find a subscriber by a part of the name, also one that was deleted', async () => {
  const { user, address } = await openActivity();
  await shows('Deleted', 'Edit', 'Edited');
  await user.type(subscriberBox(), 'P002');
  await shows('Deleted');
  expect(address()).toBe('/activity?subscriber=P002');
  await user.click(button('Clear filters'));
  await shows('Deleted', 'Edit', 'Edited');
  expect(subscriberBox()).toHaveProperty('value', '');
  await user.type(subscriberBox(), '#2');
  await shows('Edit');
  expect(address()).toBe('/activity?subscriber=%232');
});

test('the filters never put an access token into the address, and say so', async () => {
  const { user, address, requested, saved } = await openActivity();
  await shows('Deleted', 'Edit', 'Edited');
  const { accessToken } = await saved();
  await user.click(subscriberBox());
  await user.paste(`https://tv.example/${accessToken}/list.m3u`);
  await screen.findByText(/^This looks like an access token\./);
  await user.click(button('7 days'));
  await waitFor(() => expect(address()).toBe('/activity?period=7-days'));
  expect(requested(new RegExp(accessToken))).toEqual([]);
});

test('the filters tell how something ended', async () => {
  const { user, address } = await openActivity();
  await shows('Deleted', 'Edit', 'Edited');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'Refused');
  await shows('Edit');
  expect(address()).toBe('/activity?outcome=refused');
});

test('the filters can be in any order in the address', async () => {
  const { address } = await openApp('/activity?operation=deleteSubscriber&person=tab');
  await appears('heading', /^Activity/);
  expect(address()).toBe('/activity?operation=deleteSubscriber&person=tab');
});

test('the filters lose nonsense and defaults when the page opens', async () => {
  const { address } = await openApp('/activity?subscriber=%231&page=1&operation=nothing&from=x');
  await appears('heading', 'No activity matches these filters');
  expect(address()).toBe('/activity?subscriber=%231');
});

test('the filters that nothing matches say so, and can be cleared', async () => {
  const { user } = await openActivity('/activity?to=2026-05-31');
  await appears('heading', 'No activity matches these filters');
  expect(button('Export CSV').title).toBe('There’s nothing to export.');
  await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] ?? document.body);
  await shows('Deleted', 'Edit', 'Edited');
});

test('the filters by person are for managers; others see that the changes are their own', async () => {
  await openActivity('/activity', { role: 'support' });
  await shows('Edit', 'Edited');
  screen.getByText(/^You see only your own changes here\./);
  expect(screen.queryByRole('combobox', { name: 'Who' })).toBeNull();
});

test('a year can be typed digit by digit, and days in the wrong order are named, not swapped', async () => {
  const { address } = await openActivity();
  const day = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  const type = (name: string, value: string) => fireEvent.change(day(name), { target: { value } });
  for (const year of ['0002', '0020', '0202']) {
    type('From', `${year}-05-20`);
    expect(day('From').value).toBe(`${year}-05-20`);
  }
  expect(address()).toBe('/activity');
  type('From', '2026-05-20');
  await waitFor(() => expect(address()).toBe('/activity?from=2026-05-20'));
  type('To', '2026-05-10');
  await screen.findByText('To is before From. Change one of them to filter by these days.');
  expect([day('From').value, day('To').value, address()]).toEqual([
    '2026-05-20',
    '2026-05-10',
    '/activity?from=2026-05-20',
  ]);
  type('From', '2026-05-01');
  await waitFor(() => expect(address()).toBe('/activity?from=2026-05-01&to=2026-05-10'));
  expect(screen.queryByText(/To is before From/)).toBeNull();
});

test('a link with days in the wrong order shows them as they are, and says why they filter nothing', async () => {
  await openApp('/activity?from=2026-06-01&to=2026-05-01', { role: 'manager' });
  await screen.findByText('To is before From. Change one of them to filter by these days.');
  expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('2026-06-01');
  expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe('2026-05-01');
});
