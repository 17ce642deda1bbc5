import * as z from 'zod/mini';
import {
  importLimits,
  jobLimits,
  JobTargets,
  neededFor,
  type ImportRows,
  type NewJob,
} from '../../contract/bff/job.ts';
import type { JobKind } from '../../contract/bff/journal.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { invalidField, Problem } from '../../contract/http/problem.ts';
import { resolveTimes } from '../../contract/service/instant.ts';
import type { BffDeps } from '../deps.ts';
import { actorOf, type RecordEvent } from '../journal/events.ts';
import { checkPermission } from '../http/guards.ts';
import type { RequestContext } from '../http/context.ts';
import { type BffHandlers } from '../http/router.ts';
import { countMatches, noTargets, tooMany, type PrepareDeps } from './prepare.ts';
import type { JobTable } from './schema.ts';
import {
  countRows,
  giveUpUploads,
  listJobs,
  listRows,
  loadJob,
  noSuchJob,
  noCounts,
  readImport,
  toJobs,
  type Db,
} from './store.ts';
import type { JobWorker } from './worker.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';
import { lockRow } from '../lock-row.ts';
import { Answer } from '../../contract/http/answer.ts';

/** How many imports of an account can wait for their rows. Their files lie in the database until they are given up. */
const uploadsAtOnce = 5;

export interface JobRouteParts extends PrepareDeps, Pick<BffDeps, 'random'> {
  worker: JobWorker;
  recordEvent: RecordEvent;
}

