import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { searchText } from '../../contract/service/search-text.ts';
import { isPostgres } from '../database.ts';

/** A text that a column must contain, folded by `searchText`. */
interface TextFilter {
  column: 'username_search' | 'email_search';
  text: string;
}

export function textFiltersOf({ Username, Email }: ListQuery): TextFilter[] {
  return [
    ...(Username === undefined ? [] : [{ column: 'username_search', text: searchText(Username) } as const]),
    ...(Email === undefined ? [] : [{ column: 'email_search', text: searchText(Email) } as const]),
  ];
}

/**
 * Whether the search index can find the text. It has trigrams, so it cannot find a text of less than three characters.
 */
export const isIndexed = ({ text }: TextFilter): boolean => [...text].length >= 3;

/** The condition that a column contains a text. It is tested row by row; PostgreSQL can use its search index for it. */
export function contains({ column, text }: TextFilter): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${containsPattern(text)} escape '\\'`;
}

/** A LIKE pattern that matches texts with this text in them. Its escape character is `\`. */
function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** SQLite's query for the ids of the rows that contain all these texts. Each text must be long enough for the index. */
export function idsInSearchIndex(texts: readonly TextFilter[]): RawBuilder<{ id: number }> {
  const phrases = texts.map(({ column, text }) => `${column} : "${text.replaceAll('"', '""')}"`);
  return sql`select rowid as id from subscriber_search where subscriber_search match ${phrases.join(' AND ')}`;
}

/** Creates the search index: FTS5 with the trigram tokenizer on SQLite, pg_trgm on PostgreSQL. */
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

// Contentless: `subscribers` has the folded texts already, so the index does not store them again.
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
