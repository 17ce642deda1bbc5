import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { foldText, lowerAscii, wordsOf } from '../../contract/service/search-text.ts';
import { normalize } from '../../lib/text.ts';
import { isPostgres } from '../database.ts';

/** SQLite's search indexes. A row that is deleted stays in their pages until these are merged. */
export const searchTables = ['subscriber_search', 'subscriber_search_note'] as const;

/** A word that a name must contain, folded. */
interface TextFilter {
  name: 'username' | 'email';
  text: string;
}

/** Each word of both texts is a filter of its own, but those that another word of the text has in it: they find no less. */
export function textFiltersOf({ Username, Email }: ListQuery): TextFilter[] {
  return [
    ...neededWords(Username).map((text) => ({ name: 'username', text }) as const),
    ...neededWords(Email).map((text) => ({ name: 'email', text }) as const),
  ];
}

function neededWords(text = ''): string[] {
  const words = [...new Set(wordsOf(text))];
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}

/** A name as it is searched. The folded text is stored only where it differs from the search text. */
const searched = (name: TextFilter['name'], row = ''): string =>
  `coalesce(${row}${name}_folded, ${row}${name}_search)`;

/**
 * True if the search index can find the text. It has trigrams, so it cannot find a text of less than three characters.
 */
export const isIndexed = ({ text }: TextFilter): boolean => [...text].length >= 3;

/** The condition that a name contains a text. It is tested row by row; PostgreSQL can use its search index for it. */
export function contains({ name, text }: TextFilter): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.raw(searched(name))} like ${containsPattern(text)} escape '\\'`;
}

/** A LIKE pattern that matches texts with this text in them. Its escape character is `\`. */
function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** SQLite's query for the ids of the rows that contain all these texts. Each text must be long enough for the index. */
export function idsInSearchIndex(texts: readonly TextFilter[]): RawBuilder<{ id: number }> {
  const phrases = texts.map(({ name, text }) => `${name}_search : "${text.replaceAll('"', '""')}"`);
  return sql`select rowid as id from subscriber_search where subscriber_search match ${phrases.join(' AND ')}`;
}

/**
 * True if a tenth of the subscribers have all these texts. SQLite then finds them faster by a scan of all rows than by
 * its search index, which it has to look up for each match.
 */
export async function areCommon<Tables>(db: Kysely<Tables>, texts: readonly TextFilter[]): Promise<boolean> {
  const indexed = texts.filter(isIndexed);
  if (isPostgres(db) || indexed.length === 0) return false;
  // Ids are counted up, so the last id is about the number of subscribers.
  const tenth = sql`(select coalesce(max(id), 0) / 10 from subscribers)`;
  const { rows } = await sql<{ isCommon: number }>`
    select count(*) > ${tenth} as "isCommon"
    from (${idsInSearchIndex(indexed)} limit ${tenth} + 1)`.execute(db);
  return rows[0]?.isCommon === 1;
}

/**
 * The condition that a name has one of these texts, by the search index alone. A text of several parts has each of them, in
 * this order on PostgreSQL. The parts are long enough for the index, and have no signs that LIKE or FTS5 read in another way.
 *
 * @param most how many of them SQLite reads
 */
export function hasAnyOf<Tables>(
  db: Kysely<Tables>,
  texts: readonly (readonly string[])[],
  most: number,
): RawBuilder<SqlBool> {
  if (isPostgres(db)) {
    // `pg_trgm` takes a sign between letters for an end of a word, and looks up much more for a `_` that is any letter.
    const patterns = texts.map((parts) => `%${parts.join('%').replaceAll('_', String.raw`\_`)}%`);
    const has = (['username', 'email'] as const).map(
      (name) => sql`${sql.raw(searched(name))} like any(${patterns})`,
    );
    return sql`(${sql.join(has, sql` or `)})`;
  }
  const phrases = texts.map((parts) => `(${parts.map((part) => `"${part}"`).join(' AND ')})`).join(' OR ');
  return sql`id in (select rowid from subscriber_search where subscriber_search match ${phrases} limit ${most})`;
}

