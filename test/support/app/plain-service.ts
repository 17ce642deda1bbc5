import type { Upstream } from '../../../src/bff/http/bff.ts';
import type { Subscriber } from '../../../src/contract/service/subscriber.ts';
import { tokenAnswer } from '../bff/canned.ts';
import { asUpstream, upstreamBase } from '../bff/upstream.ts';
import { testTime } from '../setup/fixed-time.ts';

const day = 24 * 60 * 60_000;

/** Subscriber number so many: every fifth is a trial, every third is expired. */
export const numbered = (id: number): Subscriber => ({
  id,
  accessToken: `token-of-${id}`,
  username: `p${String(id).padStart(6, '0')}`,
  email: `p${id}@example.com`,
  expiresAt: new Date(testTime + (id % 3 === 0 ? -id : 1_000_000 - id) * (day / 1000)).toISOString(),
  maxConnections: 1,
  isTrial: id % 5 === 0,
  note: '',
  status: 1,
  hls: true,
  mpegTs: true,
});

/**
 * A service that has no filter for trials and answers at once, however many subscribers it has.
 *
 * @param before called with the address of each request; what it throws or waits for, so does the service
 */
export const plainUpstream = (
  rows: readonly Subscriber[],
  before: (url: string) => unknown = () => undefined,
): Upstream => ({
  ...asUpstream(async ({ url }) => {
    await before(url);
    return answer(url, rows);
  }),
  extensions: [],
});

function answer(url: string, rows: readonly Subscriber[]): Response {
  const [path, query] = url.slice(upstreamBase.length).split('?');
  if (path === '/oauth/token') return tokenAnswer(1);
  if (path === '/subscriber-statuses') return Response.json([{ id: 1, name: 'Active' }]);
  if (path !== '/subscribers') return Response.json({}, { status: 404 });
  const searchParams = new URLSearchParams(query);
  const isExpired = (row: Subscriber) => Date.parse(row.expiresAt) <= testTime;
  const found = searchParams.get('Expired') === 'true' ? rows.filter(isExpired) : [...rows];
  if (searchParams.get('SortBy') === 'expiresAt')
    found.sort((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt));
  const page = Number(searchParams.get('Page') ?? 1);
  const pageSize = Number(searchParams.get('PageSize') ?? 25);
  const totalCount = found.length;
  const items = found.slice((page - 1) * pageSize, page * pageSize);
  return Response.json({ items, page, pageSize, totalCount, totalPages: Math.ceil(totalCount / pageSize) });
}
