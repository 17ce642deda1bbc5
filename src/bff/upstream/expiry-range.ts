import { toPage } from '../../contract/http/shapes.ts';
import { invalidField } from '../../contract/http/problem.ts';
import { api, type OperationInput } from '../../contract/service/api.ts';
import { resolveTime } from '../../contract/service/times.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';
import type { BffDeps } from '../deps.ts';
import type { UpstreamOperation } from '../../contract/bff/permission.ts';
import type { CallContext, Caller, ReplyTo } from './call.ts';
import { rethrow, upstreamLimits, withDeadline, within } from './exchange.ts';

type ListInput = OperationInput<'listSubscribers'>;

/** The limits of a range that has none: outside are those whose expiry can't be read. */
const [earliest, latest] = [new Date(-8.64e15).toISOString(), new Date(8.64e15).toISOString()];

/** Time that the limits of ranges are kept, in ms, and most of them. */
const lifetime = 60_000;
const mostPositions = 500;

/** Time that they are kept also while one change follows the other, as in a job, in ms. */
const leastLifetime = 1_000;

/** Where an expiry is in the list that is sorted by it. */
interface Position {
  /** Number of subscribers that expire before. */
  before: number;
  /** Number of all subscribers when it was found. */
  total: number;
}

/** Positions that were found with the same clock time, which relative moments are relative to. */
interface Generation {
  now: number;
  positions: Map<string, Promise<Position>>;
  /** Something was changed since. */
  isOutdated: boolean;
}

/**
 * Lists those who expire in a range, for a service that cannot filter by it but sorts by expiry. Its two limits are
 * found by bisecting, with about log2 of the number of subscribers reads of one row each. They are shared and kept for a
 * minute, unless something is changed here or the number of subscribers differs.
 *
 * Such a list is always in the order of the expiry, also without `SortBy`.
 */
export function findExpiryRanges(
  caller: Caller,
  { clock, limits: { total: mostTime } = upstreamLimits }: Pick<BffDeps, 'clock' | 'limits'>,
): Caller {
  const fresh = (): Generation => ({ now: clock(), positions: new Map(), isOutdated: false });
  let generation = fresh();
  let renewedAt = Number.NEGATIVE_INFINITY;
  const renew = (): Generation => {
    renewedAt = clock();
    return (generation = fresh());
  };
  const current = (): Generation => {
    const { now, positions, isOutdated } = generation;
    const isOver = clock() - now >= lifetime || (isOutdated && clock() - renewedAt >= leastLifetime);
    return isOver || positions.size >= mostPositions ? renew() : generation;
  };

  const list = async (query: ListQuery, context: CallContext): Promise<SubscriberPage> => {
    const { ExpiresFrom = earliest, ExpiresTo = latest, SortBy = 'expiresAt', ...rest } = query;
    const { Page: page = 1, PageSize: pageSize = pageSizes.usual, ...filter } = rest;
    if (SortBy !== 'expiresAt' && SortBy !== 'expiresAt_desc')
      throw invalidField(
        'SortBy',
        'The subscriber service filters by expiry only in the order of the expiry.',
      );
    const read = createRead(caller, context);
    // Others may wait for the same position, so it is found even if this client goes, and has a deadline of its own.
    const search: Search = (work) =>
      withDeadline(mostTime, (signal) => work(createRead(caller, { ...context, signal })));
    const limits = (of: Generation) => {
      const found = Promise.all([
        positionOf(of, filter, ExpiresFrom, search),
        positionOf(of, filter, ExpiresTo, search),
      ]);
      return context.signal ? within(context.signal, found, rethrow) : found;
    };
    for (let attempt = 1; ; attempt += 1) {
      const used = current();
      const [from, to] = await limits(used);
      const { before: end, total } = to;
      const first = from.before;
      const count = Math.max(0, end - first);
      const start = (SortBy === 'expiresAt' ? first : total - end) + (page - 1) * pageSize;
      const needed = Math.max(0, Math.min(pageSize, count - (page - 1) * pageSize));
      const rows = await readWindow((one) => read({ ...filter, SortBy, ...one }), start, needed, pageSize);
      const hasMoved = from.total !== total || (rows.total ?? total) !== total;
      if (hasMoved && attempt < 3) {
        if (generation === used) generation = fresh();
        continue;
      }
      const [least, most] = [resolveTime(ExpiresFrom, used.now), resolveTime(ExpiresTo, used.now)];
      const items = rows.items.filter(({ expiresAt }) => {
        const expiry = Date.parse(expiresAt);
        return expiry >= least && expiry < most;
      });
      return toPage(items, { page, pageSize, totalCount: count });
    }
  };

  return {
    ...caller,
    async call<N extends UpstreamOperation>(operation: N, input: OperationInput<N>, context: CallContext) {
      const query = operation === 'listSubscribers' ? (input as ListInput).query : {};
      if (query.ExpiresFrom !== undefined || query.ExpiresTo !== undefined)
        return { data: await list(query, context), etag: null } as ReplyTo<N>;
      const reply = await caller.call(operation, input, context);
      if (!isRead(operation)) {
        generation.isOutdated = true;
        // The first change at once, so that the person who made it sees it.
        if (clock() - renewedAt >= leastLifetime) renew();
      }
      return reply;
    },
  };
}

