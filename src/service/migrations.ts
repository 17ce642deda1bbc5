import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createListIndexes, dropListIndexes } from './subscribers/indexes.ts';
import { createSearchIndex, dropSearchIndex } from './subscribers/text-search.ts';
import { foldText } from '../contract/service/search-text.ts';
import { isPostgres } from './database.ts';

/**
 * How the service's tables came to be. A released migration keeps its name, by which databases remember it, and leads
 * to the same tables in the end.
 */
export const serviceMigrations: Record<string, Migration> = {
  '0001-subscribers': {
    async up(db) {
      await createStatuses(db);
      await createSubscribers(db);
      await createApiAccess(db);
    },
  },
  '0002-client-secrets': { up: moveClientSecrets },
  '0003-large-lists': {
    // Also made the search index, which 0007 makes anew.
    async up(db) {
      await db.schema.dropIndex('subscribers_expires_at').execute();
    },
  },
  '0004-once': { up: createOnce },
  // Changed only what 0006 drops. Databases remember its name, so it stays.
  '0005-tallies-by-name': { async up() {} },
  // Also made the indexes of lists, which 0007 makes anew.
  '0006-covering-indexes': { up: dropCountTables },
  '0007-folded-names': {
    async up(db) {
      for (const column of ['username_folded', 'email_folded'])
        await db.schema.alterTable('subscribers').addColumn(column, 'text').execute();
      await dropListIndexes(db);
      await dropSearchIndex(db);
      await foldNames(db);
      await createSearchIndex(db);
      await createListIndexes(db);
    },
  },
};

/** Earlier versions kept counts in tables with triggers, which migration 0003 created at the time. */
async function dropCountTables(db: Kysely<unknown>): Promise<void> {
  for (const event of ['insert', 'delete', 'update'])
    for (const name of [`subscribers_tally_${event}`, `subscribers_trigram_${event}`])
      await sql
        .raw(isPostgres(db) ? `drop function if exists ${name} cascade` : `drop trigger if exists ${name}`)
        .execute(db);
  for (const table of ['tallies', 'tally_state', 'name_buckets', 'trigrams'])
    await sql.raw(`drop table if exists subscriber_${table}`).execute(db);
  for (const index of ['id', 'expiry', 'username', 'status', 'trial'])
    await db.schema.dropIndex(`subscribers_by_${index}`).ifExists().execute();
}

async function createStatuses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscriber_statuses')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .execute();
  await db
    .withTables<{ subscriber_statuses: { id: number; name: string } }>()
    .insertInto('subscriber_statuses')
    .values([
      { id: 1, name: 'Active' },
      { id: 2, name: 'Suspended' },
      { id: 3, name: 'Blocked' },
    ])
    .execute();
}

async function createSubscribers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscribers')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('access_token', 'text', (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('username_search', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_search', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('max_connections', 'integer', (column) => column.notNull())
    .addColumn('is_trial', 'integer', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('status_id', 'integer', (column) => column.notNull().references('subscriber_statuses.id'))
    .addColumn('hls', 'integer', (column) => column.notNull())
    .addColumn('mpeg_ts', 'integer', (column) => column.notNull())
    .addColumn('bundles', 'text', (column) => column.notNull())
    .addColumn('ip_addresses', 'text', (column) => column.notNull())
    .addColumn('user_agents', 'text', (column) => column.notNull())
    .addColumn('countries', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('subscribers');
  await index('subscribers_username_search').column('username_search').unique().execute();
  await index('subscribers_access_token').column('access_token').unique().execute();
  await index('subscribers_expires_at').columns(['expires_at', 'id']).execute();
}

async function createApiAccess(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_clients')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('secret_digest', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('signing_keys')
    .addColumn('generation', 'integer', (column) => column.primaryKey())
    .addColumn('kid', 'text', (column) => column.notNull().unique())
    .addColumn('private_jwk', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}

/** From one secret for each client to several, so that one can be replaced while the other is in use. */
async function moveClientSecrets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('client_secrets')
    .addColumn('client_id', 'text', (column) => column.notNull().references('api_clients.id'))
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('client_secrets_key', ['client_id', 'generation'])
    .execute();
  await db
    .withTables<{
      api_clients: { id: string; secret_digest: string };
      client_secrets: { client_id: string; generation: number; digest: string };
    }>()
    .insertInto('client_secrets')
    .columns(['client_id', 'generation', 'digest'])
    .expression((eb) =>
      eb.selectFrom('api_clients').select((row) => ['id', row.lit(1).as('generation'), 'secret_digest']),
    )
    .execute();
  await db.schema.alterTable('api_clients').dropColumn('secret_digest').execute();
}

/** Fills the folded names. Those of ASCII alone need none. */
async function foldNames(db: Kysely<unknown>): Promise<void> {
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; username: string; email: string }>`
      select id, username_search as username, email_search as email from subscribers
      where id > ${after} and (octet_length(username_search) > length(username_search)
        or octet_length(email_search) > length(email_search))
      order by id limit ${batch}`.execute(db);
    const changed = rows
      .map(({ id, username, email }) => [id, otherThan(username), otherThan(email)] as const)
      .filter(([, ...folded]) => folded.some((text) => text !== null));
    if (changed.length > 0)
      await sql`update subscribers set username_folded = column2, email_folded = column3
        from (values ${sql.join(changed.map((row) => sql`(${sql.join(row)})`))}) as folded
        where subscribers.id = cast(column1 as integer)`.execute(db);
    if (rows.length < batch) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** How many rows are folded by one statement. */
const batch = 5000;

function otherThan(search: string): string | null {
  const folded = foldText(search);
  return folded === search ? null : folded;
}

async function createOnce(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('service_once')
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('key_digest', 'text', (column) => column.notNull())
    .addColumn('change_digest', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('service_once_key', ['client_id', 'key_digest'])
    .execute();
  await db.schema.createIndex('service_once_created_at').on('service_once').column('created_at').execute();
}
