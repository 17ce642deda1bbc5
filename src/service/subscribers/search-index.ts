import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { searchText } from '../../contract/service/search-text.ts';
import { containsPattern } from './contains-pattern.ts';
import { isPostgres } from '../engine.ts';
import type { ServiceTables } from '../schema.ts';

export type SearchedColumn = 'username_search' | 'email_search';

/** A text that a column is to contain, as somebody typed it. */
export interface Wanted {
  column: SearchedColumn;
  text: string;
}

/** Whether the index of three letters each helps to find a text: one of two letters it does not hold. */
export function isIndexed({ text }: Wanted): boolean {
  return [...searchText(text)].length >= 3;
}

/** The condition that a column contains a text, read row by row; with `||`, lest an engine takes the index after all. */
export function contains({ column, text }: Wanted): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} || '' like ${containsPattern(text)} escape '\\'`;
}

/**
 * A query for the ids of those whose columns contain these texts, each of which is indexed.
 *
 * @returns its rows have the one column `id`
 */
export function idsMatching(
  db: Kysely<ServiceTables>,
  wanted: readonly [Wanted, ...Wanted[]],
): RawBuilder<{ id: number }> {
  if (!isPostgres(db)) {
    const phrases = wanted.map(
      ({ column, text }) => `${column} : "${searchText(text).replaceAll('"', '""')}"`,
    );
    return sql`select rowid as id from subscriber_search where subscriber_search match ${phrases.join(' AND ')}`;
  }
  // Its escape character is a backslash anyway; not every engine uses the index where that is said.
  const conditions = wanted.map(({ column, text }) => sql`${sql.ref(column)} like ${containsPattern(text)}`);
  // Planned by itself: for the sake of a LIMIT around it the planner would rather read the whole table.
  return sql`select id from (with found as materialized
    (select id from subscribers where ${sql.join(conditions, sql` and `)}) select id from found) as found`;
}

/** The index by every three letters in a row (trigrams), each engine's own. */
export async function createSearchIndex<Tables>(db: Kysely<Tables>): Promise<void> {
  for (const statement of isPostgres(db) ? postgresIndex : sqliteIndex) await sql.raw(statement).execute(db);
}

export async function dropSearchIndex<Tables>(db: Kysely<Tables>): Promise<void> {
  const statements = isPostgres(db)
    ? ['username', 'email'].map((name) => `drop index subscribers_${name}_trigrams`)
    : [
        ...['insert', 'delete', 'update'].map((event) => `drop trigger subscribers_search_${event}`),
        'drop table subscriber_search',
      ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const postgresIndex = [
  'create extension if not exists pg_trgm',
  'create index subscribers_username_trigrams on subscribers using gin (username_search gin_trgm_ops)',
  'create index subscribers_email_trigrams on subscribers using gin (email_search gin_trgm_ops)',
];

// The texts are folded already. They stand in `subscribers`, so the index holds none of them itself.
const sqliteIndex = [
  `create virtual table subscriber_search using fts5 (username_search, email_search, content = '',
    contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`,
  `insert into subscriber_search (rowid, username_search, email_search)
    select id, username_search, email_search from subscribers`,
  `create trigger subscribers_search_insert after insert on subscribers begin
    insert into subscriber_search (rowid, username_search, email_search)
      values (new.id, new.username_search, new.email_search); end`,
  `create trigger subscribers_search_delete after delete on subscribers begin
    delete from subscriber_search where rowid = old.id; end`,
  `create trigger subscribers_search_update after update of id, username_search, email_search on subscribers
    when (old.id, old.username_search, old.email_search) <> (new.id, new.username_search, new.email_search) begin
    delete from subscriber_search where rowid = old.id;
    insert into subscriber_search (rowid, username_search, email_search)
      values (new.id, new.username_search, new.email_search); end`,
];
