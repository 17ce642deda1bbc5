import { sql, type Kysely, type SqlBool } from 'kysely';
import { filtersOf, orderOf, readWalk, type Condition, type Found, type Search } from './list-walk.ts';
import type { ServiceTables } from '../schema.ts';
import { placeIn, readTallies, totalOf, type Tally } from './tallies.ts';
import type { TallyKind } from './tally-buckets.ts';

const kinds = { id: 'id', username_search: 'name', expires_at: 'expiry' } as const satisfies Record<
  string,
  TallyKind
>;

/** For lists without a text: how many there are, and where a page is, is counted ahead. */
export async function findByCount(db: Kysely<ServiceTables>, search: Search): Promise<Found> {
  const { query, now, offset } = search;
  const { column, descends } = orderOf(query.SortBy);
  const { buckets, late } = await readTallies(db, kinds[column], query, now);
  const totalCount = totalOf({ buckets });
  const found: Found = { totalCount, items: [], wear: { late, nameBucket: null } };
  const inOrder = descends ? buckets.toReversed() : buckets;
  const place = placeIn(inOrder, offset);
  if (!place) return found;
  const rest = inOrder.slice(place.at);
  if (column === 'username_search') found.wear = { late, nameBucket: rest[0]?.bucket ?? null };
  // Behind the last that passes there may be many who do not.
  const limit = Math.min(search.limit, totalCount - offset);
  // Told where it ends, no engine takes the walk for longer than it is.
  const end = placeIn(rest, place.skip + limit - 1)?.at ?? 0;
  found.items = await readRuns(db, search, { skip: place.skip, limit }, rest.slice(0, end + 1));
  return found;
}

interface Stretch {
  skip: number;
  limit: number;
}

/**
 * A page that begins in the first of these buckets. Where few pass a filter there are long stretches between them in
 * which nobody does: they are left out.
 */
async function readRuns(
  db: Kysely<ServiceTables>,
  search: Search,
  { skip, limit }: Stretch,
  buckets: readonly Tally[],
): Promise<Found['items']> {
  const items: Found['items'] = [];
  for (const run of runsOf(buckets)) {
    const part = { skip: items.length === 0 ? skip : 0, limit: limit - items.length };
    items.push(...(await readRun(db, search, part, run)));
    if (items.length === limit) break;
  }
  return items;
}

/** What hangs together of the buckets in which somebody passes. */
function runsOf(buckets: readonly Tally[]): [Tally, ...Tally[]][] {
  const runs: [Tally, ...Tally[]][] = [];
  let before: Tally | null = null;
  for (const tally of buckets) {
    const touches = before !== null && (before.until === tally.from || before.from === tally.until);
    if (tally.amount > 0)
      if (touches) runs.at(-1)?.push(tally);
      else runs.push([tally]);
    before = tally.amount > 0 ? tally : null;
  }
  return runs;
}

/** From the nearer end of the first bucket, where the part lies within it. */
async function readRun(db: Kysely<ServiceTables>, search: Search, part: Stretch, run: [Tally, ...Tally[]]) {
  const { query, now } = search;
  const { column, descends } = orderOf(query.SortBy);
  const [first] = run;
  const behind = first.amount - part.skip - part.limit;
  const backwards = behind >= 0 && behind < part.skip;
  const last = backwards ? first : (run.at(-1) ?? first);
  const [low, high] = descends ? [last, first] : [first, last];
  const key = sql.ref(column);
  const conditions: Condition[] = [
    sql<SqlBool>`${key} >= ${low.from}`,
    ...(high.until === null ? [] : [sql<SqlBool>`${key} < ${high.until}`]),
    ...(column === 'expires_at' && query.Expired === true ? [sql<SqlBool>`${key} <= ${now}`] : []),
    ...filtersOf(query, now),
  ];
  const [skip, limit] = [backwards ? behind : part.skip, part.limit];
  return readWalk(db, { order: query.SortBy, conditions, skip, limit, backwards });
}
