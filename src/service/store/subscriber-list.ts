import { sql, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely';
import { pageSizes, type ListQuery, type SortOrder, type SubscriberPage } from '../../contract/list-query.ts';
import type { ServiceTables } from './schema.ts';
import { containsPattern } from './contains-pattern.ts';
import { readSummary, summaryColumns } from './subscriber-row.ts';

/**
 * One page of the subscribers that pass every filter.
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
  const matching = db.selectFrom('subscribers').where(passes(query, now));
  const { totalCount } = await matching
    .select((eb) => eb.fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const totalPages = Math.ceil(totalCount / pageSize);
  const envelope = { page, pageSize, totalCount, totalPages };
  const { column, direction } = order[query.SortBy ?? 'id'];
  const rows = await matching
    .select(summaryColumns)
    .orderBy(column, direction)
    .orderBy('id')
    .limit(pageSize)
    // The furthest that the contract lets one ask for, about 2^61, still fits the engines' 64 bits.
    .offset((page - 1) * pageSize)
    .execute();
  return { items: rows.map(readSummary), ...envelope };
}

const order = {
  id: { column: 'id', direction: 'asc' },
  username: { column: 'username_search', direction: 'asc' },
  username_desc: { column: 'username_search', direction: 'desc' },
  expiresAt: { column: 'expires_at', direction: 'asc' },
  expiresAt_desc: { column: 'expires_at', direction: 'desc' },
} as const satisfies Record<SortOrder | 'id', unknown>;

type Eb = ExpressionBuilder<ServiceTables, 'subscribers'>;

const passes = (query: ListQuery, now: number) => (eb: Eb) =>
  eb.and([
    ...(query.Username === undefined ? [] : [contains(eb, 'username_search', query.Username)]),
    ...(query.Email === undefined ? [] : [contains(eb, 'email_search', query.Email)]),
    ...(query.AccessToken === undefined ? [] : [eb('access_token', '=', query.AccessToken)]),
    ...(query.StatusId === undefined ? [] : [eb('status_id', '=', query.StatusId)]),
    ...(query.IsTrial === undefined ? [] : [eb('is_trial', '=', query.IsTrial ? 1 : 0)]),
    // `false` restricts nothing, as the contract reads the seed's words.
    ...(query.Expired === true ? [eb('expires_at', '<=', now)] : []),
  ]);

const contains = (eb: Eb, column: 'username_search' | 'email_search', text: string) =>
  sql<SqlBool>`${eb.ref(column)} like ${containsPattern(text)} escape '\\'`;
