import { sql, type Kysely } from 'kysely';
import { searchText } from '../../contract/service/search-text.ts';
import { hasTallies, isPostgres } from '../engine.ts';
import type { ServiceTables } from '../schema.ts';
import type { Wanted } from './search-index.ts';

/**
 * At PostgreSQL, how many usernames hold each three letters in a row: its index would have to look at every row that
 * it finds. SQLite's knows without.
 */
export async function createTrigramTallies<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!countsTrigrams(db)) return;
  await db.schema
    .createTable('subscriber_trigrams')
    .addColumn('trigram', 'text', (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('amount', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('subscriber_trigrams_key', ['trigram', 'slot'])
    .execute();
  for (const statement of triggers) await sql.raw(statement).execute(db);
  // The planner takes every trigram for a new one, and would sort all that there are.
  await sql`select set_config('enable_sort', 'off', true)`.execute(db);
  await sql`insert into subscriber_trigrams (trigram, slot, amount)
    select trigram, 0, count(*) from (${sql.raw(trigramsOf('subscribers', 1))}) as held group by trigram`.execute(
    db,
  );
  await sql`select set_config('enable_sort', 'on', true)`.execute(db);
}

export async function dropTrigramTallies<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!countsTrigrams(db)) return;
  for (const event of ['insert', 'delete', 'update'])
    await sql.raw(`drop function if exists subscribers_trigram_${event} cascade`).execute(db);
  await db.schema.dropTable('subscriber_trigrams').ifExists().execute();
}

const countsTrigrams = <Tables>(db: Kysely<Tables>) => isPostgres(db) && hasTallies(db);

/**
 * How many hold a text, where that is counted ahead: a part of a username that is three letters long; and with the
 * same question the last id, which the way to the page depends on.
 */
export async function countHolding(
  db: Kysely<ServiceTables>,
  { column, text }: Wanted,
): Promise<{ amount: number; lastId: number } | null> {
  const trigram = searchText(text);
  if (!countsTrigrams(db) || column !== 'username_search' || [...trigram].length !== 3) return null;
  return db
    .selectFrom('subscriber_trigrams')
    .select(sql<number>`cast(coalesce(sum(amount), 0) as bigint)`.as('amount'))
    .select(sql<number>`coalesce((select max(id) from subscribers), 0)`.as('lastId'))
    .where('trigram', '=', trigram)
    .executeTakeFirstOrThrow();
}

/** As many rows as there are for a tally, see `tally-triggers.ts`. */
const slots = 4;

/** Each trigram of a name once. */
function trigramsOf(rows: string, sign: 1 | -1): string {
  const part = 'substr(username_search, place, 3)';
  return `select ${part} as trigram, id % ${slots} as slot, ${sign} as sign from ${rows} as named
    cross join lateral generate_series(1, char_length(username_search) - 2) as place
    where strpos(username_search, ${part}) = place`;
}

const trigger = (event: string, tables: string, changed: string) => [
  `create function subscribers_trigram_${event}() returns trigger language plpgsql as $$ begin
    insert into subscriber_trigrams (trigram, slot, amount)
      select trigram, slot, sum(sign) from (${changed}) as changed
      group by 1, 2 having sum(sign) <> 0 order by 1, 2
      on conflict (trigram, slot) do update set amount = subscriber_trigrams.amount + excluded.amount;
    return null; end $$`,
  `create trigger subscribers_trigram_${event} after ${event} on subscribers referencing ${tables}
    for each statement execute function subscribers_trigram_${event}()`,
];

/** Names that stayed as they were are passed over. */
const renamed = (now: string, before: string) =>
  `(select id, username_search from ${now} except select id, username_search from ${before})`;

const triggers = [
  ...trigger('insert', 'new table as added', trigramsOf('added', 1)),
  ...trigger('delete', 'old table as removed', trigramsOf('removed', -1)),
  ...trigger(
    'update',
    'new table as added old table as removed',
    `${trigramsOf(renamed('added', 'removed'), 1)} union all ${trigramsOf(renamed('removed', 'added'), -1)}`,
  ),
];
