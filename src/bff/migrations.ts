import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { becamePaid } from './journal/schema.ts';
import { endedToken } from './journal/previous-token.ts';

/**
 * The BFF's tables, step by step; each step is run once, in this order. A released step keeps its name, by which databases
 * remember it, and its text.
 */
export const bffMigrations: Record<string, Migration> = {
  '0001-baseline': {
    async up(db) {
      for (const tables of [staffTables, personalTables, journalTables, jobTables])
        for (const statement of tables.split(';')) await sql.raw(statement).execute(db);
      await createPartialIndexes(db);
    },
  },
  '0002-jobs-later': {
    async up(db) {
      await db.schema.alterTable('jobs').addColumn('starts_at', 'bigint').execute();
    },
  },
  '0003-warnings-of-rows': {
    async up(db) {
      await db.schema.alterTable('job_rows').addColumn('warnings', 'text').execute();
    },
  },
  '0004-columns-of-views': {
    async up(db) {
      for (const name of ['hidden', 'exported'])
        await db.schema.alterTable('views').addColumn(name, 'text').execute();
    },
  },
  '0005-bundles': {
    async up(db) {
      await db.schema
        .createTable('bundle_list')
        .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
        .addColumn('bundles', 'text', (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .execute();
    },
  },
};

const staffTables = `
create table staff (
  id text primary key,
  name text not null,
  name_key text not null unique,
  role text not null,
  password_hash text not null,
  disabled integer not null default 0,
  created_at bigint not null,
  must_change_password integer not null default 0,
  password_expires_at bigint,
  last_sign_in_at bigint,
  issuer text,
  subject text
);
create unique index staff_subject on staff (issuer, subject);
create table sessions (
  key text primary key,
  public_id text not null,
  staff_id text not null references staff (id) on delete cascade,
  browser text not null,
  created_at bigint not null,
  seen_at bigint not null,
  proved_at bigint,
  provider_session text,
  refresh_token text,
  checked_at bigint
);
create index sessions_staff on sessions (staff_id);
create table attempts (key text primary key, until bigint not null);
create table known_browsers (
  key text primary key,
  staff_id text not null references staff (id) on delete cascade,
  seen_at bigint not null
);
create index known_browsers_staff on known_browsers (staff_id);
create table failed_sign_ins (
  account text primary key,
  name text not null,
  first_at bigint not null,
  last_at bigint not null,
  times bigint not null,
  request_id text not null
);
create table secrets (name text primary key, value text not null);
create table second_factors (
  id text primary key,
  staff_id text not null references staff (id) on delete cascade,
  kind text not null,
  secret text not null,
  last_counter bigint not null,
  created_at bigint not null,
  last_used_at bigint,
  credential_id text unique,
  name text
);
create index second_factors_staff on second_factors (staff_id);
create table recovery_codes (
  key text primary key,
  staff_id text not null references staff (id) on delete cascade,
  used_at bigint
);
create index recovery_codes_staff on recovery_codes (staff_id);
create table used_challenges (key text primary key, until bigint not null);
create table single_sign_ons (
  key text primary key,
  return_to text not null,
  previous_session text,
  address text not null,
  at bigint not null
);
create index single_sign_ons_address on single_sign_ons (address, at);
create table provider_logouts (key text primary key, issued_at bigint not null, provider_session text, subject text);
create index provider_logouts_session on provider_logouts (provider_session);
create index provider_logouts_subject on provider_logouts (subject)`;

/** Owners are no references to accounts: there are none in a tab, and what is shared has none. */
const personalTables = `
create table drafts (
  owner text not null,
  form text not null,
  body text not null,
  saved_at bigint not null,
  primary key (owner, form)
);
create table views (
  owner text not null,
  id text not null,
  place integer not null,
  name text not null,
  query text not null,
  primary key (owner, id)
);
create table messages (
  id text primary key,
  occasion text not null,
  language text not null,
  name text not null,
  text text not null,
  version integer not null
);
create table recent_subscribers (
  owner text not null,
  subscriber_id bigint not null,
  opened_at bigint not null,
  primary key (owner, subscriber_id)
)`;

/**
 * Each list of activity, with its count, is read from one index. An index begins with the column of a filter, continues in
 * the order of the list, and has the columns of the other filters. `activity_all` has those of all filters.
 */
const journalTables = `
create table journal (
  id text primary key,
  seq bigint not null unique,
  at bigint not null,
  staff_id text not null,
  staff_name text not null,
  operation text not null,
  kind text not null,
  subscriber_id bigint,
  username text not null,
  username_key text not null,
  input text,
  account_id text,
  before_record text,
  token_mac text,
  reason text,
  request_id text not null,
  undo_of text,
  job_id text,
  lock_key text not null,
  closed_seq bigint unique,
  closed_at bigint,
  outcome text,
  code text,
  after text,
  version text,
  mac text not null,
  closed_mac text,
  proof text,
  key_hash text,
  fingerprint text
);
create unique index journal_under_way on journal (lock_key) where outcome is null;
create index journal_lock on journal (lock_key, closed_seq);
create index journal_undo on journal (undo_of);
create index activity_all on journal (at, seq, operation, staff_id, job_id, kind, outcome, account_id, username_key);
create index activity_of_kind on journal (kind, at, seq, staff_id, job_id);
create index activity_of_staff on journal (staff_id, at, seq, operation, kind, job_id);
create index activity_of_operation on journal (operation, at, seq, staff_id, job_id);
create index activity_of_subscriber on journal (subscriber_id, at, seq, operation, staff_id, kind, job_id);
create index activity_of_job on journal (job_id, at, seq) where job_id is not null;
create index journal_keys on journal (key_hash, at) where key_hash is not null;
create table journal_head (
  id bigint primary key,
  seq bigint not null,
  mac text not null,
  anchor_seq bigint not null,
  anchor_mac text not null,
  anchor_proof text not null,
  key_id text,
  key_seq bigint not null,
  key_mac text not null
)`;

const jobTables = `
create table jobs (
  id text primary key,
  kind text not null,
  state text not null,
  pause text,
  problem text,
  staff_id text not null,
  staff_name text not null,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  targets text,
  change text,
  file text,
  reason text,
  request_id text not null,
  undo_of text,
  total bigint not null,
  counts text not null,
  preview text,
  rows_left bigint,
  ran_for bigint not null,
  rows_done bigint not null,
  lease_until bigint not null,
  fence bigint not null
);
create index jobs_at on jobs (created_at, id);
create index jobs_state on jobs (state, lease_until);
create index jobs_undo on jobs (undo_of);
create table job_rows (
  job_id text not null references jobs (id) on delete cascade,
  number bigint not null,
  subscriber_id bigint not null,
  username text not null,
  version text,
  result text not null,
  why text,
  detail text,
  before text,
  after text,
  undo_of text,
  tries bigint not null,
  source text,
  primary key (job_id, number)
);
create index job_rows_result on job_rows (job_id, result, number);
create table imports (
  id text primary key,
  staff_id text not null,
  created_at bigint not null,
  state text not null
);
create table import_parts (
  import_id text not null references imports (id) on delete cascade,
  first bigint not null,
  rows text not null,
  primary key (import_id, first)
)`;

/** For two reads whose conditions have to be the same words as those of the index, so that engines use it. */
async function createPartialIndexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string) => db.schema.createIndex(`journal_${name}`).on('journal');
  await index('conversions').column('at').where(becamePaid).execute();
  await index('ended_tokens').column('token_mac').where(endedToken).execute();
}
