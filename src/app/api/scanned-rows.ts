import {
  pageSizes,
  type ListQuery,
  type SortOrder,
  type SubscriberPage,
} from '../../contract/service/list-query.ts';
import { orderKey } from '../../contract/service/search-text.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';

type Order = SortOrder | 'id';
interface Kept {
  subscriber: Subscriber;
  username: string;
  expiresAt: number;
}

/**
 * Rows that are found one after the other, and pages of them as the service makes them of its own: ordered by expiry to
 * the millisecond, by username without regard to case, ties by id.
 */
export function createWalkedRows() {
  const kept: Kept[] = [];
  const sorted = new Map<Order, readonly Kept[]>();
  return {
    /** By id; what they are sorted by is worked out now, because all of it at once would be felt. */
    add: (rows: readonly Subscriber[]): void => {
      sorted.clear();
      for (const subscriber of rows) {
        const { username, expiresAt } = subscriber;
        kept.push({ subscriber, username: orderKey(username), expiresAt: Date.parse(expiresAt) });
      }
    },
    count: () => kept.length,
    pageOf: ({ SortBy, Page: page = 1, PageSize: pageSize = pageSizes.usual }: ListQuery): SubscriberPage => {
      const order = SortBy ?? 'id';
      const ordered = sorted.get(order) ?? sort(kept, order);
      sorted.set(order, ordered);
      const start = (page - 1) * pageSize;
      return {
        items: ordered.slice(start, start + pageSize).map(({ subscriber }) => subscriber),
        page,
        pageSize,
        totalCount: kept.length,
        totalPages: Math.ceil(kept.length / pageSize),
      };
    },
  };
}

/** Sorting is stable, so that what is equal stays in the order of the ids, whichever the direction. */
function sort(kept: readonly Kept[], order: Order): readonly Kept[] {
  if (order === 'id') return kept;
  const field = order.startsWith('username') ? 'username' : 'expiresAt';
  const direction = order.endsWith('_desc') ? -1 : 1;
  return kept.toSorted((one, other) =>
    one[field] === other[field] ? 0 : one[field] < other[field] ? -direction : direction,
  );
}
