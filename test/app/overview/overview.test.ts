import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import type { Overview } from '../../../src/contract/bff/overview.ts';
import { readAddress, toListQuery } from '../../../src/app/subscriber/list-address.ts';
import { filterExtensions } from '../../../src/contract/service/list-rules.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { niceTop } from '../../../src/app/overview/chart.tsx';
import { send } from '../../support/app/activity.ts';
import { suspend } from '../../support/app/desk.ts';
import { catchFiles } from '../../support/app/files.ts';
import { shows } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, link, openApp } from '../../support/app/page.tsx';
import { numbered, plainUpstream } from '../../support/app/plain-service.ts';
import { crowd, person } from '../../support/people.ts';
import { testTime } from '../../support/setup/fixed-time.ts';

const day = 24 * 60 * 60_000;
const inDays = (days: number) => new Date(testTime + days * day + 60_000).toISOString();

const people = [
  person('long-gone', { expiresAt: inDays(-60), isTrial: true }),
  person('just-gone', { expiresAt: inDays(-2), isTrial: true }),
  person('soon', { expiresAt: inDays(3), isTrial: true }),
  person('soon-too', { expiresAt: inDays(4) }),
  person('later', { expiresAt: inDays(20) }),
  person('next-year', { expiresAt: inDays(300) }),
  person('ended', { expiresAt: inDays(-9) }),
];

const tiles = [
  'Can watch now',
  'Trials running',
  'Expired trials',
  'Expired, paid',
  'Expire in 7 days',
  'Expire in 30 days',
];
const tile = (name: string) => link(new RegExp(`^${name}\\s*\\d`));
const numberIn = (name: string) => within(tile(name)).getByText(/^[\d,]+$/).textContent;
const chart = (name: RegExp) => within(screen.getByRole('region', { name }));
/** With ordinary spaces, where languages have thin ones. */
const plain = (text: string | null | undefined) => text?.replaceAll(/[\u2009\u202f]/g, ' ');
const labelOf = (bar: Element | undefined) => plain(bar?.getAttribute('aria-label'));
const loaded = () => appears('link', /^Can watch now\s*\d/);

test('the overview has tiles, each a link to the list that it counts', async () => {
  const { user, address } = await openApp('/overview', { people });
  await loaded();
  expect(screen.getByText('As of 14:00')).toBeTruthy();
  expect(tiles.map(numberIn)).toEqual(['4', '1', '2', '1', '2', '3']);
  expect(['Suspended', 'Blocked'].map(numberIn)).toEqual(['0', '0']);
  expect(
    [...tiles, 'Suspended'].map((name) => tile(name).querySelector('br')?.previousSibling?.textContent),
  ).toEqual([
    'Active, not expired',
    'Active, not expired',
    'In any status',
    'In any status',
    'In any status',
    'In any status',
    'Expired or not',
  ]);
  await user.click(tile('Expire in 7 days'));
  await shows('soon', 'soon-too');
  expect(address()).toBe('/subscribers?expiresFrom=now&expiresTo=7d');
});

test('the overview says nothing of who can watch where no status is called Active', async () => {
  const { serviceDb, goTo } = await openApp('/activity', { people });
  const statuses = (await serviceDb()).updateTable('subscriber_statuses');
  await statuses.set({ name: 'On hold' }).where('id', '=', 1).execute();
  goTo('/overview');
  await appears('link', /^On hold\s*7/);
  expect(tiles.slice(0, 2).map((name) => screen.queryByText(name))).toEqual([null, null]);
  expect(numberIn('Expired trials')).toBe('2');
});

describe('the number of each tile, bundle and country', () => {
  it.each([1, 2, 3])('is that of the list that it opens, with random subscribers: seed %i', async (seed) => {
    const { whole, chance } = createSeededRandom(seed);
    // Some of them expire in this very millisecond, and at the ends of the weeks.
    const expiry = () => testTime + whole(-40, 40) * day + (chance(0.5) ? 0 : whole(-1, 1));
    const random = Array.from({ length: 60 }, (_, index) =>
      person(`r${index}`, {
        expiresAt: new Date(expiry()).toISOString(),
        isTrial: chance(0.4),
        bundles: [...new Set([whole(1, 12), whole(1, 20)])],
        countries: chance(0.5) ? ['NO', 'SE', 'DK'].slice(whole(0, 2)) : [],
      }),
    );
    const { service, serviceDb, goTo } = await openApp('/subscribers', { people: random });
    for (let id = 1; id <= random.length; id += 1) {
      const update = (await serviceDb()).updateTable('subscribers').set({ status_id: whole(1, 3) });
      await update.where('id', '=', id).execute();
    }
    goTo('/overview');
    await loaded();
    const names = [...tiles, 'Suspended', 'Blocked'];
    const countBehind = async (one: HTMLElement) => {
      const address = readAddress(Object.fromEntries(new URL((one as HTMLAnchorElement).href).searchParams));
      return String((await service.listSubscribers({ query: toListQuery(address) })).data.totalCount);
    };
    expect(names.map(numberIn)).toEqual(await Promise.all(names.map(tile).map(countBehind)));
    const bars = [/^Subscribers by bundle/, /^Subscribers by country/].map((name) =>
      chart(name).getAllByRole('link'),
    );
    expect(bars.map((all) => all.length)).toEqual([10, 3]);
    const numbers = bars.flat().map((bar) => labelOf(bar)?.replace(/^.*: /, ''));
    expect(numbers).toEqual(await Promise.all(bars.flat().map(countBehind)));
  });
});

