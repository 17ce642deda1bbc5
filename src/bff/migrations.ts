import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addSessionLabels } from './auth/own-sessions.ts';
import { addImports, createJobTables } from './jobs/schema.ts';
import { addIndexOfConversions } from './journal/conversions.ts';
import { addIndexOfEndedTokens } from './journal/former-token.ts';
import { addSearchOfEntries } from './journal/search-columns.ts';
import {
  addEntryKinds,
  addJobsToEntries,
  addOutsideKey,
  addProofsOfLinks,
  createActivityIndexes,
  createJournalTables,
} from './journal/schema.ts';
import type { BffTables } from './schema.ts';
import { nameKey, numberedName } from './staff/name-key.ts';

/** The BFF's tables, step by step; each step is run once, in this order. */
export const bffMigrations: Record<string, Migration> = {
  '0001-staff-and-sessions': { up: createStaffAndSessions },
  '0002-staff-accounts': { up: extendStaff },
  '0003-known-browsers': { up: createKnownBrowsers },
  '0004-replicas': { up: createWhatReplicasShare },
  '0005-drafts': { up: createDrafts },
  '0006-single-sign-on': { up: createSingleSignOn },
  '0007-views': { up: createViews },
  '0008-journal': { up: createJournalTables },
  '0009-end-of-one-time-passwords': { up: addEndOfPasswords },
  '0010-name-keys': { up: renewNameKeys },
  '0011-activity-indexes': { up: createActivityIndexes },
  '0020-entry-kinds': { up: addEntryKinds },
  '0021-provider-sessions': { up: addProviderSessions },
  '0022-failed-sign-ins': { up: createFailedSignIns },
  '0023-jobs': { up: createJobTables },
  '0024-entries-of-jobs': { up: addJobsToEntries },
  '0025-outside-key': { up: addOutsideKey },
  '0026-proofs-of-links': { up: addProofsOfLinks },
  '0027-imports': { up: addImports },
  '0028-search-of-entries': { up: addSearchOfEntries },
  '0029-conversions': { up: addIndexOfConversions },
  '0030-messages': { up: createMessages },
  '0031-ended-tokens': { up: addIndexOfEndedTokens },
  '0032-recent-subscribers': { up: createRecentSubscribers },
  '0033-own-sessions': { up: addSessionLabels },
  '0034-second-factors': { up: createSecondFactors },
  '0035-passkeys': { up: createPasskeys },
};

async function createStaffAndSessions(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('staff')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('disabled', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('sessions')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('staff_id', 'text', (column) => column.notNull().references('staff.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_staff').on('sessions').column('staff_id').execute();
  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('attempts_account').on('sign_in_attempts').columns(['account', 'at']).execute();
  await db.schema.createIndex('attempts_address').on('sign_in_attempts').columns(['address', 'at']).execute();
}

/** One column a statement: SQLite adds no two at once. */
async function extendStaff(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('staff')
    .addColumn('must_change_password', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('staff').addColumn('last_sign_in_at', 'bigint').execute();
}

async function createKnownBrowsers(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('known_browsers')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('staff_id', 'text', (column) => column.notNull().references('staff.id').onDelete('cascade'))
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('known_browsers_staff').on('known_browsers').column('staff_id').execute();
}

async function createWhatReplicasShare(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('sign_in_turns')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}

async function createDrafts(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('drafts')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('form', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('saved_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('drafts_key', ['owner', 'form'])
    .execute();
}

/** A subject is a person at an OpenID provider; a local account has neither. */
async function createSingleSignOn(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('staff').addColumn('issuer', 'text').execute();
  await db.schema.alterTable('staff').addColumn('subject', 'text').execute();
  const subjects = db.schema.createIndex('staff_subject').unique().on('staff');
  await subjects.columns(['issuer', 'subject']).execute();
  await db.schema
    .createTable('single_sign_ons')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('return_to', 'text', (column) => column.notNull())
    .addColumn('former_session', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('single_sign_ons_address')
    .on('single_sign_ons')
    .columns(['address', 'at'])
    .execute();
}

/**
 * Without a reference to an account, because there are none in a tab. Accounts are never deleted, so no view is left
 * behind.
 */
async function createViews(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('views')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('query', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('views_key', ['owner', 'id'])
    .execute();
}

async function addEndOfPasswords(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('staff').addColumn('password_expires_at', 'bigint').execute();
}

/**
 * Gives each account the key by which its name is compared now. Of accounts that look the same, the one whose name has
 * been its key keeps the name, and the others get a number.
 */
async function renewNameKeys(db: Kysely<Pick<BffTables, 'staff'>>): Promise<void> {
  const rows = await db
    .selectFrom('staff')
    .select(['id', 'name', 'name_key'])
    .orderBy('created_at')
    .execute();
  const { kept = [], renewed = [] } = Object.groupBy(rows, (row) =>
    nameKey(row.name) === row.name_key ? 'kept' : 'renewed',
  );
  const taken = new Set(kept.map((row) => row.name_key));
  for (const { id, name } of renewed) {
    let count = 1;
    while (taken.has(nameKey(numberedName(name, count)))) count += 1;
    const renamed = numberedName(name, count);
    taken.add(nameKey(renamed));
    const change = { name: renamed, name_key: nameKey(renamed) };
    await db.updateTable('staff').set(change).where('id', '=', id).execute();
  }
}

async function addProviderSessions(db: Kysely<never>): Promise<void> {
  const sessions = () => db.schema.alterTable('sessions');
  await sessions().addColumn('provider_session', 'text').execute();
  await sessions().addColumn('refresh_token', 'text').execute();
  await sessions().addColumn('checked_at', 'bigint').execute();
  await db.schema
    .createTable('provider_logouts')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .addColumn('provider_session', 'text')
    .addColumn('subject', 'text')
    .execute();
  const index = (name: string) => db.schema.createIndex(`provider_logouts_${name}`).on('provider_logouts');
  await index('session').column('provider_session').execute();
  await index('subject').column('subject').execute();
}

async function createFailedSignIns(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('failed_sign_ins')
    .addColumn('account', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('first_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('times', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .execute();
}

async function createMessages(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('messages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('occasion', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
}

async function createRecentSubscribers(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('recent_subscribers')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('subscriber_id', 'bigint', (column) => column.notNull())
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('recent_subscribers_key', ['owner', 'subscriber_id'])
    .execute();
}

async function createSecondFactors(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('second_factors')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('staff_id', 'text', (column) => column.notNull().references('staff.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('last_counter', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute();
  await db.schema
    .createTable('recovery_codes')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('staff_id', 'text', (column) => column.notNull().references('staff.id').onDelete('cascade'))
    .addColumn('used_at', 'bigint')
    .execute();
  for (const table of ['second_factors', 'recovery_codes'])
    await db.schema.createIndex(`${table}_staff`).on(table).column('staff_id').execute();
}

async function createPasskeys(db: Kysely<never>): Promise<void> {
  // SQLite adds one column at a time.
  for (const name of ['credential_id', 'name'])
    await db.schema.alterTable('second_factors').addColumn(name, 'text').execute();
  const index = db.schema.createIndex('second_factors_credential').on('second_factors');
  await index.column('credential_id').unique().execute();
  await db.schema
    .createTable('used_challenges')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
}
