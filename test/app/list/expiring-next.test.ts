import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shows, usernames } from '../../support/app/list.ts';
import { cutNetwork } from '../../support/app/network.ts';
import { appears, openApp } from '../../support/app/page.tsx';
import { person } from '../../support/people.ts';

/** Some expired subscribers and some others, each in the order of expiry. */
const people = (expired: number, others: number) => [
  ...Array.from({ length: expired }, (_, n) =>
    person(`old${n + 1}`, { expiresAt: new Date(Date.UTC(2026, 0, n + 1)).toISOString() }),
  ),
  ...Array.from({ length: others }, (_, n) =>
    person(`new${n + 1}`, { expiresAt: new Date(Date.UTC(2026, 6, n + 1)).toISOString() }),
  ),
];
const views = () => within(screen.getByRole('navigation', { name: 'Views' }));
const view = () => views().getByRole('link', { name: 'Expiring next' });
const present = () =>
  views()
    .queryAllByRole('link', { current: 'page' })
    .map((link) => link.textContent);

test.each([
  ['some are expired', 5, 4, 2, '/subscribers?sort=expiresAt&page=3&pageSize=2', ['old5', 'new1']],
  [
    'the expired ones fill whole pages',
    4,
    4,
    2,
    '/subscribers?sort=expiresAt&page=3&pageSize=2',
    ['new1', 'new2'],
  ],
  ['none is expired', 0, 3, 2, '/subscribers?sort=expiresAt&pageSize=2', ['new1', 'new2']],
  ['all are expired', 4, 0, 2, '/subscribers?sort=expiresAt&page=2&pageSize=2', ['old3', 'old4']],
])(
  'the view “Expiring next” is the page of the next to expire if %s',
  async (_, expired, others, pageSize, target, shown) => {
    const page = await openApp(`/subscribers?expired=true&pageSize=${pageSize}`, {
      people: people(expired, others),
    });
    await page.user.click(await appears('link', 'Expiring next'));
    await shows(...shown);
    expect(page.address()).toBe(target);
    await waitFor(() => expect(present()).toEqual(['Expiring next']));
  },
);

test('the view “Expiring next” uses the chosen page size if the address has none', async () => {
  localStorage.setItem('page-size', '50');
  const page = await openApp('/subscribers', { people: people(52, 4) });
  await waitFor(() => expect(usernames()).toHaveLength(50));
  await page.user.click(view());
  await shows('old51', 'old52', 'new1', 'new2', 'new3', 'new4');
  expect(page.address()).toBe('/subscribers?sort=expiresAt&page=2&pageSize=50');
  await waitFor(() => expect(present()).toEqual(['Expiring next']));
});

test('the page of “Expiring next” is looked up when its link is hovered, not before', async () => {
  const page = await openApp('/subscribers?pageSize=2', { people: people(5, 4) });
  await shows('old1', 'old2');
  expect(page.requested(/Expired=true&PageSize=1$/)).toEqual([]);
  await page.user.hover(view());
  await waitFor(() =>
    expect(view().getAttribute('href')).toBe('/subscribers?sort=expiresAt&page=3&pageSize=2'),
  );
  expect(page.requested(/Expired=true&PageSize=1$/)).toHaveLength(1);
});

test('another page of the expiry order is not “Expiring next”', async () => {
  await openApp('/subscribers?sort=expiresAt&page=2&pageSize=2', { people: people(5, 4) });
  await shows('old3', 'old4');
  expect(present()).toEqual(['All']);
});

test('the view “Expiring next” is the first page of the expiry order if its page cannot be found', async () => {
  const page = await openApp('/subscribers', { people: people(2, 2) });
  await waitFor(() => expect(usernames()).toHaveLength(4));
  cutNetwork(/Expired=true&PageSize=1$/);
  await page.user.click(view());
  await waitFor(() => expect(page.address()).toBe('/subscribers?sort=expiresAt'));
});

test.each([
  ['country=NO', { countries: ['SE', 'NO'] }],
  ['bundle=3', { bundles: [3] }],
  ['ip=192.0.2.7', { ipAddresses: ['192.0.2.0/24'] }],
  ['app=vlc', { userAgents: ['VLC/3.0'] }],
])(
  'the view “Expiring next” of a list by %s is those who have not expired, without a count',
  async (filter, values) => {
    const some = people(3, 3).map((one, index) => (index % 2 === 0 ? { ...one, ...values } : one));
    const page = await openApp(`/subscribers?trial=false&${filter}&pageSize=2`, { people: some });
    await shows('old1', 'old3');
    await waitFor(() => expect(view().getAttribute('href')).toContain(filter));
    expect(present()).toEqual([]);
    await page.user.click(view());
    await shows('new2');
    expect(page.address()).toBe(`/subscribers?expired=false&${filter}&sort=expiresAt&pageSize=2`);
    await waitFor(() => expect(present()).toEqual(['Expiring next1']));
    expect(page.requested(/Expired=true&PageSize=1$/)).toEqual([]);
  },
);
