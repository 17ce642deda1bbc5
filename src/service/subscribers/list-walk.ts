import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { ListQuery, SortOrder } from '../../contract/service/list-query.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import type { ServiceTables } from '../schema.ts';
import type { Wear } from './tally-upkeep.ts';
import { readSummary, summaryColumns } from './subscriber-row.ts';

/** What a list asks of the store, in the store's words. */
export interface Search {
  query: ListQuery;
  /** Ms since 1970; a subscriber is expired from that very millisecond. */
  now: number;
  offset: number;
  limit: number;
}

export interface Found {
  totalCount: number;
  items: Subscriber[];
  wear?: Wear;
}

export type Condition = RawBuilder<SqlBool>;

/** A part of a list: from which row on, how many, in which order. */
export interface Walk {
  order: SortOrder | undefined;
  conditions: readonly Condition[];
  /** A query for the ids to choose from; without it all subscribers. */
  among?: RawBuilder<{ id: number }>;
  skip: number;
  limit: number;
  /** From the end of the list towards its begin; the rows come in the list's order all the same. */
  backwards?: boolean;
}

const orders = {
  id: { column: 'id', descends: false },
  username: { column: 'username_search', descends: false },
  username_desc: { column: 'username_search', descends: true },
  expiresAt: { column: 'expires_at', descends: false },
  expiresAt_desc: { column: 'expires_at', descends: true },
} as const satisfies Record<SortOrder | 'id', unknown>;

export const orderOf = (order: SortOrder | undefined) => orders[order ?? 'id'];

const direction = (down: boolean) => sql.raw(down ? 'desc' : 'asc');

/** The rows of a walk: it passes over ids in an index, and reads whole rows of the page alone. */
export async function readWalk(db: Kysely<ServiceTables>, walk: Walk): Promise<Subscriber[]> {
  const { column, descends } = orderOf(walk.order);
  const { conditions, among, skip, limit, backwards = false } = walk;
  const source = among ? sql`(${among}) as subscribers` : sql`subscribers`;
  // No two have one username or one id, so that only equal expiries need another order.
  const by = (key: string, turned: boolean) =>
    sql`${sql.ref(key)} ${direction(descends !== turned)}${column === 'expires_at' ? sql`, id ${direction(turned)}` : sql``}`;
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const columns = sql.join(summaryColumns.map((name) => sql.ref(`whole.${name}`)));
  // CROSS JOIN is SQLite's word for: the page first, then the rows that stand on it.
  const { rows } = await sql<Parameters<typeof readSummary>[0]>`select ${columns} from
    (select id as page_id, ${sql.ref(column)} as sort_key from ${source} ${where}
      order by ${by(column, backwards)} limit ${limit} offset ${skip}) as page
    cross join subscribers as whole where whole.id = page_id order by ${by('sort_key', false)}`.execute(db);
  return rows.map(readSummary);
}

/**
 * The filters of a list as conditions on the columns that every index of lists holds. With `+` they are read row by
 * row, so that no engine leaves the order of the walk, which saves more than any other index would.
 */
export function filtersOf(query: ListQuery, now: number): Condition[] {
  return [
    ...(query.StatusId === undefined ? [] : [sql<SqlBool>`+status_id = ${query.StatusId}`]),
    ...(query.IsTrial === undefined ? [] : [sql<SqlBool>`+is_trial = ${query.IsTrial ? 1 : 0}`]),
    // `false` restricts nothing, as the contract reads the seed's words.
    ...(query.Expired === true ? [sql<SqlBool>`+expires_at <= ${now}`] : []),
    ...(query.AccessToken === undefined ? [] : [sql<SqlBool>`access_token = ${query.AccessToken}`]),
  ];
}
