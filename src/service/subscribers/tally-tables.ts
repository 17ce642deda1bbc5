import { sql, type Kysely, type RawBuilder } from 'kysely';
import { hasTallies } from '../engine.ts';
import { bucketIn, bucketSizes, type TallyKind } from './tally-buckets.ts';
import { createTriggers, dropTriggers, isPastIn, slotIn } from './tally-triggers.ts';

/**
 * Counts all that are there, and keeps the counts from then on.
 *
 * @param pastUntil ms since 1970: who expired until then counts as past, see `TallyStateTable`
 */
export async function createTallies<Tables>(db: Kysely<Tables>, pastUntil = 0): Promise<void> {
  if (!hasTallies(db)) return;
  await createTallyTable(db);
  await createTallyState(db, pastUntil);
  await createNameBuckets(db);
  await createTriggers(db);
  await countAll(db);
}

/** Those of an earlier version too. */
export async function dropTallies<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!hasTallies(db)) return;
  await dropTriggers(db);
  for (const table of ['subscriber_tallies', 'subscriber_tally_state', 'subscriber_name_buckets'])
    await db.schema.dropTable(table).ifExists().execute();
}

async function createTallyTable<Tables>(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('subscriber_tallies')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('status_id', 'integer', (column) => column.notNull())
    .addColumn('is_trial', 'integer', (column) => column.notNull())
    .addColumn('is_past', 'integer', (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('amount', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('subscriber_tallies_key', [
      'kind',
      'bucket',
      'status_id',
      'is_trial',
      'is_past',
      'slot',
    ])
    .execute();
}

async function createTallyState<Tables>(db: Kysely<Tables>, pastUntil: number): Promise<void> {
  await db.schema
    .createTable('subscriber_tally_state')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('past_until', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into subscriber_tally_state (id, past_until) values (1, ${pastUntil})`.execute(db);
}

/** Cut so that each holds the same number of those who are there; what came before the first belongs to it as well. */
async function createNameBuckets<Tables>(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('subscriber_name_buckets')
    .addColumn('bucket', 'integer', (column) => column.primaryKey())
    .addColumn('first', 'text', (column) => column.notNull().unique())
    .execute();
  await sql`insert into subscriber_name_buckets (bucket, first) values (0, '')`.execute(db);
  await sql`insert into subscriber_name_buckets (bucket, first)
    select ${nameBucket}, username_search from (${placed}) as placed
    where place % ${sql.lit(bucketSizes.name)} = 0`.execute(db);
}

const placed = sql`select id, expires_at, status_id, is_trial, username_search,
  row_number() over (order by username_search) as place from subscribers`;
const nameBucket = sql.raw<number>(`place / ${bucketSizes.name}`);

/** Kind by kind, and names by their places, which takes a third of the time that the triggers' way would. */
async function countAll<Tables>(db: Kysely<Tables>): Promise<void> {
  const count = (kind: TallyKind, bucket: RawBuilder<number>, rows: RawBuilder<unknown>) =>
    sql`insert into subscriber_tallies (kind, bucket, status_id, is_trial, is_past, slot, amount)
      select ${sql.lit(kind)}, ${bucket}, status_id, is_trial, ${isPastIn('')}, ${slotIn(db)}, count(*)
      from ${rows} group by 1, 2, 3, 4, 5, 6`.execute(db);
  await count('id', bucketIn.id(), sql`subscribers`);
  await count('expiry', bucketIn.expiry(), sql`subscribers`);
  await count('name', nameBucket, sql`(${placed}) as placed`);
}
