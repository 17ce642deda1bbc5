import { sql, type Kysely } from 'kysely';
import { isPostgres } from './engine.ts';

/**
 * How subscribers are counted ahead: by blocks of ids and by every two days of expiry, apart by status and by trial.
 * The sums say how many pass a filter, and where the 20,000th page begins, without a look at those before it. Triggers
 * keep them, so they are right whatever writes, and are committed or rolled back with what they count.
 */
const bucketSizes = { id: 4096, expiry: 2 * 86_400_000 } as const;

/** What a tally counts by; the word stands in its row. */
export type TallyKind = keyof typeof bucketSizes;

/** Times are counted from year 0 on, because engines round a division of what is below 0 upwards. */
const year0 = 719_528 * 86_400_000;

/** The first id or the first ms since 1970 of a bucket. */
export function firstOf(kind: TallyKind, bucket: number): number {
  return bucket * bucketSizes[kind] - (kind === 'expiry' ? year0 : 0);
}

/** The bucket that an id or a time in ms since 1970 belongs to. */
export function bucketOf(kind: TallyKind, value: number): number {
  return Math.floor((value + (kind === 'expiry' ? year0 : 0)) / bucketSizes[kind]);
}

/** At PostgreSQL one bucket is counted in so many rows in turn, lest all who create somebody wait for each other. */
const slots = 4;

/** @see TallyTable */
export async function createTallies<Tables>(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('subscriber_tallies')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('status_id', 'integer', (column) => column.notNull())
    .addColumn('is_trial', 'integer', (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('amount', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('subscriber_tallies_key', ['kind', 'bucket', 'status_id', 'is_trial', 'slot'])
    .execute();
  for (const statement of isPostgres(db) ? postgresTriggers() : sqliteTriggers())
    await sql.raw(statement).execute(db);
  await sql.raw(addCounts(isPostgres(db) ? slots : 1, ['subscribers', 1])).execute(db);
}

export async function dropTallies<Tables>(db: Kysely<Tables>): Promise<void> {
  for (const event of ['insert', 'delete', 'update'])
    await sql
      .raw(
        isPostgres(db)
          ? `drop function subscribers_tally_${event} cascade`
          : `drop trigger subscribers_tally_${event}`,
      )
      .execute(db);
  await db.schema.dropTable('subscriber_tallies').execute();
}

const key = 'kind, bucket, status_id, is_trial, slot';
const bucketIn = {
  expiry: (row: string) => `(${row}expires_at + ${year0}) / ${bucketSizes.expiry}`,
  id: (row: string) => `${row}id / ${bucketSizes.id}`,
} as const;

/** Adds what one set of rows counts, and takes away what another did. Always in one order, so that no two wait in a ring. */
function addCounts(slots: number, ...parts: readonly (readonly [rows: string, sign: 1 | -1])[]): string {
  const changed = parts.map(
    ([rows, sign]) => `select id, expires_at, status_id, is_trial, ${sign} as sign from ${rows}`,
  );
  return `insert into subscriber_tallies (${key}, amount)
    select kind, case kind when 'expiry' then ${bucketIn.expiry('')} else ${bucketIn.id('')} end as bucket,
      status_id, is_trial, id % ${slots} as slot, sum(sign)
    from (${changed.join(' union all ')}) as changed
    cross join (select 'expiry' as kind union all select 'id') as kinds
    where true group by 1, 2, 3, 4, 5 having sum(sign) <> 0 order by 1, 2, 3, 4, 5
    ${addToThere}`;
}

const addToThere = `on conflict (${key}) do update set amount = subscriber_tallies.amount + excluded.amount`;

/** For each row, because SQLite's triggers know no other way. */
function sqliteTriggers(): string[] {
  const places = 'expires_at, status_id, is_trial';
  const changed = `(old.id, ${ofRow('old', places)}) <> (new.id, ${ofRow('new', places)})`;
  return [
    sqliteTrigger('insert', 'insert on subscribers', rowCounts('new', 1)),
    sqliteTrigger('delete', 'delete on subscribers', rowCounts('old', -1)),
    sqliteTrigger(
      'update',
      `update of id, ${places} on subscribers when ${changed}`,
      `${rowCounts('old', -1)}, ${rowCounts('new', 1)}`,
    ),
  ];
}

const ofRow = (row: 'old' | 'new', columns: string) => columns.replaceAll(/\w+/g, `${row}.$&`);

const sqliteTrigger = (name: string, event: string, counts: string) =>
  `create trigger subscribers_tally_${name} after ${event} begin
    insert into subscriber_tallies (${key}, amount) values ${counts} ${addToThere}; end`;

function rowCounts(row: 'old' | 'new', sign: 1 | -1): string {
  const count = (kind: TallyKind) =>
    `('${kind}', ${bucketIn[kind](`${row}.`)}, ${ofRow(row, 'status_id, is_trial')}, 0, ${sign})`;
  return `${count('expiry')}, ${count('id')}`;
}

/** For each statement, so that many rows at once are counted at once. */
function postgresTriggers(): string[] {
  const [added, removed] = [
    ['added', 1],
    ['removed', -1],
  ] as const;
  return [
    ...postgresTrigger('insert', 'new table as added', addCounts(slots, added)),
    ...postgresTrigger('delete', 'old table as removed', addCounts(slots, removed)),
    ...postgresTrigger('update', 'new table as added old table as removed', addCounts(slots, removed, added)),
  ];
}

const postgresTrigger = (event: string, tables: string, statement: string) => [
  `create function subscribers_tally_${event}() returns trigger language plpgsql as
    $$ begin ${statement}; return null; end $$`,
  `create trigger subscribers_tally_${event} after ${event} on subscribers referencing ${tables}
    for each statement execute function subscribers_tally_${event}()`,
];
