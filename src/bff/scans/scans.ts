import { scanLimits, type Scan, type ScanFilter } from '../../contract/bff/scan.ts';
import { ApiError } from '../../contract/http/client.ts';
import { Problem } from '../../contract/http/problem.ts';
import { toPage } from '../../contract/http/shapes.ts';
import { needsScan, pageSizes, type SortOrder } from '../../contract/service/list-rules.ts';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';
import { scanById, splitFilter, type SplitFilter } from '../../contract/service/scan.ts';
import { sortKey } from '../../contract/service/search-text.ts';
import type { Subscriber, SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';
import type { BffDeps } from '../deps.ts';
import type { RequestContext } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import type { Caller } from '../upstream/call.ts';

/** Scans that run at once and that are kept; life of an unwanted one and most wait for an end, in ms. */
const limits = { atOnce: 2, stored: 10, unrequested: 15_000, wait: 300 } as const;

export interface ScanParts extends Pick<BffDeps, 'db' | 'clock' | 'upstream'> {
  caller: Caller;
  wait: (ms: number) => Promise<void>;
}

interface KnownScan extends Pick<Scan, 'state' | 'scanned' | 'total'> {
  key: string;
  /** The account that began it. */
  by: string;
  rows: ReturnType<typeof createScannedRows>;
  startedAt: number;
  /** Null while it runs. */
  endedAt: number | null;
  /** When each account asked for it last. */
  requestedAt: Map<string, number>;
  isStopping: boolean;
  /** Why it failed. */
  failure: unknown;
  ended: Promise<unknown>;
}

/**
 * Lists that the service cannot filter: all subscribers are read, once for everybody who asks, and what matches is kept for
 * some minutes. A scan ends when nobody asks for it any more.
 */
export function createScans({ db, clock, upstream, caller, wait }: ScanParts) {
  const scans = new Map<string, KnownScan>();
  const { extensions } = upstream;

  /** Stops the oldest scan if all that may run at once are by one other account. @throws {Problem} `busy` */
  function evictOldest(by: string): void {
    const running = [...scans.values()].filter(({ state }) => state === 'running');
    const [oldest] = running;
    if (running.length < limits.atOnce || !oldest) return;
    if (oldest.by === by || running.some((scan) => scan.by !== oldest.by))
      throw new Problem('busy', 'Other lists are being checked right now. Try again in a minute.', {
        headers: { 'Retry-After': '10' },
      });
    stop(oldest);
  }

  const isRequested = ({ requestedAt }: KnownScan) =>
    [...requestedAt.values()].some((at) => clock() - at < limits.unrequested);

  function stop(scan: KnownScan): void {
    scan.isStopping = true;
    scan.endedAt = clock();
    // The page that is read now may take long.
    scan.state = 'stopped';
  }

  function start(key: string, filter: ScanFilter, requestId: string, by: string): KnownScan {
    evictOldest(by);
    const startedAt = clock();
    const split = splitFilter(filter, extensions, startedAt);
    const scan: KnownScan = {
      key,
      by,
      state: 'running',
      scanned: 0,
      total: 0,
      rows: createScannedRows(),
      startedAt,
      endedAt: null,
      requestedAt: new Map([[by, startedAt]]),
      isStopping: false,
      failure: null,
      ended: Promise.resolve(),
    };
    scan.ended = run(scan, split, requestId)
      .catch((error: unknown) => {
        scan.state = 'stopped';
        scan.failure = error instanceof ApiError ? new Problem('bad-upstream', error.message) : error;
      })
      .finally(() => (scan.endedAt ??= clock()));
    // The oldest first.
    scans.delete(key);
    scans.set(key, scan);
    for (const [old, { state }] of scans)
      if (scans.size > limits.stored && state !== 'running') scans.delete(old);
    return scan;
  }

  async function run(scan: KnownScan, { query, belongs }: SplitFilter, requestId: string): Promise<void> {
    // It goes on for everybody, also when this client has gone. Reading needs no more than a viewer may.
    const call = { role: 'viewer', requestId, fresh: true } as const;
    const read = async (Page: number, PageSize: number) =>
      (await caller.call('listSubscribers', { query: { ...query, Page, PageSize } }, call)).data;
    for await (const { rows, totalCount } of scanById<SubscriberWithLists>(read)) {
      if (scan.isStopping) return;
      const matching = rows.filter((row) => belongs?.(row) ?? true);
      // The lists that only the filter needs.
      for (const row of matching) for (const name of query.include ?? []) delete row[name];
      scan.rows.add(matching);
      scan.scanned += rows.length;
      scan.total = Math.max(scan.scanned, totalCount);
      if (!isRequested(scan)) {
        scan.state = 'stopped';
        return;
      }
      if (scan.rows.count() > scanLimits.rows) {
        scan.state = 'full';
        return;
      }
      // Answers may follow each other without a pause; here the server answers others.
      await new Promise((resolve) => setTimeout(resolve));
    }
    // The total may still count subscribers that were deleted during the scan.
    scan.total = scan.scanned;
    scan.state = 'complete';
  }

  /** From its end, and at least as long as it took: else nobody would ever see one that takes longer than it is kept. */
  function isKept({ startedAt, endedAt }: KnownScan): boolean {
    const end = endedAt ?? clock();
    return clock() - end < Math.max(scanLimits.lifetime, end - startedAt);
  }

  /** The scan of a filter; a new one if there is none, it is old, or nobody waited for its end. */
  function find(filter: ScanFilter, requestId: string, user: CurrentUser, isNew = false): KnownScan {
    const key = keyOf(filter);
    const known = scans.get(key);
    if (known && !isNew) throwFailure(known);
    const isUsable =
      known &&
      (known.state === 'running' ||
        (!isNew && (known.state !== 'stopped' || known.isStopping) && isKept(known)));
    if (!isUsable) return start(key, filter, requestId, staffIdOf(user));
    known.requestedAt.set(staffIdOf(user), clock());
    return known;
  }

  /** The next who asks begins a new one. */
  function throwFailure({ key, failure }: KnownScan): void {
    if (failure === null) return;
    scans.delete(key);
    throw failure;
  }

  async function show(scan: KnownScan): Promise<Scan> {
    if (scan.state === 'running') await Promise.race([scan.ended, wait(limits.wait)]);
    throwFailure(scan);
    const { state, scanned, total, startedAt, rows } = scan;
    const changes = db.selectFrom('journal').select('id').where('kind', '=', 'change');
    const later = changes.where('at', '>=', startedAt).where('outcome', '=', 'done').limit(1);
    const isOutdated = (await later.executeTakeFirst()) !== undefined;
    return { state, scanned, total, found: rows.count(), at: new Date(startedAt).toISOString(), isOutdated };
  }

  return {
    routes: {
      getScan: async ({ query }, { requestId }, user) => await show(find(query, requestId, user)),
      startScan: async ({ query }, { requestId }, user) => await show(find(query, requestId, user, true)),
      async stopScan({ query }, _, user) {
        const scan = scans.get(keyOf(query));
        if (scan?.state !== 'running') return;
        scan.requestedAt.delete(staffIdOf(user));
        if (isRequested(scan)) throw othersWait();
        stop(scan);
      },
    } satisfies Partial<BffHandlers>,
    /**
     * A page of a list that the service cannot filter; null for other lists.
     *
     * @throws {Problem} `busy` until its scan has ended
     */
    list(
      query: ListQuery,
      { requestId }: Pick<RequestContext, 'requestId'>,
      user: CurrentUser,
    ): SubscriberPage | null {
      if (!needsScan(query, extensions)) return null;
      const { Page: _page, PageSize: _size, SortBy: _order, ...filter } = query;
      const scan = find(filter, requestId, user);
      if (scan.state !== 'running') return scan.rows.pageOf(query);
      throw new Problem('busy', 'Every subscriber is being checked for this list. Try again in a moment.', {
        headers: { 'Retry-After': '1' },
      });
    },
  };
}

const othersWait = () =>
  new Problem(
    'not-allowed',
    'Somebody else waits for this check too, so it goes on. If you don’t need it, leave this list.',
  );

/** Whatever the order in which the filters were named. */
const keyOf = (filter: ScanFilter) =>
  Object.entries(filter)
    .flatMap(([name, value]) => (value === undefined ? [] : [JSON.stringify([name, value])]))
    .toSorted()
    .join();

interface ScannedRow {
  subscriber: Subscriber;
  username: string;
  expiresAt: number;
}

/** Collects rows and sorts them as the service does: by expiry, or by username ignoring case, with ties by id. */
export function createScannedRows() {
  const rows: ScannedRow[] = [];
  const sorted = new Map<SortOrder | undefined, readonly ScannedRow[]>();
  return {
    /** Adds rows in the order of their ids. Computes their sort keys now, because all at once would be slow. */
    add: (subscribers: readonly Subscriber[]): void => {
      sorted.clear();
      for (const subscriber of subscribers) {
        const { username, expiresAt } = subscriber;
        rows.push({ subscriber, username: sortKey(username), expiresAt: Date.parse(expiresAt) });
      }
    },
    count: () => rows.length,
    pageOf: ({ SortBy, Page: page = 1, PageSize: pageSize = pageSizes.usual }: ListQuery): SubscriberPage => {
      const ordered = sorted.get(SortBy) ?? sort(rows, SortBy);
      sorted.set(SortBy, ordered);
      const start = (page - 1) * pageSize;
      const items = ordered.slice(start, start + pageSize).map(({ subscriber }) => subscriber);
      return toPage(items, { page, pageSize, totalCount: rows.length });
    },
  };
}

/** Sorting is stable, so equal rows stay in the order of their ids in both directions. */
function sort(rows: readonly ScannedRow[], order: SortOrder | undefined): readonly ScannedRow[] {
  if (order === undefined) return rows;
  const field = order.startsWith('username') ? 'username' : 'expiresAt';
  const direction = order.endsWith('_desc') ? -1 : 1;
  return rows.toSorted((one, other) =>
    one[field] === other[field] ? 0 : one[field] < other[field] ? -direction : direction,
  );
}
