import { sql, type Kysely } from 'kysely';
import { searchColumnsOf } from './chain.ts';
import type { JournalTables } from './schema.ts';

/**
 * The migration that lets entries be searched by a subscriber's name and by the account that they are about. `activity_all` gets the columns of all filters, so that neither a search nor
 * totals read the entries themselves.
 */
export async function addSearchOfEntries(db: Kysely<JournalTables>): Promise<void> {
  const journal = () => db.schema.alterTable('journal');
  await journal()
    .addColumn('username_key', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await journal().addColumn('account_id', 'text').execute();
  // Databases fold only ASCII, or by their locale, so the rows where that is not right are corrected.
  await db
    .updateTable('journal')
    .set({ username_key: sql<string>`lower(username)` })
    .execute();
  for (let after = 0, rows = await readRows(db, after); rows.length > 0; rows = await readRows(db, after))
    for (const row of rows) {
      after = row.seq;
      const own = searchColumnsOf(row);
      if (own.username_key === row.username_key && own.account_id === null) continue;
      await db.updateTable('journal').set(own).where('seq', '=', row.seq).execute();
    }
  await db.schema.dropIndex('activity_all').execute();
  await db.schema
    .createIndex('activity_all')
    .on('journal')
    .columns([
      'at',
      'seq',
      'operation',
      'staff_id',
      'job_id',
      'kind',
      'outcome',
      'account_id',
      'username_key',
    ])
    .execute();
}

const readRows = (db: Kysely<JournalTables>, after: number) =>
  db
    .selectFrom('journal')
    .select(['seq', 'kind', 'username', 'username_key', 'input'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(5000)
    .execute();
