import { sql, type Kysely } from 'kysely';

/** The journal, the chain that protects it, and the answers to changes that may be sent again. */
export async function createJournal(db: Kysely<never>): Promise<void> {
  await createEntries(db);
  await db.schema
    .createTable('journal_links')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('entry_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('mac', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('journal_head')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('mac', 'text', (column) => column.notNull())
    .addColumn('anchor_seq', 'bigint', (column) => column.notNull())
    .addColumn('anchor_mac', 'text', (column) => column.notNull())
    .addColumn('anchor_proof', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('once')
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('entry_id', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('status', 'bigint')
    .addColumn('answer', 'text')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('once_entry').on('once').column('entry_id').execute();
  await db.schema.createIndex('once_at').on('once').column('at').execute();
}

async function createEntries(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('journal')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', (column) => column.notNull().unique())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('staff_id', 'text', (column) => column.notNull())
    .addColumn('staff_name', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('subscriber_id', 'bigint')
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('input', 'text')
    .addColumn('before_record', 'text')
    .addColumn('token_mac', 'text')
    .addColumn('reason', 'text')
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('undo_of', 'text')
    .addColumn('lock_key', 'text', (column) => column.notNull())
    .addColumn('closed_seq', 'bigint')
    .addColumn('closed_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('code', 'text')
    .addColumn('after', 'text')
    .addColumn('version', 'text')
    .execute();
  const index = (name: string) => db.schema.createIndex(`journal_${name}`).on('journal');
  await index('under_way')
    .unique()
    .column('lock_key')
    .where(sql<boolean>`outcome is null`)
    .execute();
  await index('lock').columns(['lock_key', 'closed_seq']).execute();
  await index('subscriber').columns(['subscriber_id', 'seq']).execute();
  await index('staff').columns(['staff_id', 'seq']).execute();
  await index('undo').column('undo_of').execute();
}
