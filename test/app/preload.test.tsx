import { createMemoryHistory } from '@tanstack/react-router';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { subscriberPageQuery } from '../../src/app/api/queries.ts';
import { createDashboard, DashboardRoot, whenLoaded } from '../../src/app/dashboard.tsx';
import { preloadFirstView, takePreloaded, type PreloadedAnswers } from '../../src/app/preload.ts';
import { usualPageSize } from '../../src/app/subscriber/list-address.ts';
import { openDesk } from '../support/app/desk.ts';

const session = 'GET /bff/session';

/** Requests what the page at an address will show, before the dashboard is loaded. */
async function preload(address: string) {
  const bff = await openDesk({ samples: 130 });
  // On a busy machine, the dashboard may start so late that the answer is too old.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const preloaded = preloadFirstView(new URL(address, location.origin));
  return { preloaded, all: () => bff.requested(/./) };
}

/** The dashboard as the page starts it. */
async function renderApp(address: string, preloaded: PreloadedAnswers) {
  const history = createMemoryHistory({ initialEntries: [address] });
  const dashboard = createDashboard({ history, preloaded });
  const cache = dashboard.app.queryClient;
  onTestFinished(() => cache.cancelQueries().then(() => cache.clear()));
  await whenLoaded(dashboard);
  render(<DashboardRoot dashboard={dashboard} />);
  return cache;
}

test.each([
  ['/subscribers', '/api/subscribers'],
  ['/subscribers?expired=true&sort=expiresAt_desc', '/api/subscribers?Expired=true&SortBy=expiresAt_desc'],
  ['/subscribers?page=2&pageSize=50', '/api/subscribers?Page=2&PageSize=50'],
  ['/subscribers?page=2&pageSize=25', '/api/subscribers?Page=2'],
  ['/subscribers?page=2', '/api/subscribers?Page=2'],
  ['/subscribers?email=%40e&username=a', '/api/subscribers?Username=a&Email=%40e'],
  ['/subscribers/1?status=1', '/api/subscribers?StatusId=1'],
])('the requests for %s are preloaded, and not sent again', async (address, list) => {
  const { all, preloaded } = await preload(address);
  await waitFor(() => expect(all().toSorted()).toEqual([`GET ${list}`, session]));
  await renderApp(address, preloaded);
  const pages = () => all().filter((name) => name === `GET ${list}`);
  await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('false'));
  // By then the dashboard has requested everything that was missing.
  await waitFor(() => expect(all()).toContain('GET /api/subscriber-statuses'));
  expect(pages()).toHaveLength(1);
  expect(all().filter((name) => name === session)).toHaveLength(1);
});

test('the list is preloaded with the page size that the user chose last', async () => {
  usualPageSize.set(50);
  const { all } = await preload('/subscribers');
  await waitFor(() => expect(all()).toContain('GET /api/subscribers?PageSize=50'));
});

test('an address that the dashboard reads differently is requested again', async () => {
  const { all, preloaded } = await preload('/subscribers?page=nonsense');
  await renderApp('/subscribers?page=nonsense', preloaded);
  await screen.findByText('1–25 of 130');
  expect(all()).toContain('GET /api/subscribers');
});

test.each([
  ['/subscribers?trial=true', [session]],
  ['/subscribers?statuses=1,3', [session]],
  ['/subscribers/new', [session]],
  ['/activity', [session]],
])(
  'the list of %s is not preloaded, because the address alone does not say what it is',
  async (address, preloadedOnly) => {
    const { all } = await preload(address);
    await waitFor(() => expect(all()).toEqual(preloadedOnly));
  },
);

test('a preloaded answer is used once', async () => {
  const list = 'GET /api/subscribers';
  const { all, preloaded } = await preload('/subscribers');
  const cache = await renderApp('/subscribers', preloaded);
  await screen.findByText('1–25 of 130');
  await cache.fetchQuery({ ...subscriberPageQuery({}), staleTime: 0 });
  expect(all().filter((name) => name === list)).toHaveLength(2);
});

test('a preloaded answer is read to its end, so that its connection is free even if nothing uses it', async () => {
  const answer = Response.json({});
  vi.stubGlobal('fetch', async () => answer);
  const preloaded = preloadFirstView(new URL('/activity', location.origin));
  await waitFor(() => expect(answer.bodyUsed).toBe(true));
  const taken = await takePreloaded(preloaded, new Request(new URL('/bff/session', location.origin)));
  expect(await taken?.json()).toEqual({});
});

test('a preloaded answer that may be out of date is not used', async () => {
  const { all, preloaded } = await preload('/subscribers');
  await waitFor(() => expect(all()).toHaveLength(2));
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_001);
  await renderApp('/subscribers', preloaded);
  await screen.findByText('1–25 of 130');
  expect(all().filter((name) => name === session)).toHaveLength(2);
});
