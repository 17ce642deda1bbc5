import {
  pageSizes,
  type ExtensionName,
  type ListQuery,
  type SubscriberPage,
} from '../../contract/service/list-query.ts';
import { scanById } from '../../contract/service/scan.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';

/** Reads one page of a list. */
type ReadPage = (query: ListQuery) => Promise<SubscriberPage>;

/** So many of the largest subscribers, with their lists, hold the event loop for 30 ms, and fit into an answer. */
const mostWithLists = 25;

/** Some rows of an export, and how many match in all, as far as is known. */
export interface Batch {
  rows: readonly SubscriberWithLists[];
  total: number;
}

/**
 * Reads all subscribers of a list, each once, while others are added, changed and deleted. Everybody who is on the list
 * throughout is among them.
 *
 * Without an order they come by id, which never changes. With one, its pages are read first. A subscriber who moves from
 * one page to another meanwhile may come twice there, and then counts once, or not at all, and then comes at the end: a
 * scan by id finds whoever is missing.
 */
export async function* readRows(
  read: ReadPage,
  { SortBy, ...filter }: ListQuery,
  extensions: readonly ExtensionName[],
): AsyncGenerator<Batch, void> {
  const pageSize = filter.include ? mostWithLists : pageSizes.most;
  const isNew = SortBy === undefined ? () => true : createOnce();
  if (SortBy !== undefined)
    for await (const { items, totalCount } of pagesInOrder(read, { ...filter, SortBy, PageSize: pageSize }))
      yield { rows: items.filter(({ id }) => isNew(id)), total: totalCount };
  const scan = extensions.includes('AfterId')
    ? scanAfter(read, { ...filter, PageSize: pageSize })
    : scanById((Page, PageSize) => read({ ...filter, Page, PageSize }));
  for await (const { rows, totalCount } of scan)
    yield { rows: rows.filter(({ id }) => isNew(id)), total: totalCount };
}

/** A scan whose every page costs the same, however many were before it. The next one is read while one is written. */
async function* scanAfter(read: ReadPage, query: ListQuery) {
  const { totalCount } = await read({ ...query, PageSize: pageSizes.least });
  const load = (AfterId: number) => {
    const page = read({ ...query, AfterId });
    // If nobody takes it any more, its failure does not matter.
    page.catch(() => undefined);
    return page;
  };
  for (let next = load(0); ;) {
    const { items, pageSize } = await next;
    const last = items.at(-1);
    const isLast = last === undefined || items.length < pageSize;
    if (!isLast) next = load(last.id);
    yield { rows: items, totalCount };
    if (isLast) return;
  }
}

/** The next page is read while one is written. */
async function* pagesInOrder(read: ReadPage, query: ListQuery): AsyncGenerator<SubscriberPage, void> {
  const load = (Page: number) => {
    const page = read({ ...query, Page });
    // If nobody takes it any more, its failure does not matter.
    page.catch(() => undefined);
    return page;
  };
  let next = load(1);
  for (let number = 1; ; number += 1) {
    const page = await next;
    const isLast = number >= page.totalPages || page.items.length === 0;
    if (!isLast) next = load(number + 1);
    yield page;
    if (isLast) return;
  }
}

/** Says of each id whether it comes for the first time. It takes one bit for an id where ids are dense. */
function createOnce(): (id: number) => boolean {
  const bits = new Map<number, number>();
  return (id) => {
    const group = Math.floor(id / 32);
    const bit = 1 << (id % 32);
    const known = bits.get(group) ?? 0;
    bits.set(group, known | bit);
    return (known & bit) === 0;
  };
}
