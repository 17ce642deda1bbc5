import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';

interface Tables {
  words: { id: number; word: string };
}

async function openWords(words: readonly string[]) {
  const db = openNodeSqlite<Tables>(':memory:');
  onTestFinished(() => db.destroy());
  await db.schema
    .createTable('words')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('word', 'text')
    .execute();
  for (const [id, word] of words.entries()) await db.insertInto('words').values({ id, word }).execute();
  const all = () => db.selectFrom('words').selectAll().orderBy('id');
  return { db, all };
}

describe('a statement that is used again', () => {
  it('gives what is there now', async () => {
    const { db, all } = await openWords(['one']);
    expect(await all().execute()).toHaveLength(1);
    await db.insertInto('words').values({ id: 7, word: 'seven' }).execute();
    expect(await all().execute()).toHaveLength(2);
  });

  it('has the columns that its table has now', async () => {
    const { db, all } = await openWords(['one']);
    await all().execute();
    await db.schema.alterTable('words').addColumn('meaning', 'text').execute();
    expect(await all().executeTakeFirst()).toEqual({ id: 0, word: 'one', meaning: null });
  });

  it('is one of very many, and all of them answer', async () => {
    const { db } = await openWords(['one']);
    for (let count = 1; count < 500; count += 1) {
      const ids = Array.from({ length: count }, (_, id) => id);
      const found = await db.selectFrom('words').select('word').where('id', 'in', ids).execute();
      expect(found).toEqual([{ word: 'one' }]);
    }
  });
});

test('a transaction that SQLite has rolled back by itself fails for that reason, and the next one is done', async () => {
  const { db, all } = await openWords([]);
  await sql`create trigger no_words before insert on words when new.word = 'no' begin
    select raise(rollback, 'no such word'); end`.execute(db);
  const add = (word: string) =>
    db
      .transaction()
      .execute((transaction) => transaction.insertInto('words').values({ id: 1, word }).execute());
  await expect(add('no')).rejects.toThrow('no such word');
  await add('yes');
  expect(await all().execute()).toEqual([{ id: 1, word: 'yes' }]);
});
