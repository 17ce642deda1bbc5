import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isPostgres } from '../engine.ts';
import { bucketIn } from './tally-buckets.ts';

/** Rows of subscribers to be counted, or to be counted no more. */
interface Counted {
  rows: RawBuilder<unknown>;
  sign: 1 | -1;
  /** What to count them as, where it is not what they are by now. */
  isPast?: 0 | 1;
  nameBucket?: number;
  /** Without it, by every kind. */
  kind?: 'name';
}

/** At PostgreSQL one bucket is counted in so many rows in turn, lest all who create somebody wait for each other. */
const slots = 4;

export const slotIn = <Tables>(db: Kysely<Tables>) => sql.raw<number>(`id % ${isPostgres(db) ? slots : 1}`);

const key = sql.raw('kind, bucket, status_id, is_trial, is_past, slot');
const addToThere = sql`on conflict (${key}) do update set amount = subscriber_tallies.amount + excluded.amount`;
/** Whether a row counts as past, in SQL; `row` is what its columns begin with. */
export const isPastIn = (row: string) =>
  sql.raw(`case when ${row}expires_at <= (select past_until from subscriber_tally_state) then 1 else 0 end`);

/** Brings the tallies up to date. Always in one order, so that no two wait in a ring. */
export function addCounts(shared: boolean, parts: readonly Counted[]): RawBuilder<unknown> {
  const changed = parts.map(
    ({ rows, sign, isPast, nameBucket, kind }) =>
      sql`select ${kind === undefined ? sql`kind` : sql`'name' as kind`}, case ${kind === undefined ? sql`kind` : sql`'name'`}
        when 'expiry' then ${bucketIn.expiry()} when 'id' then ${bucketIn.id()}
        else ${nameBucket === undefined ? bucketIn.name() : sql.lit(nameBucket)} end as bucket,
        status_id, is_trial, ${isPast === undefined ? isPastIn('') : sql.lit(isPast)} as is_past,
        id % ${sql.lit(shared ? slots : 1)} as slot, ${sql.lit(sign)} as sign
        from ${rows} ${kind === undefined ? everyKind : sql``}`,
  );
  return sql`insert into subscriber_tallies (${key}, amount)
    select ${key}, sum(sign) from (${sql.join(changed, sql` union all `)}) as changed
    where true group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0 order by 1, 2, 3, 4, 5, 6 ${addToThere}`;
}

const everyKind = sql.raw(
  `cross join (select 'expiry' as kind union all select 'id' union all select 'name') as kinds`,
);

export async function createTriggers<Tables>(db: Kysely<Tables>): Promise<void> {
  for (const statement of isPostgres(db) ? postgresTriggers() : sqliteTriggers()) await statement.execute(db);
}

export async function dropTriggers<Tables>(db: Kysely<Tables>): Promise<void> {
  const drop = isPostgres(db) ? 'drop function if exists $ cascade' : 'drop trigger if exists $';
  for (const event of ['insert', 'delete', 'update'])
    await sql.raw(drop.replace('$', `subscribers_tally_${event}`)).execute(db);
}

/** For each row, because SQLite's triggers know no other way. */
function sqliteTriggers(): RawBuilder<unknown>[] {
  const places = ['id', 'username_search', 'expires_at', 'status_id', 'is_trial'];
  const ofRow = (row: string) => places.map((column) => `${row}.${column}`).join(', ');
  const updated = sql.raw(
    `update of ${places.join(', ')} on subscribers when (${ofRow('old')}) <> (${ofRow('new')})`,
  );
  return [
    sqliteTrigger('insert', sql`insert on subscribers`, rowCounts('new.', 1)),
    sqliteTrigger('delete', sql`delete on subscribers`, rowCounts('old.', -1)),
    sqliteTrigger('update', updated, sql`${rowCounts('old.', -1)}, ${rowCounts('new.', 1)}`),
  ];
}

const sqliteTrigger = (name: string, event: RawBuilder<unknown>, counts: RawBuilder<unknown>) =>
  sql`create trigger ${sql.raw(`subscribers_tally_${name}`)} after ${event} begin
    insert into subscriber_tallies (${key}, amount) values ${counts} ${addToThere}; end`;

function rowCounts(row: 'old.' | 'new.', sign: 1 | -1): RawBuilder<unknown> {
  const counts = (['expiry', 'id', 'name'] as const).map(
    (kind) => sql`(${sql.lit(kind)}, ${bucketIn[kind](row)}, ${sql.raw(`${row}status_id, ${row}is_trial`)},
      ${isPastIn(row)}, 0, ${sql.lit(sign)})`,
  );
  return sql.join(counts);
}

/** For each statement, so that many rows at once are counted at once. */
function postgresTriggers(): RawBuilder<unknown>[] {
  const added = { rows: sql`added`, sign: 1 } as const;
  const removed = { rows: sql`removed`, sign: -1 } as const;
  return [
    ...postgresTrigger('insert', 'new table as added', [added]),
    ...postgresTrigger('delete', 'old table as removed', [removed]),
    ...postgresTrigger('update', 'new table as added old table as removed', [removed, added]),
  ];
}

// The lock lasts until what is counted is committed: whoever moves the bounds meanwhile would not have seen it.
const postgresTrigger = (event: string, tables: string, parts: readonly Counted[]) => {
  const name = sql.raw(`subscribers_tally_${event}`);
  return [
    sql`create function ${name}() returns trigger language plpgsql as $$ begin
      perform 1 from subscriber_tally_state for share; ${addCounts(true, parts)}; return null; end $$`,
    sql`create trigger ${name} after ${sql.raw(event)} on subscribers referencing ${sql.raw(tables)}
      for each statement execute function ${name}()`,
  ];
};
