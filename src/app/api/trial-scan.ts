import {
  pageSizes,
  type ListQuery,
  type SortOrder,
  type SubscriberPage,
} from '../../contract/service/list-query.ts';
import { sortKey } from '../../contract/service/search-text.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import type { Api } from './api.ts';
import { isPassing } from './error-kinds.ts';
import { scanById } from './scan.ts';

/** How far a scan has come, and how it ended: `stopped` by the user, `full` if there were too many to keep. */
export interface ScanProgress {
  state: 'running' | 'complete' | 'stopped' | 'full';
  scanned: number;
  total: number;
  found: number;
  /** Whether this page has changed something since. */
  outdated: boolean;
  /** Ends the scan with what it has found so far. */
  stop: () => void;
}

/** The result of a scan, page by page in each sort order of the service. */
export interface TrialScan {
  progress: ScanProgress;
  pageOf: (query: ListQuery) => SubscriberPage;
}

/** No more rows than this are kept, so that memory stays flat and sorting takes no noticeable time. */
export const keptAtMost = 20_000;

/**
 * Scans all subscribers of a filter and keeps the trials.
 *
 * @param signal cancels it, with an `AbortError`
 * @param onProgress called after each page
 */
export async function scanTrials(
  service: Api['service'],
  filter: ListQuery,
  signal: AbortSignal,
  onProgress: (progress: ScanProgress) => void,
): Promise<TrialScan> {
  const stopping = new AbortController();
  const rows = createScannedRows();
  const stop = () => stopping.abort();
  let progress: ScanProgress = { state: 'running', scanned: 0, total: 0, found: 0, outdated: false, stop };
  const change = (next: Partial<ScanProgress>) => onProgress((progress = { ...progress, ...next }));
  change({});
  const either = AbortSignal.any([signal, stopping.signal]);
  const read = (Page: number, PageSize: number) => readPage(service, { ...filter, Page, PageSize }, either);
  try {
    for await (const page of scanById(read)) {
      either.throwIfAborted();
      rows.add(page.rows.filter(({ isTrial }) => isTrial));
      const scanned = progress.scanned + page.rows.length;
      change({ scanned, total: Math.max(scanned, page.totalCount), found: rows.count() });
      if (rows.count() > keptAtMost) break;
      // Answers may come without a pause; here the browser can handle clicks and keys.
      await new Promise((resolve) => setTimeout(resolve));
    }
    // Subscribers deleted meanwhile were not scanned, and do not exist either.
    if (rows.count() > keptAtMost) change({ state: 'full' });
    else change({ state: 'complete', total: progress.scanned });
  } catch (error) {
    if (signal.aborted || !stopping.signal.aborted) throw error;
    change({ state: 'stopped' });
  }
  return { progress, pageOf: rows.pageOf };
}

/** One page of the list, requested once more after an error that may pass. */
async function readPage(service: Api['service'], query: ListQuery, signal: AbortSignal) {
  const read = async () => (await service.listSubscribers({ query }, { signal })).data;
  return read().catch((error: unknown) => {
    if (signal.aborted || !isPassing(error)) throw error;
    return read();
  });
}

type Order = SortOrder | 'id';
interface ScannedRow {
  subscriber: Subscriber;
  username: string;
  expiresAt: number;
}

/**
 * Collects rows and gives out pages of them as the service does: sorted by expiry to the millisecond, or by username
 * without regard to case, with ties by id.
 */
export function createScannedRows() {
  const rows: ScannedRow[] = [];
  const sorted = new Map<Order, readonly ScannedRow[]>();
  return {
    /** Adds rows in the order of their ids. Computes their sort keys now: all at once would be noticeable. */
    add: (subscribers: readonly Subscriber[]): void => {
      sorted.clear();
      for (const subscriber of subscribers) {
        const { username, expiresAt } = subscriber;
        rows.push({ subscriber, username: sortKey(username), expiresAt: Date.parse(expiresAt) });
      }
    },
    count: () => rows.length,
    pageOf: ({ SortBy, Page: page = 1, PageSize: pageSize = pageSizes.usual }: ListQuery): SubscriberPage => {
      const order = SortBy ?? 'id';
      const ordered = sorted.get(order) ?? sort(rows, order);
      sorted.set(order, ordered);
      const start = (page - 1) * pageSize;
      return {
        items: ordered.slice(start, start + pageSize).map(({ subscriber }) => subscriber),
        page,
        pageSize,
        totalCount: rows.length,
        totalPages: Math.ceil(rows.length / pageSize),
      };
    },
  };
}

/** Sorting is stable, so that equal rows stay in the order of their ids in both directions. */
function sort(rows: readonly ScannedRow[], order: Order): readonly ScannedRow[] {
  if (order === 'id') return rows;
  const field = order.startsWith('username') ? 'username' : 'expiresAt';
  const direction = order.endsWith('_desc') ? -1 : 1;
  return rows.toSorted((one, other) =>
    one[field] === other[field] ? 0 : one[field] < other[field] ? -direction : direction,
  );
}
