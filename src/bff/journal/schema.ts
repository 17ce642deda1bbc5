import { sql, type Kysely } from 'kysely';
import type { Change, EntryKind, JournalOperation, Outcome } from '../../contract/bff/journal.ts';

/** The tables of the journal, of the hash chain that protects it, and of the stored answers by `Idempotency-Key`. */
export interface JournalTables {
  journal: JournalTable;
  journal_links: JournalLinkTable;
  journal_head: JournalHeadTable;
  once: IdempotencyKeyTable;
}

/**
 * One entry. A change is written in two halves: `closed_seq` and the columns after it when the outcome is known, the rest
 * before. An event is written whole.
 */
export interface JournalTable {
  id: string;
  /** The number of the link that covers the beginning. */
  seq: number;
  at: number;
  staff_id: string;
  staff_name: string;
  operation: JournalOperation;
  /** Follows from the operation; a column of its own so that a list can be read by it. */
  kind: EntryKind;
  /** Part of the outcome for a creation, else of the beginning. */
  subscriber_id: number | null;
  username: string;
  /** The username as it is searched for, see `searchText`. */
  username_key: string;
  /** Of a change the fields that were entered, of an event what it tells, as JSON. */
  input: string | null;
  /** The staff account that an event of the kind `staff` was done to; it is in `input`, too. */
  account_id: string | null;
  /** The whole record before the change, its token masked, as JSON. */
  before_record: string | null;
  /** The MAC of the token before the change: shows whether it was replaced, without storing the token. */
  token_mac: string | null;
  reason: string | null;
  request_id: string;
  undo_of: string | null;
  /** The job that makes the change, if one does. */
  job_id: string | null;
  /** At most one open entry has the same key, so one change of a subscriber runs at a time. Empty for an event. */
  lock_key: string;
  closed_seq: number | null;
  closed_at: number | null;
  outcome: Outcome | null;
  code: string | null;
  /** The fields that differ after the change, its token masked, as JSON. */
  after: string | null;
  /** The record's version after the change. */
  version: string | null;
}

/** An entry of a change. */
export type ChangeRow = JournalTable & { operation: Change };

export type EntryLinkKind = 'intent' | 'outcome' | 'event';

/** The hash chain over the journal. Each link covers the link before it and one half of an entry, or an event whole. */
export interface JournalLinkTable {
  seq: number;
  /** Empty for the kind `key`. */
  entry_id: string;
  /** `key`: the first link under an outside key. It covers no entry. */
  kind: EntryLinkKind | 'key';
  mac: string;
  /** Set once the BFF has deleted the entry, or erased part of it; see `proofOfLink`. */
  proof: string | null;
}

/** One row: the end of the chain, and the anchor where it begins since older links were deleted. */
export interface JournalHeadTable {
  id: number;
  seq: number;
  mac: string;
  anchor_seq: number;
  anchor_mac: string;
  /** Proves that the BFF itself deleted what came before the anchor; see `proofOf`. */
  anchor_proof: string;
  /** The outside key that makes the links, by its public name; null for the database's own key. */
  key_id: string | null;
  /** The link of the kind `key`; the anchor where that is later; 0 without an outside key. */
  key_seq: number;
}

/** The answers to changes with an `Idempotency-Key`. */
export interface IdempotencyKeyTable {
  /** SHA-256 of the user's id and the key. */
  key_hash: string;
  entry_id: string;
  /** The MAC of the request: another request with the same key is refused. */
  fingerprint: string;
  /** Null until the change is answered. */
  status: number | null;
  /** The headers and the body, encrypted under the key. */
  answer: string | null;
  at: number;
}

/** The migration that creates them. */
export async function createJournalTables(db: Kysely<never>): Promise<void> {
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

/** The migration that lets the chain be under a key that is kept outside the database. */
export async function addOutsideKey(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('journal_head').addColumn('key_id', 'text').execute();
  await db.schema
    .alterTable('journal_head')
    .addColumn('key_seq', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** The migration that lets links stay valid whose entries are deleted. */
export async function addProofsOfLinks(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('journal_links').addColumn('proof', 'text').execute();
  await db.schema.createIndex('journal_links_entry').on('journal_links').column('entry_id').execute();
}

/**
 * The migration that lets each list of activity and its count be read from one index. An index begins with the column
 * of a filter, continues in the order of the list, and also has the columns of the other filters.
 */
export async function createActivityIndexes(db: Kysely<never>): Promise<void> {
  const lists = {
    all: ['at', 'seq', 'operation', 'staff_id'],
    of_staff: ['staff_id', 'at', 'seq', 'operation'],
    of_operation: ['operation', 'at', 'seq', 'staff_id'],
    of_subscriber: ['subscriber_id', 'at', 'seq', 'operation', 'staff_id'],
  };
  for (const [name, columns] of Object.entries(lists))
    await db.schema.createIndex(`activity_${name}`).on('journal').columns(columns).execute();
  await db.schema.dropIndex('journal_subscriber').execute();
  await db.schema.dropIndex('journal_staff').execute();
}

/** The migration that tells the kinds of entries apart; all that are there are changes. */
export async function addEntryKinds(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('journal')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('change'))
    .execute();
  const lists = {
    of_kind: ['kind', 'at', 'seq', 'staff_id'],
    of_staff: ['staff_id', 'at', 'seq', 'operation', 'kind'],
    of_subscriber: ['subscriber_id', 'at', 'seq', 'operation', 'staff_id', 'kind'],
  };
  await db.schema.dropIndex('activity_of_staff').execute();
  await db.schema.dropIndex('activity_of_subscriber').execute();
  for (const [name, columns] of Object.entries(lists))
    await db.schema.createIndex(`activity_${name}`).on('journal').columns(columns).execute();
}

/**
 * The migration that lets jobs make changes. Every list filters by the job, so each of its indexes has the column.
 */
export async function addJobsToEntries(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('journal').addColumn('job_id', 'text').execute();
  const lists = {
    all: ['at', 'seq', 'operation', 'staff_id', 'job_id'],
    of_kind: ['kind', 'at', 'seq', 'staff_id', 'job_id'],
    of_staff: ['staff_id', 'at', 'seq', 'operation', 'kind', 'job_id'],
    of_operation: ['operation', 'at', 'seq', 'staff_id', 'job_id'],
    of_subscriber: ['subscriber_id', 'at', 'seq', 'operation', 'staff_id', 'kind', 'job_id'],
  };
  for (const [name, columns] of Object.entries(lists)) {
    await db.schema.dropIndex(`activity_${name}`).execute();
    await db.schema.createIndex(`activity_${name}`).on('journal').columns(columns).execute();
  }
  await db.schema
    .createIndex('activity_of_job')
    .on('journal')
    .columns(['job_id', 'at', 'seq'])
    .where(sql<boolean>`job_id is not null`)
    .execute();
}
