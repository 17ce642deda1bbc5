import type { ExportFormat } from '../../contract/bff/export-format.ts';
import type { ImportPlan } from '../../contract/bff/import.ts';
import type { JobState, Pause, RowReason, RowResult } from '../../contract/bff/job.ts';
import type { JobKind } from '../../contract/bff/journal.ts';

/** The tables of jobs: a job, and one row for each of its subscribers; and files that are imported. */
export interface JobTables {
  jobs: JobTable;
  job_rows: JobRowTable;
  imports: ImportTable;
  import_parts: ImportPartTable;
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
  /** When a job that is ready starts by itself; null in other states, and if somebody has to start it. */
  starts_at: number | null;
  /** `JobTargets` of the contract as on the wire, as JSON; null for `undo`. */
  targets: string | null;
  /** As JSON; null where the kind says it all. */
  change: string | null;
  /** The `ImportedFile` of an import, as JSON. */
  file: string | null;
  reason: string | null;
  request_id: string;
  undo_of: string | null;
  total: number;
  /** `JobCounts` of the contract, as JSON. */
  counts: string;
  /** `JobPreview` of the contract, as JSON; null until it is prepared. */
  preview: string | null;
  /** Number of rows that may be changed before the job pauses; null if all may. */
  rows_left: number | null;
  /** Time that it has run in all, in ms, and number of rows that it did in that time. */
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
  /** From 1; that of an import is its place in the file, which may also have blank rows. */
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
  /** Warnings of the preview, each between two spaces: " status-2 expired ". */
  warnings: string | null;
  /** Number of times that somebody had it tried again after it failed: each time is a change of its own. */
  tries: number;
  /** The cells of a row of a file that has errors, as JSON. */
  source: string | null;
}

/** A file that is being sent or prepared. Its job has the same id. */
interface ImportTable {
  id: string;
  staff_id: string;
  created_at: number;
  /** `FileState`, as JSON. */
  state: string;
}

/** Rows of a file that were read together. They are deleted when they are prepared. */
interface ImportPartTable {
  import_id: string;
  /** The number of its first row, which may be a blank one, from 1. */
  first: number;
  /** A `StoredPart`, as JSON. */
  rows: string;
}

/** The reading of a file's rows, and what is done with them. */
export interface ImportedFile extends Pick<ImportPlan, 'mode' | 'columns' | 'zone'> {
  format: ExportFormat;
  headings: string[];
  rows: number;
  /** True if rows are imported that are older than what is there. */
  anyway?: boolean;
  /** The numbers of the rows that somebody had left out before they were prepared again. */
  leftOut?: readonly number[];
}
