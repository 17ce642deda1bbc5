import type { Transaction } from 'kysely';
import type * as z from 'zod/mini';
import {
  type JobTargets,
  type LeaveOut,
  rowResults,
  type Job,
  type JobCounts,
  type JobPage,
  type RowResult,
} from '../../contract/bff/job.ts';
import { toPage } from '../../contract/http/shapes.ts';
import { Problem } from '../../contract/http/problem.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import type { BffTables, BffDb } from '../schema.ts';
import { serversApart } from '../journal/reconcile.ts';
import { findSingleSignOn } from '../staff/store.ts';
import type { ImportedFile, JobTable } from './schema.ts';

/** Most time that a server works on a job without a sign of life, and the interval of these, in ms. */
export const leaseTimes = { lease: 15_000, heartbeat: 5_000 } as const;

export const noCounts = Object.fromEntries(rowResults.map((name) => [name, 0])) as Record<RowResult, number>;

/** @throws {Problem} `no-such-job` */
export async function loadJob(db: BffDb, id: string): Promise<JobTable> {
  return (await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()) ?? noSuchJob();
}

export function noSuchJob(): never {
  throw new Problem('no-such-job', 'This job does not exist. It may have been deleted because of its age.');
}

/** Jobs that somebody has to work on: one that waits for the service, or for its time, goes on by itself. */
export const unfinished = (db: BffDb) =>
  db
    .selectFrom('jobs')
    .where((row) =>
      row.or([
        row('state', 'in', ['preparing', 'running']),
        row.and([row('state', '=', 'paused'), row('pause', '=', 'service')]),
        row('starts_at', 'is not', null),
      ]),
    );

/** The same, and those whose server died before it gave them back: it may have made changes that no row knows of. */
const toWorkOn = (db: BffDb) =>
  db
    .selectFrom('jobs')
    .where((row) => row.or([row('id', 'in', unfinished(db).select('id')), row('lease_until', '>', 0)]));

/**
 * Takes over the oldest job that no server works on. The next fence number shuts out a server that had it before.
 *
 * @param busy people whose jobs have to wait
 * @returns null if there is none
 */
export async function claimJob(
  db: BffDb,
  now: number,
  busy: readonly string[] = [],
): Promise<JobTable | null> {
  for (;;) {
    const free = await toWorkOn(db)
      .select(['id', 'fence'])
      .where((row) => row.or([row('starts_at', 'is', null), row('starts_at', '<=', now)]))
      // A lease from the far future was written by a clock that was wrong. By one that is only ahead, two servers would take the
      // job from each other again and again.
      .where((row) =>
        row.or([
          row('lease_until', '<=', now),
          row('lease_until', '>', now + leaseTimes.lease + serversApart),
        ]),
      )
      .$if(busy.length > 0, (jobs) => jobs.where('staff_id', 'not in', busy))
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    if (!free) return null;
    const claimed = await db
      .updateTable('jobs')
      .set({ fence: free.fence + 1, lease_until: now + leaseTimes.lease })
      .where('id', '=', free.id)
      .where('fence', '=', free.fence)
      .returningAll()
      .executeTakeFirst();
    // Otherwise another server was faster; there may be a second job.
    if (claimed) return claimed;
  }
}

/** When the next job starts or becomes free whose server gives no sign of life, in ms since 1970; null if there is none. */
export async function nextToClaim(db: BffDb): Promise<number | null> {
  const found = await toWorkOn(db).select(['lease_until', 'starts_at']).execute();
  const times = found.map(({ lease_until: free, starts_at: at }) => Math.max(free, at ?? 0));
  return times.length > 0 ? Math.min(...times) : null;
}

/** Another server has taken the job over, or it is gone. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * Writes something about a job that this server works on, and extends its lease.
 *
 * @returns the job as it is afterwards
 * @throws {LeaseLost} if the server may not write any more; then nothing is written
 */
export async function writeFenced(
  db: BffDb,
  job: Pick<JobTable, 'id' | 'fence'>,
  now: number,
  write: (tx: Transaction<BffTables>, present: JobTable) => Promise<Partial<JobTable>> = async () => ({}),
): Promise<JobTable> {
  return db.transaction().execute(async (tx) => {
    const held = await tx
      .updateTable('jobs')
      .set({ lease_until: now + leaseTimes.lease })
      .where('id', '=', job.id)
      .where('fence', '=', job.fence)
      .returningAll()
      .executeTakeFirst();
    if (!held) throw new LeaseLost();
    const changes = await write(tx, held);
    if (Object.keys(changes).length === 0) return held;
    const updated = tx.updateTable('jobs').set(changes).where('id', '=', job.id);
    return updated.returningAll().executeTakeFirstOrThrow();
  });
}

