import { describe, expect, it, test, vi } from 'vitest';
import { createApi } from '../../../src/app/api/api.ts';
import {
  createScannedRows,
  keptAtMost,
  scanTrials,
  type ScanProgress,
} from '../../../src/app/api/trial-scan.ts';
import type { SortOrder } from '../../../src/contract/service/list-query.ts';
import { numbered } from '../../support/app/plain-service.ts';

/** A service with so many subscribers that answers at once. */
function serve(count: number, change: Partial<ReturnType<typeof numbered>> = {}) {
  const rows = Array.from({ length: count }, (_, index) => ({ ...numbered(index + 1), ...change }));
  const fetch = vi.fn<(request: Request) => Promise<Response>>(async ({ url }) => {
    const { searchParams } = new URL(url);
    const [page, pageSize] = [Number(searchParams.get('Page')), Number(searchParams.get('PageSize'))];
    const items = rows.slice((page - 1) * pageSize, page * pageSize);
    const totalPages = Math.ceil(count / pageSize);
    return Response.json({ items, page, pageSize, totalCount: count, totalPages });
  });
  return { fetch, service: createApi(fetch).service };
}

/** Of a service that has no filter for trials. */
const trials = { filter: { IsTrial: true }, extensions: [] };

test('a scan of 100,000 subscribers reads each of them once, and lets the page respond between answers', async () => {
  const { fetch, service } = serve(100_000);
  let turns = 0;
  const timer = setInterval(() => (turns += 1));
  const steps: ScanProgress[] = [];
  const { progress, pageOf } = await scanTrials(service, trials, new AbortController().signal, (now) =>
    steps.push(now),
  );
  clearInterval(timer);
  expect(progress).toMatchObject({ state: 'complete', scanned: 100_000, total: 100_000, found: 20_000 });
  expect(pageOf({ Page: 200, PageSize: 100 }).items.at(-1)?.id).toBe(100_000);
  expect(fetch.mock.calls.length).toBeLessThan(560);
  expect(turns).toBeGreaterThan(400);
  // The progress never goes back, and never exceeds the total.
  expect(
    steps.every(
      ({ scanned, total }, index) => scanned <= total && scanned >= (steps[index - 1]?.scanned ?? 0),
    ),
  ).toBe(true);
});

test('a scan stops at the limit of rows that are kept, and its result says so', async () => {
  const { fetch, service } = serve(30_000, { isTrial: true });
  const { progress } = await scanTrials(service, trials, new AbortController().signal, () => undefined);
  expect(progress.state).toBe('full');
  expect(progress.found - keptAtMost).toBeLessThanOrEqual(200);
  expect(fetch.mock.calls.length).toBeLessThan(120);
});

test('a scan sends no more requests after it is cancelled', async () => {
  const { fetch, service } = serve(10_000);
  const cancelling = new AbortController();
  const scan = scanTrials(
    service,
    trials,
    cancelling.signal,
    ({ scanned }) => scanned > 1000 && cancelling.abort(),
  );
  await expect(scan).rejects.toMatchObject({ name: 'AbortError' });
  expect(fetch.mock.calls.length).toBeLessThan(12);
});

const usernames = ['b', 'Ørjan', 'A', '\u{1F600}', 'ørjan2', 'a', '\uFF21'];
const rows = usernames.map((username, index) => ({
  ...numbered(index + 1),
  username,
  expiresAt: index % 2 === 0 ? '2026-06-01T12:00:00.001Z' : '2026-06-01T12:00:00.000Z',
}));
const { add, pageOf } = createScannedRows();
add(rows.slice(0, 4));
pageOf({ SortBy: 'username' });
add(rows.slice(4));
const ids = (SortBy?: SortOrder) => pageOf({ ...(SortBy && { SortBy }) }).items.map(({ id }) => id);

describe('the order of scanned rows', () => {
  it.each([
    [undefined, [1, 2, 3, 4, 5, 6, 7]],
    ['username', [3, 6, 1, 2, 5, 7, 4]],
    ['username_desc', [4, 7, 5, 2, 1, 3, 6]],
    ['expiresAt', [2, 4, 6, 1, 3, 5, 7]],
    ['expiresAt_desc', [1, 3, 5, 7, 2, 4, 6]],
  ] as const)('is that of the service by %s, with ties by id', (order, expected) => {
    expect(ids(order)).toEqual(expected);
  });
});

test('pages of scanned rows are cut as the service does, and empty after the last', () => {
  expect(pageOf({ Page: 2, PageSize: 3 })).toMatchObject({
    page: 2,
    pageSize: 3,
    totalCount: 7,
    totalPages: 3,
  });
  expect(pageOf({ Page: 3, PageSize: 3 }).items.map(({ id }) => id)).toEqual([7]);
  expect(pageOf({ Page: 4, PageSize: 3 }).items).toEqual([]);
  expect(createScannedRows().pageOf({})).toEqual({
    items: [],
    page: 1,
    pageSize: 25,
    totalCount: 0,
    totalPages: 0,
  });
});
