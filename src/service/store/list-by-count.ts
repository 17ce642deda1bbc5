import { sql, type Kysely, type SqlBool } from 'kysely';
import type { SortOrder } from '../../contract/list-query.ts';
import {
  filtersOf,
  orderOf,
  readWalk,
  type Condition,
  type Walk,
  type Found,
  type Search,
} from './list-walk.ts';
import type { ServiceTables } from './schema.ts';
import { expiredOf, placeIn, readTallies, totalOf, type Tallies } from './tallies.ts';
import { firstOf, type TallyKind } from './tally-tables.ts';

/** For lists without a text: how many there are, and where a page is, is counted ahead. */
export async function findByCount(db: Kysely<ServiceTables>, search: Search): Promise<Found> {
  const { query, now, offset } = search;
  const byExpiry = query.Expired === true || orderOf(query.SortBy).column === 'expires_at';
  const all = await readTallies(db, byExpiry ? 'expiry' : 'id', query);
  const tallies = query.Expired === true ? await expiredOf(db, all, query, now) : all;
  const totalCount = totalOf(tallies);
  if (offset >= totalCount) return { totalCount, items: [] };
  return { totalCount, items: await readWalk(db, walkTo(search, tallies, totalCount)) };
}

/** The shortest walk to a page that is not empty. */
function walkTo(search: Search, tallies: Tallies, totalCount: number): Walk {
  const { query, now, offset } = search;
  // Behind the last that passes there may be many who do not.
  const limit = Math.min(search.limit, totalCount - offset);
  const filters = filtersOf(query, now);
  const order = query.SortBy;
  const { column, descends } = orderOf(order);
  const part = { order, filters, limit, descends, last: query.Expired === true ? now : Infinity };
  if (column === 'expires_at') return fromBucket(part, 'expiry', tallies, offset);
  if (column === 'id' && query.Expired !== true) return fromBucket(part, 'id', tallies, offset);
  const conditions = column === 'username_search' ? leadByFilter(search) : filters;
  const behind = totalCount - offset - limit;
  return behind >= offset
    ? { order, conditions, skip: offset, limit }
    : { order, conditions, skip: behind, limit, backwards: true };
}

interface Part {
  order: SortOrder | undefined;
  filters: Condition[];
  limit: number;
  descends: boolean;
  /** The last value of the order that passes every filter. */
  last: number;
}

/** From the begin of the bucket in which the page begins; of all before it the tallies are enough. */
function fromBucket(
  { order, filters, limit, descends, last }: Part,
  kind: TallyKind,
  tallies: Tallies,
  offset: number,
): Walk {
  const place = placeIn(descends ? tallies.toReversed() : tallies, offset);
  if (!place) throw new Error('A page that is not empty is in none of the buckets.');
  const column = sql.ref(kind === 'id' ? 'id' : 'expires_at');
  const bound = descends
    ? sql<SqlBool>`${column} <= ${Math.min(last, firstOf(kind, place.bucket + 1) - 1)}`
    : sql<SqlBool>`${column} >= ${firstOf(kind, place.bucket)}`;
  return { order, conditions: [bound, ...filters], skip: place.skip, limit };
}

/** The indexes that begin with a filter and go on by username hold nobody who would only be passed over. */
function leadByFilter({ query, now }: Search): Condition[] {
  const { StatusId, IsTrial, ...others } = query;
  if (StatusId !== undefined)
    return [sql`status_id = ${StatusId}`, ...filtersOf({ ...query, StatusId: undefined }, now)];
  if (IsTrial !== undefined) return [sql`is_trial = ${IsTrial ? 1 : 0}`, ...filtersOf(others, now)];
  return filtersOf(others, now);
}