const isRead = (operation: keyof typeof api) => api[operation].method === 'GET';

type Read = (query: ListQuery) => Promise<SubscriberPage>;

/** Runs a search with reads that end with its deadline. */
type Search = (work: (read: Read) => Promise<Position>) => Promise<Position>;

const createRead =
  (caller: Caller, context: CallContext): Read =>
  async (query) =>
    (await caller.call('listSubscribers', { query }, context)).data;

/** Where a time falls among the subscribers of a filter. It is searched for once. */
function positionOf(
  { now, positions }: Generation,
  filter: ListQuery,
  time: string,
  search: Search,
): Promise<Position> {
  const key = JSON.stringify([filter, time]);
  const known = positions.get(key);
  if (known) return known;
  const found = search((read) =>
    bisect(resolveTime(time, now), (Page) => read({ ...filter, SortBy: 'expiresAt', Page, PageSize: 1 })),
  );
  positions.set(key, found);
  found.catch(() => positions.delete(key));
  return found;
}

const expiryOf = ({ items }: SubscriberPage) => (items[0] ? Date.parse(items[0].expiresAt) : Infinity);

/** @param readRow reads a page of one row, by its number from 1 */
async function bisect(
  instant: number,
  readRow: (page: number) => Promise<SubscriberPage>,
): Promise<Position> {
  const first = await readRow(1);
  // Those whose expiry can't be read are all at one end of the list.
  const unreadable = Number.isNaN(expiryOf(first)) ? -Infinity : Infinity;
  const expiresBefore = (page: SubscriberPage) => {
    const expiry = expiryOf(page);
    return (Number.isNaN(expiry) ? unreadable : expiry) < instant;
  };
  const total = first.totalCount;
  if (!expiresBefore(first)) return { before: 0, total };
  if (expiresBefore(await readRow(total))) return { before: total, total };
  let [low, high] = [1, total - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (expiresBefore(await readRow(middle + 1))) low = middle + 1;
    else high = middle;
  }
  return { before: low, total };
}

/** Reads some rows of a list by pages of one size, of which at most two hold them. */
async function readWindow(
  read: Read,
  start: number,
  needed: number,
  size: number,
): Promise<{ items: SubscriberPage['items']; total: number | undefined }> {
  if (needed === 0) return { items: [], total: undefined };
  const skipped = start % size;
  const page = Math.floor(start / size) + 1;
  const pages = skipped + needed > size ? [page, page + 1] : [page];
  const found = await Promise.all(pages.map((Page) => read({ Page, PageSize: size })));
  return {
    items: found.flatMap(({ items }) => items).slice(skipped, skipped + needed),
    total: found.at(-1)?.totalCount,
  };
}
