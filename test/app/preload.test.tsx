import { createMemoryHistory } from '@tanstack/react-router';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeEarly } from '../../src/app/api/preload.ts';
import { subscriberPageQuery } from '../../src/app/api/queries.ts';
import { createDashboard, DashboardRoot, whenLoaded } from '../../src/app/dashboard.tsx';
import { sendFirstRequests } from '../../src/app/first-requests.ts';
import { usualPageSize } from '../../src/app/subscribers/page-size.ts';
import { openDesk } from '../support/app/desk.ts';

const session = 'GET /bff/session';

/** Sends what an address asks for before the dashboard is there. */
async function askEarly(address: string) {
  const desk = await openDesk({ samples: 130 });
  sendFirstRequests(new URL(address, location.origin));
  const all = () => desk.asked(/./);
  onTestFinished(() => {
    // What nobody took would be the answer to somebody else in the next test.
    for (const name of all()) void takeEarly(new Request(new URL(name.split(' ')[1] ?? '', location.origin)));
  });
  return { ...desk, all };
}

/** The dashboard as the page starts it. */
async function openDashboard(address: string) {
  const dashboard = createDashboard(createMemoryHistory({ initialEntries: [address] }));
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
  ['/subscribers?email=%40e&username=a', '/api/subscribers?Username=a&Email=%40e'],
  ['/subscribers/1?status=1', '/api/subscribers?StatusId=1'],
])('what %s shows is asked for early, and not again', async (address, list) => {
  const { all } = await askEarly(address);
  await waitFor(() => expect(all().toSorted()).toEqual([`GET ${list}`, session]));
  await openDashboard(address);
  const pages = () => all().filter((name) => name === `GET ${list}`);
  await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('false'));
  // By then the dashboard has asked for all that it lacked.
  await waitFor(() => expect(all()).toContain('GET /api/subscriber-statuses'));
  expect(pages()).toHaveLength(1);
  expect(all().filter((name) => name === session)).toHaveLength(1);
});

test('the page size that was chosen last is the one that is asked for', async () => {
  usualPageSize.set(50);
  const { all } = await askEarly('/subscribers');
  await waitFor(() => expect(all()).toContain('GET /api/subscribers?PageSize=50'));
});

test('an address that the dashboard reads otherwise is asked for again, as it is meant', async () => {
  const { all } = await askEarly('/subscribers?page=nonsense');
  await openDashboard('/subscribers?page=nonsense');
  await screen.findByText('1–25 of 130');
  expect(all()).toContain('GET /api/subscribers');
});

test.each([
  ['/subscribers?trial=true', [session]],
  ['/subscribers/new', [session]],
  ['/activity', [session]],
])('%s does not tell by itself what list is wanted', async (address, early) => {
  const { all } = await askEarly(address);
  await waitFor(() => expect(all()).toEqual(early));
});

test('an answer is used once', async () => {
  const list = 'GET /api/subscribers';
  const { all } = await askEarly('/subscribers');
  const cache = await openDashboard('/subscribers');
  await screen.findByText('1–25 of 130');
  await cache.fetchQuery({ ...subscriberPageQuery({}), staleTime: 0 });
  expect(all().filter((name) => name === list)).toHaveLength(2);
});

test('an answer is taken in whole as it comes, so that its connection is free also where nobody takes it', async () => {
  const answer = Response.json({});
  vi.stubGlobal('fetch', async () => answer);
  sendFirstRequests(new URL('/activity', location.origin));
  await waitFor(() => expect(answer.bodyUsed).toBe(true));
  const taken = await takeEarly(new Request(new URL('/bff/session', location.origin)));
  expect(await taken?.json()).toEqual({});
});

test('an answer that may be out of date by now is not used', async () => {
  const { all } = await askEarly('/subscribers');
  await waitFor(() => expect(all()).toHaveLength(2));
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_001);
  onTestFinished(() => void vi.restoreAllMocks());
  await openDashboard('/subscribers');
  await screen.findByText('1–25 of 130');
  expect(all().filter((name) => name === session)).toHaveLength(2);
});