test('bundles and countries have names, bars that open their lists, and others together', async () => {
  const own = Array.from({ length: 12 }, (_, index) =>
    person(`b${index}`, { bundles: [3, 40 + index], countries: index > 8 ? ['NO'] : [] }),
  );
  const { user, db, goTo } = await openApp('/bundles', { people: own });
  const bundles = JSON.stringify([{ number: 3, name: 'Sports', isSold: true }]);
  await db.insertInto('bundle_list').values({ id: 1, bundles, version: 1 }).execute();
  goTo('/overview');
  await loaded();
  await appears('link', 'Sports · 3: 12');
  const byBundle = chart(/^Subscribers by bundle/);
  expect(labelOf(byBundle.getByRole('img'))).toBe('3 more: 3');
  const files = catchFiles();
  await user.click(byBundle.getByRole('button', { name: /^Download CSV/ }));
  const lines = (await files[0]?.blob?.text())?.split('\r\n') ?? [];
  expect(lines.slice(0, 3)).toEqual([
    '"Number","Bundle","Subscribers"',
    '"3","Sports · 3","12"',
    '"40","40","1"',
  ]);
  await user.click(byBundle.getByRole('button', { name: 'Table' }));
  expect(byBundle.getAllByRole('row')[1]?.textContent).toBe('Sports · 312');
  await user.click(chart(/^Subscribers by country/).getByRole('link', { name: 'Norway: 3' }));
  await shows('b9', 'b10', 'b11');
});

test('the charts of bundles and countries say that the service prepares them, or that it does not count', async () => {
  const { serviceDb, goTo } = await openApp('/subscribers', { people });
  await (await serviceDb()).insertInto('subscriber_values_fill').values({ after_id: 0 }).execute();
  goTo('/overview');
  await loaded();
  expect(screen.getAllByText(/^This is being prepared after an update/)).toHaveLength(2);
  cleanup();
  await openApp('/overview', { people, upstream: { extensions: filterExtensions } });
  await loaded();
  expect(screen.getAllByText('This subscriber service doesn’t count this.')).toHaveLength(2);
});

test('a trial whose status stops it is not running, and a small share is not 0 %', async () => {
  const page = await openApp('/subscribers', { people: [...people, ...crowd(195)] });
  await suspend(page, 'soon');
  page.goTo('/overview');
  await loaded();
  expect(numberIn('Trials running')).toBe('0');
  expect(tile('Expired, paid').textContent).toMatch(/< 1\s?%/);
});

describe('a chart', () => {
  it('has bars with a name and a number, which open the list of that week', async () => {
    const { user, goBack } = await openApp('/overview', { people });
    await loaded();
    const bars = chart(/^Expire in the next 12 weeks/).getAllByRole('link');
    expect(bars).toHaveLength(2);
    expect(chart(/^Expire in the next 12 weeks/).getAllByRole('img')).toHaveLength(10);
    expect(labelOf(bars[0])).toBe('1 – 8 Jun 2026: 2 (trials 1, paid 1)');
    await user.click(bars[0] ?? document.body);
    await shows('soon', 'soon-too');
    goBack();
    await loaded();
    const past = chart(/^Expired in the last 12 weeks/).getAllByRole('link');
    expect(labelOf(past.at(-1))).toBe('25 May – 1 Jun 2026: 1 (trials 1, paid 0)');
    expect(past.at(-1)?.getAttribute('href')).toMatch(
      /^\/subscribers\?expiresFrom=2026-05-25T12%3A00%3A00.001Z&expiresTo=/,
    );
  });

  it('has the same numbers as a table and as a CSV file', async () => {
    const files = catchFiles();
    const { user } = await openApp('/overview', { people });
    await loaded();
    const next = chart(/^Expire in the next 12 weeks/);
    await user.click(next.getByRole('button', { name: 'Table' }));
    const table = within(next.getByRole('table', { name: 'Expire in the next 12 weeks' }));
    const cells = table.getAllByRole('row')[1]?.textContent;
    expect(plain(cells)).toBe('1 – 8 Jun 2026112');
    await user.click(next.getByRole('button', { name: /^Download CSV/ }));
    expect(files[0]?.name).toBe('expiring.csv');
    const lines = (await files[0]?.blob?.text())?.split('\r\n') ?? [];
    expect(lines.slice(0, 2)).toEqual([
      '"From (UTC)","To (UTC)","Trials","Paid"',
      '"2026-06-01T12:00:00.001Z","2026-06-08T12:00:00.001Z","1","1"',
    ]);
    expect(lines).toHaveLength(14);
    await user.click(next.getByRole('button', { name: 'Table' }));
    expect(next.queryByRole('table')).toBeNull();
  });

  it('says so if there is nothing in it', async () => {
    await openApp('/overview', { people: [person('next-year', { expiresAt: inDays(300) })] });
    await loaded();
    expect(screen.getByText('Nobody expires in these weeks.')).toBeTruthy();
    expect(screen.getByText('Nobody expired in these weeks.')).toBeTruthy();
    expect(await screen.findByText('No trial became paid in these weeks.')).toBeTruthy();
  });
});

