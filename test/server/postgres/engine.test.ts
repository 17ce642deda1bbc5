import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { serialize, migrate } from '../../../src/server/sql/migrate.ts';
import { mostRuns, openPostgres } from '../../../src/server/sql/postgres.ts';
import { createDatabase } from '../../support/setup/database.ts';

interface Tables {
  things: { id: number; name: string };
}

/** A database with a table of things whose migration is written as for SQLite. */
async function openThings() {
  const url = await createDatabase();
  const db = openPostgres<Tables>(url);
  onTestFinished(() => db.destroy());
  await migrate(db, {
    '0001-things': {
      async up(made) {
        await made.schema
          .createTable('things')
          .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
          .addColumn('name', 'text', (column) => column.notNull())
          .execute();
      },
    },
  });
  const add = (...names: string[]) =>
    sql`insert into things (name) select unnest(${names}::text[])`.execute(db);
  const names = async () =>
    (await db.selectFrom('things').select('name').orderBy('name').execute()).map(({ name }) => name);
  return { db, url, add, names };
}

describe('a column', () => {
  it('gives numbers where it counts up, as counts are', async () => {
    const { db, add } = await openThings();
    await add('a', 'b');
    const { count } = await db
      .selectFrom('things')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect([await db.selectFrom('things').selectAll().execute(), count]).toEqual([
      [
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
      ],
      2,
    ]);
  });

  it('holds every safe integer, and what is none is an error, not another number', async () => {
    const { db } = await openThings();
    const insert = (id: string) => sql`insert into things values (${id}::bigint, 'x')`.execute(db);
    const ids = () => db.selectFrom('things').select('id').execute();
    await insert(String(Number.MAX_SAFE_INTEGER));
    expect(await ids()).toEqual([{ id: Number.MAX_SAFE_INTEGER }]);
    await insert('9007199254740992');
    await expect(ids()).rejects.toThrow('no safe number');
  });

  it('sorts text by code points, whatever the locale of the database', async () => {
    const { db, add, names } = await openThings();
    await add('b', 'a', 'B', 'é', 'z', '_');
    expect(await names()).toEqual(['B', '_', 'a', 'b', 'z', 'é']);
    const query = sql<{ collation_name: string }>`select collation_name from information_schema.columns
      where table_name = 'things' and column_name = 'name'`;
    expect((await query.execute(db)).rows).toEqual([{ collation_name: 'C' }]);
  });
});

/** Lets writes of things fail so many times with this SQLSTATE: at once, or only when they are committed. */
async function failWrites(
  { db }: Awaited<ReturnType<typeof openThings>>,
  given: { times: number; code: string; when: 'at once' | 'at the commit' },
) {
  const kind = given.when === 'at once' ? 'trigger' : 'constraint trigger';
  const timing = given.when === 'at once' ? '' : 'deferrable initially deferred';
  // A sequence goes on counting when what counted is rolled back.
  await sql`create sequence runs`.execute(db);
  await sql
    .raw(
      `create function fail() returns trigger language plpgsql as $$ begin
        if nextval('runs') <= ${given.times} then raise exception 'made up' using errcode = '${given.code}'; end if;
        return new; end $$`,
    )
    .execute(db);
  await sql
    .raw(`create ${kind} fail after insert on things ${timing} for each row execute function fail()`)
    .execute(db);
  return async () => {
    const { rows } = await sql<{ runs: number }>`select last_value as runs from runs`.execute(db);
    return rows[0]?.runs;
  };
}

test('what processes put into an empty database at the same moment, they put in one after the other', async () => {
  const { db, names } = await openThings();
  const fill = (name: string) =>
    serialize(db, async (alone) => {
      const found = await alone.selectFrom('things').select('id').executeTakeFirst();
      if (!found) await sql`insert into things (name) values (${name})`.execute(alone);
    });
  const processes = ['a', 'b', 'c', 'd', 'e'];
  // So that each has its connection already, and the one that comes first is not done before the next begins.
  await Promise.all(processes.map(() => sql`select pg_sleep(0.1)`.execute(db)));
  await Promise.all(processes.map(fill));
  expect(await names()).toHaveLength(1);
});

describe('a conflict with another transaction', () => {
  it.each([
    ['40001', 'at once'],
    ['40P01', 'at once'],
    ['40001', 'at the commit'],
  ] as const)('has the whole run again: %s %s', async (code, when) => {
    const things = await openThings();
    const runsOf = await failWrites(things, { times: 2, code, when });
    const first: string[] = [];
    await things.db.transaction().execute(async (transaction) => {
      first.push('run');
      await transaction.insertInto('things').values({ id: 1, name: 'once' }).execute();
    });
    expect([first.length, await runsOf(), await things.names()]).toEqual([3, 3, ['once']]);
  });

  it('has a single statement run again too', async () => {
    const things = await openThings();
    await failWrites(things, { times: 2, code: '40001', when: 'at once' });
    await things.db.insertInto('things').values({ id: 1, name: 'once' }).execute();
    expect(await things.names()).toEqual(['once']);
  });

  it.each(['at once', 'at the commit'] as const)(
    'is refused as busy after a few runs where it does not end: %s',
    async (when) => {
      const things = await openThings();
      const runsOf = await failWrites(things, { times: 2 * mostRuns, code: '40001', when });
      const values = { id: 1, name: 'never' };
      const insert = () => things.db.insertInto('things').values(values).execute();
      const whole = () =>
        things.db
          .transaction()
          .execute((transaction) => transaction.insertInto('things').values(values).execute());
      for (const [index, work] of [insert, whole].entries()) {
        await expect(work()).rejects.toMatchObject({ code: 'busy', cause: { code: '40001' } });
        expect([await runsOf(), await things.names()]).toEqual([mostRuns * (index + 1), []]);
      }
      await insert();
      expect(await things.names()).toEqual(['never']);
    },
  );

  it('differs from other failures, after which nothing is run again', async () => {
    const things = await openThings();
    const runsOf = await failWrites(things, { times: 1, code: '23514', when: 'at once' });
    const work = things.db
      .transaction()
      .execute((transaction) => transaction.insertInto('things').values({ id: 1, name: 'x' }).execute());
    await expect(work).rejects.toMatchObject({ code: '23514' });
    expect(await runsOf()).toBe(1);
  });
});

describe('a connection that breaks', () => {
  it('is not used again where it owes an answer for too long', async () => {
    const db = openPostgres(`${await createDatabase()}?query_timeout=2000&statement_timeout=0`);
    onTestFinished(() => db.destroy());
    const session = async () =>
      (await sql<{ id: number }>`select pg_backend_pid() as id`.execute(db)).rows[0]?.id;
    const first = await session();
    await expect(sql`select pg_sleep(10)`.execute(db)).rejects.toMatchObject({
      code: 'database-unavailable',
    });
    expect(await session()).not.toBe(first);
  });

  it('says so where the disk has no room', async () => {
    const { db } = await openThings();
    const fail = sql`do $$ begin raise exception 'no space left' using errcode = 'disk_full'; end $$`;
    await expect(fail.execute(db)).rejects.toMatchObject({ code: 'disk-full' });
  });

  it('is replaced while nobody uses it', async () => {
    const { url, add, names } = await openThings();
    await add('kept');
    const other = openPostgres(url);
    onTestFinished(() => other.destroy());
    const ended = () =>
      sql`select count(*) as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(other);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(other);
    await expect.poll(async () => (await ended()).rows).toEqual([{ count: 0 }]);
    await expect.poll(() => names().catch(() => null)).toEqual(['kept']);
  });
});