/** Lets another server take the job at once. */
export async function releaseJob(db: BffDb, { id, fence }: Pick<JobTable, 'id' | 'fence'>): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ lease_until: 0 })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute();
}

export async function countRows(db: BffDb, jobId: string): Promise<JobCounts> {
  const counted = await db
    .selectFrom('job_rows')
    .select((row) => ['result', row.fn.countAll<number>().as('count')] as const)
    .where('job_id', '=', jobId)
    .groupBy('result')
    .execute();
  return { ...noCounts, ...Object.fromEntries(counted.map(({ result, count }) => [result, count])) };
}

/** So many rows are written in 20 ms, which others wait for. */
const rowsAtOnce = 500;

/** So many rows are searched for a warning in 10 ms. */
const searchedAtOnce = 5000;

/** Deletes the next rows of a job. @returns false if none are left */
export async function deleteRows(db: BffDb, jobId: string): Promise<boolean> {
  const rows = db.selectFrom('job_rows').select('number').where('job_id', '=', jobId);
  const deleted = db.deleteFrom('job_rows').where('job_id', '=', jobId);
  const next = rows.orderBy('number').limit(rowsAtOnce);
  const { numDeletedRows } = await deleted.where('number', 'in', next).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/**
 * Leaves the next rows out of a job, or takes them in again, and counts them.
 *
 * @param after the number of the last row that is done
 * @returns the number of the last row now; null where no more are left
 */
export async function leaveOutPart(
  tx: Transaction<BffTables>,
  { id, counts }: JobTable,
  { leaveOut, rows }: LeaveOut,
  after: number,
): Promise<{ counts: string; last: number | null }> {
  const [from, result] = leaveOut ? (['change', 'left-out'] as const) : (['left-out', 'change'] as const);
  const ofJob = tx.selectFrom('job_rows').select('number').where('job_id', '=', id);
  const named =
    'numbers' in rows
      ? ofJob.where('number', 'in', rows.numbers)
      : ofJob.where('warnings', 'like', `% ${rows.warning} %`).where('number', '<=', after + searchedAtOnce);
  const ends = ofJob.clearSelect().select((row) => row.fn.max<number | null>('number').as('last'));
  const end = (await ends.executeTakeFirst())?.last ?? 0;
  const searched = 'numbers' in rows ? end : after + searchedAtOnce;
  const next = named.where('result', '=', from).where('number', '>', after);
  // A row without a username is of somebody who was erased.
  const found = await next.where('username', '<>', '').orderBy('number').limit(rowsAtOnce).execute();
  const numbers = found.map(({ number }) => number);
  if (numbers.length > 0) {
    const those = tx.updateTable('job_rows').set({ result }).where('job_id', '=', id);
    await those.where('number', 'in', numbers).execute();
  }
  const known = countsOf(counts);
  known[from] -= numbers.length;
  known[result] += numbers.length;
  return {
    counts: JSON.stringify(known),
    last: numbers[rowsAtOnce - 1] ?? (searched < end ? searched : null),
  };
}

/** Lets the next rows that failed be tried again, and counts them. `isLast`: no more are left. */
export async function retryPart(
  tx: Transaction<BffTables>,
  { id, counts }: JobTable,
): Promise<{ counts: JobCounts; found: number; isLast: boolean }> {
  const next = (result: RowResult) =>
    tx
      .selectFrom('job_rows')
      .select('number')
      .where('job_id', '=', id)
      .where('result', '=', result)
      // A row without a username is of somebody who was erased, with all that it was to change.
      .where('username', '<>', '')
      .orderBy('number')
      .limit(rowsAtOnce)
      .execute();
  // One result at a time: rows of two are sorted whole for each portion.
  const unknown = await next('unconfirmed');
  const result = unknown.length > 0 ? 'unconfirmed' : 'failed';
  const numbers = (unknown.length > 0 ? unknown : await next('failed')).map(({ number }) => number);
  if (numbers.length > 0) {
    const rows = tx.updateTable('job_rows').where('job_id', '=', id).where('number', 'in', numbers);
    // One whose outcome nobody knows is the same change still: it may have been made.
    const more = result === 'failed' ? 1 : 0;
    await rows
      .set((row) => ({ result: 'change', why: null, detail: null, tries: row('tries', '+', more) }))
      .execute();
  }
  const known = countsOf(counts);
  known[result] -= numbers.length;
  known.change += numbers.length;
  const isLast = result === 'failed' && numbers.length < rowsAtOnce;
  return { counts: known, found: numbers.length, isLast };
}

/** One that was stored by an earlier version has fewer. */
export const countsOf = (counts: string): JobCounts => ({
  ...noCounts,
  ...(JSON.parse(counts) as JobCounts),
});

export interface Paged {
  page?: number | undefined;
  pageSize?: number | undefined;
}

/** All jobs, newest first. */
export async function listJobs(
  db: BffDb,
  { page = 1, pageSize = pageSizes.usual }: Paged,
  now: number,
): Promise<z.input<typeof JobPage>> {
  const counted = db.selectFrom('jobs').select((row) => row.fn.countAll<number>().as('count'));
  const totalCount = (await counted.executeTakeFirst())?.count ?? 0;
  const jobs = await db
    .selectFrom('jobs')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const items = await toJobs(db, jobs, now);
  return toPage(items, { page, pageSize, totalCount });
}

type WireJob = z.input<typeof Job>;

/** A row as the contract's job. */
export async function toJob(db: BffDb, row: JobTable, now: number): Promise<WireJob> {
  const [job] = await toJobs(db, [row], now);
  if (!job) throw new Error('One row is one job.');
  return job;
}

/** Rows as the contract's jobs, their filters written as on the wire. */
async function toJobs(db: BffDb, jobs: readonly JobTable[], now: number): Promise<WireJob[]> {
  const singleSignOn = await findSingleSignOn(
    db,
    jobs.map(({ staff_id: id }) => id),
  );
  const ids = jobs.map(({ id }) => id);
  const undos =
    ids.length === 0
      ? []
      : await db
          .selectFrom('jobs')
          .select(['id', 'undo_of', 'created_at'])
          .where('undo_of', 'in', ids)
          .where('state', '<>', 'stopped')
          .orderBy('created_at')
          .execute();
  /** The last undo of a job, unless the job has gone on since. */
  const undoneBy = ({ id, ended_at: end }: JobTable) =>
    undos.findLast((undo) => undo.undo_of === id && undo.created_at >= (end ?? 0))?.id ?? null;
  return jobs.map((job) => ({
    id: job.id,
    kind: job.kind,
    state: job.state,
    pause: job.pause,
    problem: job.problem,
    targets: shownTargets(job.targets),
    change: job.change === null ? null : (JSON.parse(job.change) as WireJob['change']),
    file: shownFile(job.file),
    reason: job.reason,
    total: job.total,
    counts: countsOf(job.counts),
    preview: job.preview === null ? null : (JSON.parse(job.preview) as WireJob['preview']),
    staff: { id: job.staff_id, name: job.staff_name, singleSignOn: singleSignOn.has(job.staff_id) },
    createdAt: instantOf(job.created_at),
    startedAt: job.started_at === null ? null : instantOf(job.started_at),
    endedAt: job.ended_at === null ? null : instantOf(job.ended_at),
    startsAt: job.starts_at === null ? null : instantOf(job.starts_at),
    perMinute: job.ran_for === 0 ? null : (job.rows_done / job.ran_for) * 60_000,
    isHeld: job.lease_until > now,
    undoOf: job.undo_of,
    undoneBy: undoneBy(job),
  }));
}

const instantOf = (ms: number) => new Date(ms).toISOString();

function shownFile(text: string | null): WireJob['file'] {
  if (text === null) return null;
  const { mode, format, headings } = JSON.parse(text) as ImportedFile;
  return { mode, format, headings };
}

/** The ids themselves are in the rows. */
function shownTargets(text: string | null): WireJob['targets'] {
  if (text === null) return null;
  const targets = JSON.parse(text) as z.input<typeof JobTargets>;
  if ('ids' in targets) return { ids: targets.ids.length };
  if ('job' in targets) return { job: targets.job };
  return targets;
}
