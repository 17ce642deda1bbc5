import { ApiError } from '../../contract/http/client.ts';
import { pageSizes } from '../../contract/service/list-query.ts';
import { nextWindow, type Window } from './scan-window.ts';

export interface WalkedPage<Row> {
  items: readonly Row[];
  totalCount: number;
}
type ReadPage<Row> = (page: number, pageSize: number) => Promise<WalkedPage<Row>>;

/** How many pages are under way at once: the next ones are asked for while one is looked at. */
const atOnce = 3;

/**
 * Gives out every row of a list that is ordered by id, page by page and each once, while rows are added and deleted:
 * whichever is there throughout is among them.
 *
 * Pages are counted from the list's beginning, so rows deleted meanwhile move the others forward, past the place where
 * the next page begins. Neither their number nor the total tells for sure. But each page holds all that lies between
 * its first id and its last. So each page begins a little before the one before it ended: as long as its first id is
 * one that was seen, nothing lies between the two. Where it is not, the walk goes back until it is.
 *
 * @throws {ApiError} where the service does not list by id, or the list changes faster than it can be read
 */
export async function* walkById<Row extends { id: number }>(
  read: ReadPage<Row>,
): AsyncGenerator<{ rows: readonly Row[]; totalCount: number }> {
  const ahead = createReadAhead(read);
  let most: number = pageSizes.most;
  let window = nextWindow(0, most);
  let lastId = Number.NEGATIVE_INFINITY;
  let back = 0;
  for (let reads = 1; ; reads += 1) {
    const { items, totalCount } = await ahead.take(window, most);
    refuseOtherOrder(items);
    if (reads > patience(totalCount, most)) throw changesTooFast();
    const end = window.start + items.length;
    const connects = window.start === 0 || (items[0]?.id ?? Number.POSITIVE_INFINITY) <= lastId;
    if (!connects) {
      // Twice as far each time, so that a list of which much was deleted is not gone back through row by row.
      back = Math.max(16, back * 2);
      window = nextWindow(window.start - back, most);
      continue;
    }
    back = 0;
    const rows = items.filter(({ id }) => id > lastId);
    lastId = rows.at(-1)?.id ?? lastId;
    if (rows.length > 0) yield { rows, totalCount };
    if (items.length < window.size && end >= totalCount) return;
    // Some services give out no pages as large as the contract's.
    if (items.length < window.size) most = Math.max(smallestPage, items.length);
    window = nextWindow(end, most);
  }
}

/** Smaller ones come of rows that go at this moment, not of a service's limit. */
const smallestPage = 10;

/** How many reads may be taken for a list of this length: each row three times over. */
const patience = (rows: number, pageSize: number) => 50 + 3 * Math.ceil(rows / (pageSize / 2));

/** Reads the pages that follow as well, as long as they turn out to be the ones that are wanted. */
function createReadAhead<Row>(read: ReadPage<Row>) {
  let underWay: { window: Window; page: Promise<WalkedPage<Row>> }[] = [];
  let total = 0;
  return {
    async take(window: Window, most: number): Promise<WalkedPage<Row>> {
      const first = underWay[0]?.window;
      if (first?.page !== window.page || first.size !== window.size) underWay = [];
      for (let next = window; underWay.length < atOnce;) {
        const latest = underWay.at(-1)?.window;
        if (latest) next = nextWindow(latest.start + latest.size, most);
        if (latest && next.start >= total) break;
        const page = read(next.page, next.size);
        // What is dropped unread may fail unseen; what is taken throws below.
        page.catch(() => undefined);
        underWay.push({ window: next, page });
      }
      const page = await underWay.shift()?.page;
      if (!page) throw changesTooFast();
      total = page.totalCount;
      return page;
    },
  };
}

function refuseOtherOrder(rows: readonly { id: number }[]): void {
  if (rows.some(({ id }, place) => id <= (rows[place - 1]?.id ?? Number.NEGATIVE_INFINITY)))
    throw new ApiError(
      'unreadable',
      'The service lists subscribers in an order of its own, in which it cannot be made sure that none is missed.',
    );
}

const changesTooFast = () =>
  new ApiError('busy', 'The list changes faster than it can be looked through. Try again later.');
