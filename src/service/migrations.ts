import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createListIndexes, createUniqueIndexes } from './subscribers/indexes.ts';
import type { ServiceDb } from './schema.ts';
import { addEmailIndex, createHiddenTextIndexes, createSearchIndex } from './subscribers/text-search.ts';
import { addStaleAddresses, createValues } from './subscribers/values.ts';

/**
 * The migrations of the service's tables. A released migration keeps its name, by which databases remember it, and
 * leads to the same tables in the end.
 */
export const serviceMigrations: Record<string, Migration> = {
  '0001-tables': {
    async up(db) {
      await createSubscribers(db);
      await createApiAccess(db);
    },
  },
  '0002-email-index': { up: addEmailIndex },
  '0003-values': { up: addValues },
  '0004-stale-addresses': { up: addStaleAddresses },
  '0005-notes-and-tokens': { up: createHiddenTextIndexes },
};

async function createSubscribers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscriber_statuses')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .execute();
  await db
    .withTables<{ subscriber_statuses: { id: number; name: string } }>()
    .insertInto('subscriber_statuses')
    .values(['Active', 'Suspended', 'Blocked'].map((name, index) => ({ id: index + 1, name })))
    .execute();
  await db.schema
    .createTable('subscribers')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('access_token', 'text', (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('username_search', 'text', (column) => column.notNull())
    .addColumn('username_folded', 'text')
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_search', 'text', (column) => column.notNull())
    .addColumn('email_folded', 'text')
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
  await createUniqueIndexes(db);
  await createListIndexes(db);
  await createSearchIndex(db);
}

/** The table of values, which is filled while the server runs if there are subscribers. */
async function addValues(db: ServiceDb): Promise<void> {
  await db.schema
    .alterTable('subscribers')
    .addColumn('address_keys', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  await createValues(db);
  await db.schema
    .createTable('subscriber_values_fill')
    .addColumn('after_id', 'integer', (column) => column.notNull())
    .execute();
  const first = await db.selectFrom('subscribers').select('id').limit(1).executeTakeFirst();
  if (first) await db.insertInto('subscriber_values_fill').values({ after_id: 0 }).execute();
}

async function createApiAccess(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_clients')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('client_secrets')
    .addColumn('client_id', 'text', (column) => column.notNull().references('api_clients.id'))
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('client_secrets_key', ['client_id', 'generation'])
    .execute();
  await db.schema
    .createTable('signing_keys')
    .addColumn('generation', 'integer', (column) => column.primaryKey())
    .addColumn('kid', 'text', (column) => column.notNull().unique())
    .addColumn('private_jwk', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
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