/**
 * Creates the search index: FTS5 with the trigram tokenizer on SQLite, pg_trgm on PostgreSQL. SQLite also gets one with all
 * columns of a filter, by which it finds email texts that are in most rows, or too short: `subscribers_by_username` does so
 * for usernames.
 */
export async function createSearchIndex<Tables>(db: Kysely<Tables>): Promise<void> {
  for (const statement of isPostgres(db) ? postgresIndex : sqliteIndex) await sql.raw(statement).execute(db);
}

export async function dropSearchIndex<Tables>(db: Kysely<Tables>): Promise<void> {
  const statements = isPostgres(db)
    ? ['username', 'email'].map((name) => `drop index subscribers_${name}_trigrams`)
    : [
        ...['insert', 'delete', 'update'].map((event) => `drop trigger subscribers_search_${event}`),
        'drop table subscriber_search',
        'drop index subscribers_by_email',
      ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** The filters on the note and on the end of the token, each by its index. */
export function hiddenTextFilters<Tables>(
  db: Kysely<Tables>,
  { Note, TokenEnd }: ListQuery,
  /** Tested row by row, while the list is read in order. */
  inOrder = false,
): RawBuilder<SqlBool>[] {
  const note = Note === undefined ? [] : [noteContains(db, Note, inOrder)];
  const end = sql.raw(endOfToken(isPostgres(db)));
  return TokenEnd === undefined ? note : [...note, sql<SqlBool>`${end} = ${TokenEnd.toLowerCase()}`];
}

function noteContains<Tables>(db: Kysely<Tables>, text: string, inOrder: boolean): RawBuilder<SqlBool> {
  const postgres = isPostgres(db);
  const texts = foldedLikeNotes(text, postgres);
  if (postgres) {
    const note = sql.raw(foldedNote(true));
    const has = texts.map((one) => sql`${note} like ${containsPattern(one)} escape '\\'`);
    return sql`(${sql.join(has, sql` or `)})`;
  }
  const phrase = texts.map((one) => `"${one.replaceAll('"', '""')}"`).join(' OR ');
  const ids = sql`(select rowid from subscriber_search_note where subscriber_search_note match ${phrase})`;
  return inOrder ? sql`+id in ${ids}` : sql`id in ${ids}`;
}

/**
 * A text as it may be in a note that an engine has folded: engines know fewer accents than `foldText`, such as none of "й".
 * PostgreSQL also keeps the case of other than Latin letters, and the sigma at the end of a word: a text of several words is
 * found as it was typed, in capitals, in small letters, or with one at the start of the first word or of each.
 */
function foldedLikeNotes(text: string, postgres: boolean): string[] {
  const apart = lettersApart.reduce(
    (replaced, letter) => replaced.replaceAll(letter, foldText(letter)),
    normalize(text, 'NFC'),
  );
  if (!postgres) return [...new Set([foldText(text), apart.toLowerCase()])];
  const typed = normalize(apart, 'NFKD').replaceAll(/[\u0300-\u036f]+/g, '');
  const small = typed.toLowerCase().replaceAll('ς', 'σ');
  const words = small.replaceAll(/σ(?!\p{L})/gu, 'ς');
  const starts = [words.replace(/\p{L}/u, inCapitals), words.replaceAll(/(?<!\p{L})\p{L}/gu, inCapitals)];
  const all = [foldText(text), typed, small, words, inCapitals(typed), ...starts];
  return [...new Set(all.map(lowerAscii))];
}

const inCapitals = (text: string): string => text.toUpperCase();

const endOfToken = (postgres: boolean) =>
  postgres ? `lower(right(access_token, 4) collate "C")` : 'lower(substr(access_token, -4))';

/** Letters that no engine takes for others with an accent. */
const lettersApart = [...'øæœłđðþħıßØÆŒŁĐÐÞĦẞ'];

/**
 * A note as it is searched, like `foldText` for the letters of Europe. The engine folds it, so that the index of notes follows
 * also what a server of an earlier version writes.
 */
function foldedNote(postgres: boolean, note = 'note'): string {
  const replaced = lettersApart.reduce(
    (text, letter) => `replace(${text}, '${letter}', '${foldText(letter)}')`,
    note,
  );
  // SQLite's search index folds the rest. Of most notes PostgreSQL needs the lower case alone, which is much faster.
  return postgres
    ? `case when octet_length(${note}) = char_length(${note}) then lower(${note} collate "C")
        else lower(regexp_replace(normalize(${replaced}, NFKD), '[\\u0300-\\u036f]+', '', 'g')) end`
    : replaced;
}

const noteNames = ['insert', 'delete', 'update'].map((event) => `subscribers_note_${event}`);

/** Creates the indexes for notes and for the ends of tokens. */
export async function createHiddenTextIndexes<Tables>(db: Kysely<Tables>): Promise<void> {
  const postgres = isPostgres(db);
  const end = `create index subscribers_token_end on subscribers ((${endOfToken(postgres)}))`;
  const [inserted, deleted, updated] = noteNames;
  const insert = `insert into subscriber_search_note (rowid, note)
    select new.id, ${foldedNote(false, 'new.note')} where new.note <> '';`;
  const remove = `delete from subscriber_search_note where rowid = old.id;`;
  const note = postgres
    ? [`create index subscribers_note_trigrams on subscribers using gin ((${foldedNote(true)}) gin_trgm_ops)`]
    : [
        `create virtual table subscriber_search_note using fts5 (note, content = '', contentless_delete = 1,
          tokenize = 'trigram remove_diacritics 1')`,
        `insert into subscriber_search_note (rowid, note)
          select id, ${foldedNote(false)} from subscribers where note <> ''`,
        `create trigger ${inserted} after insert on subscribers begin ${insert} end`,
        `create trigger ${deleted} after delete on subscribers begin ${remove} end`,
        `create trigger ${updated} after update of id, note on subscribers
          when (old.id, old.note) <> (new.id, new.note) begin ${remove} ${insert} end`,
      ];
  for (const statement of [end, ...note]) await sql.raw(statement).execute(db);
}

export async function dropHiddenTextIndexes<Tables>(db: Kysely<Tables>): Promise<void> {
  const note = isPostgres(db)
    ? ['drop index subscribers_note_trigrams']
    : [...noteNames.map((name) => `drop trigger ${name}`), 'drop table subscriber_search_note'];
  for (const statement of ['drop index subscribers_token_end', ...note]) await sql.raw(statement).execute(db);
}

const postgresIndex = [
  'create extension if not exists pg_trgm',
  ...(['username', 'email'] as const).map(
    (name) =>
      `create index subscribers_${name}_trigrams on subscribers using gin ((${searched(name)}) gin_trgm_ops)`,
  ),
];

const bothOf = (row: string) => `${searched('username', row)}, ${searched('email', row)}`;

const insertNew = `insert into subscriber_search (rowid, username_search, email_search) values (new.id, ${bothOf('new.')});`;

const emailIndex = `create index if not exists subscribers_by_email on subscribers
  (email_search, email_folded, id, status_id, is_trial, expires_at)`;

/** Databases of before have all but this one. */
export async function addEmailIndex<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!isPostgres(db)) await sql.raw(emailIndex).execute(db);
}

// Contentless: `subscribers` has the folded texts already, so the index does not store them again.
const sqliteIndex = [
  emailIndex,
  `create virtual table subscriber_search using fts5 (username_search, email_search, content = '',
    contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`,
  `insert into subscriber_search (rowid, username_search, email_search) select id, ${bothOf('')} from subscribers`,
  `create trigger subscribers_search_insert after insert on subscribers begin ${insertNew} end`,
  `create trigger subscribers_search_delete after delete on subscribers begin
    delete from subscriber_search where rowid = old.id; end`,
  `create trigger subscribers_search_update
    after update of id, username_search, username_folded, email_search, email_folded on subscribers
    when (old.id, ${bothOf('old.')}) <> (new.id, ${bothOf('new.')}) begin
    delete from subscriber_search where rowid = old.id; ${insertNew} end`,
];
