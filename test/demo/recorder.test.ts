import { sql, type Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openRecordedSqlite } from '../../src/server/sql/wasm-sqlite.ts';

interface Tables {
  thing: { id: number; name: string };
  other: { id: number; name: string };
}

async function open() {
  const opened = await openRecordedSqlite<Tables>();
  for (const table of ['thing', 'other'] as const)
    await opened.db.schema
      .createTable(table)
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .execute();
  await put(opened.db, 1, 'before');
  await put(opened.db, 2, 'before');
  return opened;
}

const put = (db: Kysely<Tables>, id: number, name: string) =>
  db.insertInto('thing').values({ id, name }).execute();
const all = (db: Kysely<Tables>) => db.selectFrom('thing').selectAll().orderBy('id').execute();

describe('a recording', () => {
  it('repeats inserts, updates and deletes in another database', async () => {
    const [one, two] = [await open(), await open()];
    one.recorder.begin();
    await put(one.db, 3, 'Ørjan ☂ 中村');
    await one.db.updateTable('thing').set({ name: 'changed' }).where('id', '=', 1).execute();
    await one.db.deleteFrom('thing').where('id', '=', 2).execute();
    two.recorder.replay(one.recorder.changes());
    expect(await all(two.db)).toEqual([
      { id: 1, name: 'changed' },
      { id: 3, name: 'Ørjan ☂ 中村' },
    ]);
  });

  it('includes what was replayed during it', async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    one.recorder.begin();
    await put(one.db, 3, 'first');
    two.recorder.begin();
    two.recorder.replay(one.recorder.changes());
    await put(two.db, 4, 'second');
    three.recorder.replay(two.recorder.changes());
    expect((await all(three.db)).map(({ name }) => name)).toEqual(['before', 'before', 'first', 'second']);
  });

  it('contains only its table, and nothing from before it began', async () => {
    const { db, recorder } = await open();
    expect(recorder.changes()).toHaveLength(0);
    recorder.begin('thing');
    await db.insertInto('other').values({ id: 1, name: 'not this' }).execute();
    expect(recorder.changes()).toHaveLength(0);
  });

  it('changes nothing where it conflicts with other changes', async () => {
    const [one, two] = [await open(), await open()];
    one.recorder.begin();
    await put(one.db, 3, 'mine');
    await put(two.db, 3, 'theirs');
    const before = await all(two.db);
    expect(() => two.recorder.replay(one.recorder.changes())).toThrow(/abort/i);
    expect(await all(two.db)).toEqual(before);
    await sql`select 1`.execute(two.db);
  });
});
