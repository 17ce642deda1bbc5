import type { Kysely } from 'kysely';
import type { JobState, Pause, RowReason, RowResult } from '../../contract/bff/job.ts';
import type { JobKind } from '../../contract/bff/journal.ts';

/** The tables of jobs: a job, and one row for each of its subscribers. */
export interface JobTables {
  jobs: JobTable;
  job_rows: JobRowTable;
  import_rows: ImportRowTable;
}

export interface JobTable {
  id: string;
  kind: JobKind;
  state: JobState;
  pause: Pause | null;
  /** Why it could not be prepared, in a sentence. */
  problem: string | null;
  staff_id: string;
  staff_name: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** `JobTargets` of the contract as on the wire, as JSON; null for `undo`. */
  targets: string | null;
  /** As JSON; null where the kind says it all. */
  change: string | null;
  /** Of an import: `NewImport` of the contract, as JSON, and how many characters of the file are here. */
  file: string | null;
  file_size: number;
  reason: string | null;
  request_id: string;
  undo_of: string | null;
  total: number;
  /** `JobCounts` of the contract, as JSON. */
  counts: string;
  /** `JobPreview` of the contract, as JSON; null until it is prepared. */
  preview: string | null;
  /** How many more rows may be changed before the job pauses; null if all may. */
  rows_left: number | null;
  /** How long it has run in all, in ms, and how many rows it did in that time. */
  ran_for: number;
  rows_done: number;
  /**
   * Until when the server that works on the job may do so, in ms since 1970. Another server then takes the job over, with
   * the next `fence`; whoever has an older one writes nothing any more.
   */
  lease_until: number;
  fence: number;
}

export interface JobRowTable {
  job_id: string;
  number: number;
  /** 0 where the subscriber is yet to be created. */
  subscriber_id: number;
  username: string;
  /** The version that the change was prepared for; null where there is none. */
  version: string | null;
  result: RowResult;
  why: RowReason | null;
  detail: string | null;
  /** The fields that differ, with a masked token, as JSON. */
  before: string | null;
  after: string | null;
  /** The entry that the row undoes, if the job undoes another one. */
  undo_of: string | null;
  /** How often somebody had it tried again after it failed: each time is a change of its own. */
  tries: number;
}

/** A row of a file that is imported. */
export interface ImportRowTable {
  job_id: string;
  number: number;
  /** As JSON. */
  cells: string;
}

/** The migration that creates them. */
export async function createJobTables(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('pause', 'text')
    .addColumn('problem', 'text')
    .addColumn('staff_id', 'text', (column) => column.notNull())
    .addColumn('staff_name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('targets', 'text')
    .addColumn('change', 'text')
    .addColumn('reason', 'text')
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('undo_of', 'text')
    .addColumn('total', 'bigint', (column) => column.notNull())
    .addColumn('counts', 'text', (column) => column.notNull())
    .addColumn('preview', 'text')
    .addColumn('rows_left', 'bigint')
    .addColumn('ran_for', 'bigint', (column) => column.notNull())
    .addColumn('rows_done', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('fence', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('jobs_at').on('jobs').columns(['created_at', 'id']).execute();
  await db.schema.createIndex('jobs_state').on('jobs').columns(['state', 'lease_until']).execute();
  await db.schema.createIndex('jobs_undo').on('jobs').column('undo_of').execute();
  await db.schema
    .createTable('job_rows')
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('subscriber_id', 'bigint', (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('version', 'text')
    .addColumn('result', 'text', (column) => column.notNull())
    .addColumn('why', 'text')
    .addColumn('detail', 'text')
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('undo_of', 'text')
    .addPrimaryKeyConstraint('job_rows_key', ['job_id', 'number'])
    .execute();
  await db.schema
    .createIndex('job_rows_result')
    .on('job_rows')
    .columns(['job_id', 'result', 'number'])
    .execute();
}

/** The migration that adds imports, and lets rows be tried again. */
export async function addImports(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('job_rows')
    .addColumn('tries', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('jobs').addColumn('file', 'text').execute();
  await db.schema
    .alterTable('jobs')
    .addColumn('file_size', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('import_rows')
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('cells', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('import_rows_key', ['job_id', 'number'])
    .execute();
}
