import { afterEach, expect, test, vi } from 'vitest';
import { keptAtMost, lookThrough } from '../../../src/app/api/trial-scan.ts';
import type { WalkTally } from '../../../src/app/api/scan-progress.ts';
import { numbered } from '../../support/app/plain-service.ts';

/** A service of so many subscribers that answers at once. */
function serve(count: number, change: Partial<ReturnType<typeof numbered>> = {}) {
  const rows = Array.from({ length: count }, (_, place) => ({ ...numbered(place + 1), ...change }));
  const fetch = vi.fn<(request: Request) => Promise<Response>>(async ({ url }) => {
    const { searchParams } = new URL(url);
    const [page, pageSize] = [Number(searchParams.get('Page')), Number(searchParams.get('PageSize'))];
    const items = rows.slice((page - 1) * pageSize, page * pageSize);
    const totalPages = Math.ceil(count / pageSize);
    return Response.json({ items, page, pageSize, totalCount: count, totalPages });
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}
afterEach(() => vi.unstubAllGlobals());

test('of 100,000 subscribers each is looked at once, and the page has its turn between any two answers', async () => {
  const fetch = serve(100_000);
  let turns = 0;
  const timer = setInterval(() => (turns += 1));
  const tallies: WalkTally[] = [];
  const { tally, pageOf } = await lookThrough({}, new AbortController().signal, (now) => tallies.push(now));
  clearInterval(timer);
  expect(tally).toMatchObject({ state: 'complete', looked: 100_000, total: 100_000, found: 20_000 });
  expect(pageOf({ Page: 200, PageSize: 100 }).items.at(-1)?.id).toBe(100_000);
  expect(fetch.mock.calls.length).toBeLessThan(560);
  expect(turns).toBeGreaterThan(400);
  // Never back, and never more than there are.
  expect(
    tallies.every(
      ({ looked, total }, place) => looked <= total && looked >= (tallies[place - 1]?.looked ?? 0),
    ),
  ).toBe(true);
}, 60_000);

test('no more rows are kept than memory should hold, and the result says so', async () => {
  const fetch = serve(30_000, { isTrial: true });
  const { tally } = await lookThrough({}, new AbortController().signal, () => undefined);
  expect(tally.state).toBe('full');
  expect(tally.found - keptAtMost).toBeLessThanOrEqual(200);
  expect(fetch.mock.calls.length).toBeLessThan(120);
}, 60_000);

test('giving it up asks for nothing more', async () => {
  const fetch = serve(10_000);
  const leaving = new AbortController();
  const walking = lookThrough({}, leaving.signal, ({ looked }) => looked > 1000 && leaving.abort());
  await expect(walking).rejects.toMatchObject({ name: 'AbortError' });
  expect(fetch.mock.calls.length).toBeLessThan(12);
});
