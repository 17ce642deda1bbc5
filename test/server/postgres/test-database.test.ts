import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { openTestDatabase } from '../../support/setup/database.ts';

const open = () => openTestDatabase<BffTables>('bff', bffMigrations);
const namesIn = async (db: Kysely<BffTables>) =>
  (await db.selectFrom('secrets').select('name').execute()).map(({ name }) => name);
const write = (db: Kysely<BffTables>, name: string) =>
  db.transaction().execute((tx) => tx.insertInto('secrets').values({ name, value: '' }).execute());

let left: Kysely<BffTables>;

test('a database is used by one test', async () => {
  left = await open();
  await write(left, 'one');
  expect(await namesIn(left)).toEqual(['one']);
});

test('a database is empty for the next test, and refuses what the one before has left running', async () => {
  const db = await open();
  await expect(namesIn(left)).rejects.toThrow('The test of this database is over.');
  await expect(write(left, 'late')).rejects.toThrow('The test of this database is over.');
  expect(await namesIn(db)).toEqual([]);
  await write(db, 'another');
  expect(await namesIn(db)).toEqual(['another']);
});