test('conversions and changes are counted by week, by day and by person, and open the activity', async () => {
  const { user, address, goTo } = await openApp('/subscribers', { people });
  await shows(...people.map(({ username }) => username));
  await send('PUT', '/subscribers/3', { isTrial: false });
  await send('DELETE', '/subscribers/1');
  goTo('/overview');
  await loaded();
  const converted = chart(/^Trials converted to paid/);
  const bars = await converted.findAllByRole('img');
  expect(labelOf(bars.at(-1))).toBe('26 May – 1 Jun 2026: 1');
  // Bars of zero are no links.
  const days = chart(/^Changes in the last 30 days/).getAllByRole('link');
  expect(days).toHaveLength(1);
  expect(labelOf(days.at(-1))).toBe('1 Jun 2026: 2 (created 0, edited 1, deleted 1, tokens regenerated 0)');
  const byPerson = within(await screen.findByRole('table', { name: 'Changes by person' }));
  const row = (await byPerson.findByRole('link', { name: 'Kari' })).closest('tr');
  expect(row?.textContent).toBe('Kari01102');
  const files = catchFiles();
  await user.click(button('Download CSV: Changes by person'));
  const lines = (await files[0]?.blob?.text())?.split('\r\n');
  expect(lines?.slice(0, 2)).toEqual([
    '"Who","Created","Edited","Deleted","Tokens regenerated"',
    '"Kari","0","1","1","0"',
  ]);
  await user.click(days.at(-1) ?? document.body);
  await appears('heading', /^Activity/);
  expect(address()).toBe('/activity?kind=change&outcome=done&totals=true&from=2026-06-01&to=2026-06-01');
});

test('the axis of a chart ends with a number whose half is round', () => {
  expect([0, 1, 2, 3, 7, 20, 21, 93, 1999, 123_456].map(niceTop)).toEqual([
    2, 2, 2, 4, 8, 20, 40, 100, 2000, 140_000,
  ]);
});

describe('the overview', () => {
  it('keeps the places of its tiles and charts while it is loading', async () => {
    const held = holdAnswers(/^GET \/bff\/overview$/);
    await openApp('/overview', { people });
    await appears('heading', 'Overview');
    expect(await appears('region', /^Expire in the next 12 weeks/)).toBeTruthy();
    expect(screen.getByText('Can watch now')).toBeTruthy();
    expect(screen.queryByRole('link', { name: /^Can watch now/ })).toBeNull();
    expect(button('Refresh').getAttribute('aria-busy')).toBe('true');
    held.release();
    await loaded();
  });

  it('says how far it is when it is counted by reading everybody', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => numbered(index + 1));
    await openApp('/overview', { upstream: plainUpstream(rows) });
    expect(
      await screen.findByText(/can’t count by expiry and plan, so we’re reading every subscriber/),
    ).toBeTruthy();
  });

  it('says that the service takes long to count, and nothing of reading everybody', async () => {
    const { cache } = await openApp('/overview', { people });
    await loaded();
    const known = cache.getQueryData<Overview>(['getOverview']);
    holdAnswers(/^GET \/bff\/overview$/);
    cache.setQueryData<Overview>(['getOverview'], {
      numbers: known?.numbers ?? null,
      counting: { read: 0, total: null },
    });
    const reported = await screen.findByText(/takes long to count/);
    expect(reported.textContent).toBe(
      'The subscriber service takes long to count. Until then, you see the earlier numbers.',
    );
    expect(numberIn('Expired trials')).toBe('2');
  });
});

describe('the start page', () => {
  it('is the overview for a manager', async () => {
    const { address } = await openApp('/', { people });
    await loaded();
    expect(address()).toBe('/overview');
  });

  it('is the list for everybody else, who see no changes by person', async () => {
    const { address, user } = await openApp('/', { people, role: 'support' });
    await shows(...people.map(({ username }) => username));
    expect(address()).toBe('/subscribers');
    await user.click(link('Overview'));
    await loaded();
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Trials converted to paid' })).toBeTruthy(),
    );
    expect(screen.queryByRole('region', { name: 'Changes by person' })).toBeNull();
  });
});
