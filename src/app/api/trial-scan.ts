import type { ListQuery } from '../../contract/service/list-query.ts';
import { firstService as service } from './read-client.ts';
import { isPassing } from './query-client.ts';
import type { TrialWalk, WalkTally } from './scan-progress.ts';
import { walkById } from './scan.ts';
import { createWalkedRows } from './scanned-rows.ts';

/** So many rows are kept at most: memory stays flat, and sorting them takes no time that a person feels. */
export const keptAtMost = 20_000;

/**
 * Looks through all subscribers of a filter and keeps the trials.
 *
 * @param signal gives it up, with an `AbortError`
 * @param tell is told how far it is after each page
 */
export async function lookThrough(
  filter: ListQuery,
  signal: AbortSignal,
  tell: (tally: WalkTally) => void,
): Promise<TrialWalk> {
  const stopping = new AbortController();
  const rows = createWalkedRows();
  const stop = () => stopping.abort();
  let tally: WalkTally = { state: 'under way', looked: 0, total: 0, found: 0, outdated: false, stop };
  const change = (next: Partial<WalkTally>) => tell((tally = { ...tally, ...next }));
  change({});
  const either = AbortSignal.any([signal, stopping.signal]);
  const read = (Page: number, PageSize: number) => readPage({ ...filter, Page, PageSize }, either);
  try {
    for await (const page of walkById(read)) {
      either.throwIfAborted();
      rows.add(page.rows.filter(({ isTrial }) => isTrial));
      const looked = tally.looked + page.rows.length;
      change({ looked, total: Math.max(looked, page.totalCount), found: rows.count() });
      if (rows.count() > keptAtMost) break;
      // A page may come without the browser having had a turn: here it answers clicks and keys.
      await new Promise((resolve) => setTimeout(resolve));
    }
    // What went meanwhile was not looked at, and is not there either.
    if (rows.count() > keptAtMost) change({ state: 'full' });
    else change({ state: 'complete', total: tally.looked });
  } catch (error) {
    if (signal.aborted || !stopping.signal.aborted) throw error;
    change({ state: 'stopped' });
  }
  return { tally, pageOf: rows.pageOf };
}

/** One page of the list, asked for once more where what went wrong may pass. */
async function readPage(query: ListQuery, signal: AbortSignal) {
  const read = async () => (await service.listSubscribers({ query }, { signal })).data;
  return read().catch((error: unknown) => {
    if (signal.aborted || !isPassing(error)) throw error;
    return read();
  });
}
