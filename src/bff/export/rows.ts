import { pageSizes, type ExtensionName } from '../../contract/service/list-rules.ts';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';
import { scanById } from '../../contract/service/scan.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';

/** Reads one page of a list. */
type ReadPage = (query: ListQuery) => Promise<SubscriberPage>;

/** So many of the largest subscribers, with their lists, hold the event loop for 30 ms, and fit into an answer. */
const mostWithLists = 12;

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

/** A scan whose every page costs the same, however many were before it. */
async function* scanAfter(read: ReadPage, query: ListQuery) {
  const { totalCount } = await read({ ...query, PageSize: pageSizes.least });
  let seen = 0;
  // A service may give fewer than it is asked for, and others may be added for ever.
  const idAfter = ({ items, pageSize }: SubscriberPage) =>
    (seen += items.length) >= totalCount && items.length < pageSize ? undefined : items.at(-1)?.id;
  for await (const { items } of readAhead((AfterId) => read({ ...query, AfterId }), 0, idAfter))
    yield { rows: items, totalCount };
}

const pagesInOrder = (read: ReadPage, query: ListQuery) =>
  readAhead(
    (Page) => read({ ...query, Page }),
    1,
    ({ totalPages, items }, page) => (page < totalPages && items.length > 0 ? page + 1 : undefined),
  );

/** Reads pages, each while the one before is written. @param placeAfter undefined after the last one */
async function* readAhead(
  load: (place: number) => Promise<SubscriberPage>,
  first: number,
  placeAfter: (page: SubscriberPage, place: number) => number | undefined,
): AsyncGenerator<SubscriberPage, void> {
  let place: number | undefined = first;
  for (let next = load(first); place !== undefined;) {
    const page = await next;
    place = placeAfter(page, place);
    if (place !== undefined) next = load(place);
    // If nobody takes it any more, its failure does not matter.
    next.catch(() => undefined);
    yield page;
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