export function createJobRoutes(parts: JobRouteParts) {
  const { db, clock, worker } = parts;
  const answer = async (job: JobTable, status = 200) => {
    const [shown] = await toJobs(db, [job]);
    if (!shown) throw new Error('One row is one job.');
    return new Answer(shown, { status });
  };
  /** Changes a job that is in one of these states, and lets a server look at it. */
  const change = async (
    id: string,
    isRight: (job: JobTable) => boolean,
    sentence: string,
    write: (tx: Db, job: JobTable) => Promise<Partial<JobTable>>,
  ) => {
    const changed = await db.transaction().execute(async (tx) => {
      // First, because it locks the job: the server that works on it writes before or after this, never in between.
      const job = (await lockRow(tx, 'jobs', { id })) ?? noSuchJob();
      if (!isRight(job)) throw new Problem('wrong-job-state', sentence);
      const changes = await write(tx, job);
      return tx
        .updateTable('jobs')
        .set(changes)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    worker.wake();
    return answer(changed);
  };
  const begin = async (
    job: Pick<JobTable, 'kind' | 'targets' | 'change' | 'reason' | 'undo_of'>,
    context: RequestContext,
    user: CurrentUser,
  ) => {
    const row: JobTable = { ...newJob(parts, context, user), ...job };
    await db.insertInto('jobs').values(row).execute();
    worker.wake();
    return answer(row, 202);
  };
  return {
    async createJob({ body }, context, user) {
      checkKind(user, body.kind);
      await checkTargets(parts, body, context, user);
      const { kind, reason } = body;
      const written = JSON.stringify(z.encode(JobTargets, frozen(body.targets, clock())));
      const what = body.change === undefined ? null : JSON.stringify(body.change);
      return begin(
        { kind, targets: written, change: what, reason: reason || null, undo_of: null },
        context,
        user,
      );
    },
    async createImport({ body: { reason, ...file } }, context, user) {
      checkKind(user, 'import');
      const text = JSON.stringify(file);
      const row = { ...newJob(parts, context, user), ...noTarget, kind: 'import', file: text } as const;
      const waiting: JobTable = { ...row, pause: 'upload', reason: reason || null, total: file.rows };
      await db.transaction().execute(async (tx) => {
        await giveUpUploads(tx, row.staff_id, uploadsAtOnce - 1);
        await tx.insertInto('jobs').values(waiting).execute();
      });
      return answer(waiting, 202);
    },
    async addImportRows({ params, body }, _, user) {
      await addImportRows(db, params.id, body, user);
      worker.wake();
    },
    listJobs: async ({ query }) => await listJobs(db, query),
    getJob: async ({ params }) => answer(await loadJob(db, params.id)),
    async listJobRows({ params, query }) {
      await loadJob(db, params.id);
      return await listRows(db, params.id, query);
    },
    async startJob({ params, body: { limit = null } }, context, user) {
      return change(
        params.id,
        ({ state, pause, preview }) =>
          preview !== null && ['ready', 'paused', 'stopped'].includes(state) && pause !== 'service',
        'This job cannot be started now: it is being prepared, or runs already. Nothing was changed.',
        async (tx, job) => {
          checkKind(user, job.kind);
          await recordStart(parts, tx, job, context, user);
          return {
            state: 'running',
            pause: null,
            ended_at: null,
            rows_left: limit,
            lease_until: 0,
            staff_id: staffIdOf(user),
            staff_name: user.name,
            started_at: job.started_at ?? clock(),
          };
        },
      );
    },
    pauseJob: ({ params }) =>
      change(
        params.id,
        ({ state, pause }) => state === 'running' || (state === 'paused' && pause === 'service'),
        'Only a job that runs can be paused. Nothing was changed.',
        async () => ({ state: 'paused', pause: 'asked' }),
      ),
    stopJob: ({ params }) =>
      change(
        params.id,
        ({ state }) => !['done', 'stopped'].includes(state),
        'This job has ended already. Nothing was changed.',
        async (tx, job) => {
          // Nobody can send the rest of its file any more, nor see its rows.
          if (job.preview === null) await tx.deleteFrom('import_rows').where('job_id', '=', job.id).execute();
          return { state: 'stopped', pause: null, rows_left: null, ended_at: clock() };
        },
      ),
    async retryJob({ params }, context, user) {
      return change(
        params.id,
        // One that was discarded has to be started, which is written down.
        (job) => job.started_at !== null && ['paused', 'done', 'stopped'].includes(job.state),
        'Only a job that was started and has ended or is paused can try rows again. Nothing was changed.',
        async (tx, job) => {
          checkKind(user, job.kind);
          const { failed, unconfirmed } = await countRows(tx, job.id);
          if (failed + unconfirmed === 0)
            throw new Problem(
              'wrong-job-state',
              'No row of this job failed, so there is nothing to try again.',
            );
          const again = { result: 'change', why: null, detail: null } as const;
          const rows = tx.updateTable('job_rows').where('job_id', '=', job.id);
          // One whose outcome nobody knows is the same change still: it may have been made.
          await rows.set(again).where('result', '=', 'unconfirmed').execute();
          await rows
            .set((row) => ({ ...again, tries: row('tries', '+', 1) }))
            .where('result', '=', 'failed')
            .execute();
          const counts = JSON.stringify(await countRows(tx, job.id));
          await recordStart(parts, tx, { ...job, counts }, context, user);
          return {
            state: 'running',
            pause: null,
            ended_at: null,
            rows_left: null,
            lease_until: 0,
            counts,
            staff_id: staffIdOf(user),
            staff_name: user.name,
          };
        },
      );
    },
    async undoJob({ params }, context, user) {
      const job = await loadJob(db, params.id);
      if (job.kind === 'regenerate') throw new Problem('cannot-undo', 'The old tokens cannot be restored.');
      if (job.started_at === null)
        throw new Problem('cannot-undo', 'This job has changed nothing, so there is nothing to undo.');
      if (['preparing', 'ready', 'running'].includes(job.state))
        throw new Problem('wrong-job-state', 'This job still runs. Stop it first, then undo it.');
      checkKind(user, 'undo');
      if (job.kind !== 'undo') checkKind(user, job.kind);
      return begin(
        { kind: 'undo', targets: null, change: null, reason: null, undo_of: job.id },
        context,
        user,
      );
    },
  } satisfies Partial<BffHandlers>;
}

function checkKind({ role }: CurrentUser, kind: JobKind): void {
  for (const permission of neededFor[kind]) checkPermission(role, permission);
}

/** @throws {Problem} `invalid-input` if the job is for nobody, or for too many, as far as that is known at once */
async function checkTargets(
  parts: PrepareDeps,
  { targets }: NewJob,
  { requestId }: RequestContext,
  user: CurrentUser,
): Promise<void> {
  if ('ids' in targets) return;
  if ('job' in targets) {
    await loadJob(parts.db, targets.job);
    const counts = await countRows(parts.db, targets.job);
    if (counts[targets.result] === 0) throw noTargets();
    return;
  }
  const filter = 'query' in targets ? targets.query : {};
  const count = await countMatches(parts, { request_id: requestId }, user, filter);
  if (count === 0) throw noTargets();
  if (count !== null && count > jobLimits.subscribers) throw tooMany();
}

/** The targets with what is now: a relative moment means the one when the job was created. */
const frozen = (targets: NewJob['targets'], now: number): NewJob['targets'] =>
  'query' in targets ? { query: resolveTimes(targets.query, now) } : targets;

const noTarget = { targets: null, change: null, undo_of: null } as const;

/**
 * Keeps some rows of a file. When all are here, the job can be prepared.
 *
 * @throws {Problem} `wrong-job-state`; `invalid-input` for rows that the file does not have, or too much text
 */
async function addImportRows(
  db: Db,
  id: string,
  { first, rows }: ImportRows,
  user: CurrentUser,
): Promise<void> {
  const cells = rows.map((row) => JSON.stringify(row));
  const size = cells.reduce((sum, text) => sum + text.length, 0);
  await db.transaction().execute(async (tx) => {
    // First, because it locks the job: two requests at once must not both miss the last row.
    const job = (await lockRow(tx, 'jobs', { id })) ?? noSuchJob();
    if (job.pause !== 'upload' || job.file === null || job.staff_id !== staffIdOf(user))
      throw new Problem('wrong-job-state', 'This job takes no rows: it has them all, or is somebody else’s.');
    const { rows: total } = readImport(job.file);
    const last = first + rows.length - 1;
    if (last > total)
      throw invalidField('rows', `The import was announced with ${total} rows, so there is no row ${last}.`);
    const own = tx.deleteFrom('import_rows').where('job_id', '=', id);
    const replaced = await own
      .where('number', '>=', first)
      .where('number', '<=', last)
      .returning('cells')
      .execute();
    const before = replaced.reduce((sum, row) => sum + row.cells.length, 0);
    const fileSize = job.file_size - before + size;
    if (fileSize > importLimits.size)
      throw invalidField('rows', 'The file is larger than 50 MB. Split it, and import the parts.');
    const values = cells.map((text, index) => ({ job_id: id, number: first + index, cells: text }));
    await tx.insertInto('import_rows').values(values).execute();
    const counted = tx.selectFrom('import_rows').select((row) => row.fn.countAll<number>().as('count'));
    const present = await counted.where('job_id', '=', id).executeTakeFirst();
    const pause = present?.count === total ? null : job.pause;
    await tx.updateTable('jobs').set({ file_size: fileSize, pause }).where('id', '=', id).execute();
  });
}

function newJob(
  { clock, random }: JobRouteParts,
  { requestId }: RequestContext,
  user: CurrentUser,
): Omit<JobTable, 'kind' | 'targets' | 'change' | 'reason' | 'undo_of'> {
  return {
    id: toBase64url(random(12)),
    state: 'preparing',
    pause: null,
    problem: null,
    staff_id: staffIdOf(user),
    staff_name: user.name,
    created_at: clock(),
    started_at: null,
    ended_at: null,
    request_id: requestId,
    file: null,
    file_size: 0,
    total: 0,
    counts: JSON.stringify(noCounts),
    preview: null,
    rows_left: null,
    ran_for: 0,
    rows_done: 0,
    lease_until: 0,
    fence: 0,
  };
}

/** In the journal a job is one entry, written when somebody starts it; each of its changes is one besides. */
async function recordStart(
  { recordEvent }: JobRouteParts,
  tx: Parameters<RecordEvent>[0] | Db,
  { id, kind, counts, reason, started_at: startedAt, staff_id: startedBy }: JobTable,
  context: RequestContext,
  user: CurrentUser,
): Promise<void> {
  if (startedAt !== null && startedBy === staffIdOf(user)) return;
  const { change } = JSON.parse(counts) as { change: number };
  await recordEvent(tx as Parameters<RecordEvent>[0], {
    operation: 'startJob',
    ...actorOf(user, context),
    details: { job: { id, kind, change }, ...(reason !== null && { reason }) },
  });
}
