import type { Kysely } from 'kysely';
import { pageSizes, type ListQuery, type SubscriberPage } from '../../contract/service/list-query.ts';
import { findByCount } from './list-by-count.ts';
import { findByText } from './list-by-text.ts';
import { hasTallies } from '../engine.ts';
import type { ServiceTables } from '../schema.ts';
import type { Found, Search } from './list-walk.ts';
import { isIndexed, type Wanted } from './search-index.ts';
import { findByRow } from './list-by-row.ts';
import { inSnapshot } from '../snapshot.ts';
import { keepTallies } from './tally-upkeep.ts';

/**
 * One page of the subscribers that pass every filter, and how many they are, both of the same moment.
 *
 * @param now ms since 1970; a subscriber is expired from that very millisecond
 */
export async function listSubscribers(
  db: Kysely<ServiceTables>,
  query: ListQuery,
  now: number,
): Promise<SubscriberPage> {
  const page = query.Page ?? 1;
  const pageSize = query.PageSize ?? pageSizes.usual;
  // The furthest that the contract lets one ask for, about 2^61, still fits the engines' 64 bits.
  const search = { query, now, offset: (page - 1) * pageSize, limit: pageSize };
  const { items, totalCount, wear } = await inSnapshot(db, (snapshot) => find(snapshot, search));
  // No reason to refuse anybody what was found: whoever asks next tries again.
  if (wear && !db.isTransaction) await keepTallies(db, wear, now).catch(() => undefined);
  return { items, page, pageSize, totalCount, totalPages: Math.ceil(totalCount / pageSize) };
}

/** By the way that costs least for what is asked. All of them find the same. */
function find(db: Kysely<ServiceTables>, search: Search): Promise<Found> {
  const { Username, Email, AccessToken } = search.query;
  const wanted: Wanted[] = [
    ...(Username === undefined ? [] : [{ column: 'username_search', text: Username } as const]),
    ...(Email === undefined ? [] : [{ column: 'email_search', text: Email } as const]),
  ];
  const [first, ...others] = wanted.filter(isIndexed);
  if (AccessToken !== undefined) return findByRow(db, search, wanted);
  if (first) return findByText(db, search, wanted, [first, ...others]);
  return wanted.length > 0 || !hasTallies(db) ? findByRow(db, search, wanted) : findByCount(db, search);
}
