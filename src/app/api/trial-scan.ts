import {
  pageSizes,
  type ExtensionName,
  type ListQuery,
  type SortOrder,
  type SubscriberPage,
} from '../../contract/service/list-query.ts';
import { sortKey } from '../../contract/service/search-text.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import type { Api } from './api.ts';
import { isPassing } from './errors.ts';
import { scanById, splitFilter } from '../../contract/service/scan.ts';

/** The progress of a scan. In the end it is `complete`, `stopped` by the user, or `full` if it found too many. */
export interface ScanProgress {
  state: 'running' | 'complete' | 'stopped' | 'full';
  scanned: number;
  total: number;
  found: number;
  /** Whether this page has changed something since. */
  outdated: boolean;
  /** Ends the scan; what it has found so far stays. */
  stop: () => void;
}

/** The result of a scan, in pages and in each sort order of the service. */
export interface TrialScan {
  progress: ScanProgress;
  pageOf: (query: ListQuery) => SubscriberPage;
}

/** A scan stops at this many rows, so that memory stays small and sorting takes no noticeable time. */
export const keptAtMost = 20_000;

/**
 * Scans all subscribers of the filters that the service has, and keeps those that match the others too.
 *
 * @param signal cancels it, with an `AbortError`
 * @param onProgress called after each page
 */
export async function scanTrials(
  service: Api['service'],
  list: { filter: ListQuery; extensions: readonly ExtensionName[] },
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
  const { query, belongs } = splitFilter(list.filter, list.extensions, Date.now());
  const read = (Page: number, PageSize: number) => readPage(service, { ...query, Page, PageSize }, either);
  try {
    for await (const page of scanById(read)) {
      either.throwIfAborted();
      rows.add(page.rows.filter((row) => belongs?.(row) ?? true));
      const scanned = progress.scanned + page.rows.length;
      change({ scanned, total: Math.max(scanned, page.totalCount), found: rows.count() });
      if (rows.count() > keptAtMost) break;
      // Answers may follow each other without a pause; here the browser can handle clicks and keys.
      await new Promise((resolve) => setTimeout(resolve));
    }
    // The total may still count subscribers that were deleted during the scan.
    if (rows.count() > keptAtMost) change({ state: 'full' });
    else change({ state: 'complete', total: progress.scanned });
  } catch (error) {
    if (signal.aborted || !stopping.signal.aborted) throw error;
    change({ state: 'stopped' });
  }
  return { progress, pageOf: rows.pageOf };
}

/** Reads one page of the list, twice if the first error may pass. */
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

/** Collects rows and sorts them as the service does: by expiry, or by username ignoring case, with ties by id. */
export function createScannedRows() {
  const rows: ScannedRow[] = [];
  const sorted = new Map<Order, readonly ScannedRow[]>();
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

/** Sorting is stable, so equal rows stay in the order of their ids in both directions. */
function sort(rows: readonly ScannedRow[], order: Order): readonly ScannedRow[] {
  if (order === 'id') return rows;
  const field = order.startsWith('username') ? 'username' : 'expiresAt';
  const direction = order.endsWith('_desc') ? -1 : 1;
  return rows.toSorted((one, other) =>
    one[field] === other[field] ? 0 : one[field] < other[field] ? -direction : direction,
  );
}
