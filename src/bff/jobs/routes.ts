import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import {
  jobLimits,
  JobTargets,
  type JobCounts,
  type NewJob,
  type RowResult,
} from '../../contract/bff/job.ts';
import type { JobKind } from '../../contract/bff/journal.ts';
import { Answer } from '../../contract/http/answer.ts';
import { Problem, serverBusy } from '../../contract/http/problem.ts';
import { resolveTimes } from '../../contract/service/times.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { createQueue } from '../../lib/queue.ts';
import { checkProof, staffIdOf, type CurrentUser } from '../current-user.ts';
import type { BffDeps } from '../deps.ts';
import { jsonLinesHeaders, toJsonLines, writePage, type AnswerFile } from '../export/stream.ts';
import type { RequestContext } from '../http/context.ts';
import { type BffHandlers } from '../http/router.ts';
import { actorOf, type RecordEvent } from '../journal/events.ts';
import { lockRow } from '../lock-row.ts';
import type { BffDb, BffTables } from '../schema.ts';
import { isGivenUp } from './delete-old.ts';
import { checkKind, countMatches, noTargets, tooMany, type PrepareDeps } from './prepare.ts';
import type { ImportedFile, JobTable } from './schema.ts';
import {
  countRows,
  leaveOutPart,
  listJobs,
  loadJob,
  noCounts,
  noSuchJob,
  retryPart,
  toJob,
} from './store.ts';
import { countMatchingRows, listRows, readRowsAfter } from './job-rows.ts';
import { summarizeRows } from './summary.ts';
import type { JobWorker } from './worker.ts';

export interface JobRouteParts extends PrepareDeps, Pick<BffDeps, 'random'> {
  worker: JobWorker;
  wait: (ms: number) => Promise<void>;
  recordEvent: RecordEvent;
  answerFile: AnswerFile;
  runSlowRead: BffDeps['runSlowRead'] | undefined;
}

type Tx = Transaction<BffTables>;

export function createJobRoutes(parts: JobRouteParts) {
  const { db, clock, worker, recordEvent, answerFile, wait, runSlowRead } = parts;
  const leaving = createQueue({ atOnce: 1, mostWaiting: 20, patience: 10_000, refusal: serverBusy });
  /** Changes a job that is in one of these states, and lets a server look at it. */
  const change = async (
    id: string,
    isRight: (job: JobTable) => boolean,
    sentence: string,
    write: (tx: Tx, job: JobTable) => Promise<Partial<JobTable>>,
  ) => {
    const changed = await db.transaction().execute(async (tx) => {
      // First, because it locks the job: the server that works on it writes before or after this, never in between.
      const job = (await lockRow(tx, 'jobs', { id })) ?? noSuchJob();
      if (!isRight(job)) throw new Problem('wrong-job-state', sentence);
      const written = tx
        .updateTable('jobs')
        .set(await write(tx, job))
        .where('id', '=', id);
      return written.returningAll().executeTakeFirstOrThrow();
    });
    worker.wake();
    return toJob(db, changed, clock());
  };
  /** Runs a job in somebody's name. In the journal that is one entry, and each of its changes is one besides. */
  const run = async (
    tx: Tx,
    job: JobTable,
    toChange: number,
    context: RequestContext,
    user: CurrentUser,
    at?: string,
  ) => {
    checkMayRun(user, job.kind);
    const { id, kind, reason } = job;
    if (job.started_at === null || job.staff_id !== staffIdOf(user))
      await recordEvent(tx, {
        operation: 'startJob',
        ...actorOf(user, context),
        details: {
          job: { id, kind, change: toChange, ...(at !== undefined && { at }) },
          ...(reason !== null && { reason }),
        },
      });
    // A server that still makes changes keeps it, and goes on: another one would not know of them.
    const rest = { pause: null, ended_at: null, rows_left: null } as const;
    const name = inNameOf(user);
    if (at !== undefined) return { state: 'ready', ...rest, ...name, starts_at: Date.parse(at) } as const;
    const started = { started_at: job.started_at ?? clock(), starts_at: null };
    return { state: 'running', ...rest, ...name, ...started } as const;
  };
  return {
    async createJob({ body }, context, user) {
      const { kind, reason = null } = body;
      await checkTargets(parts, body, context, user);
      return beginJob(parts, context, user, kind, async () => ({
        targets: JSON.stringify(z.encode(JobTargets, frozen(body.targets, clock()))),
        change: body.change === undefined ? null : JSON.stringify(body.change),
        reason: reason || null,
      }));
    },
    listJobs: async ({ query }) => await listJobs(db, query, clock()),
    getJob: async ({ params }) => toJob(db, await loadJob(db, params.id), clock()),
    async listJobRows({ params, query }, context) {
      await loadJob(db, params.id);
      const read = (from: BffDb) => listRows(from, params.id, query, wait);
      // No index has the warnings: of 100,000 rows it takes 180 ms.
      const isSlow = runSlowRead && query.warning !== undefined;
      return writePage(await (isSlow ? runSlowRead(read, context.signal()) : read(db)), wait);
    },
    async exportJobRows({ params: { id }, query }, context, user) {
      await loadJob(db, id);
      const readAfter = async (number: number | null) => {
        // SQLite answers at once, and a client may take it at once: without this, nobody else had a turn until the end.
        await wait(0);
        return readRowsAfter(db, id, query, { number, wait });
      };
      return answerFile(context, user, {
        headers: jsonLinesHeaders('job'),
        isCounted: true,
        async start() {
          // The rows name as many people as an export of the subscribers does, whether or not the job is ever started.
          const count = await countMatchingRows(db, id, query);
          const details = { subscribers: { filters: ['job'], count, tokens: false } };
          const event = { operation: 'exportSubscribers', ...actorOf(user, context), details } as const;
          const record = () => db.transaction().execute((tx) => recordEvent(tx, event));
          return { parts: toJsonLines(readAfter, wait), count: null, record };
        },
      });
    },
    async startJob({ params, body: { limit = null, at, count } }, context, user) {
      const wait = at === undefined ? null : Date.parse(at) - clock();
      if (wait !== null && (wait <= 0 || wait > jobLimits.ahead)) throw wrongTime();
      const states = wait === null ? ['ready', 'paused', 'stopped'] : ['ready'];
      return change(
        params.id,
        ({ state, pause, preview }) => preview !== null && states.includes(state) && pause !== 'service',
        wait === null
          ? 'This job can’t be started now: it is being prepared, runs already, or has ended. Nothing was changed.'
          : 'A job can be scheduled only before somebody starts or stops it. Nothing was changed.',
        async (tx, job) => {
          const { change } = JSON.parse(job.counts) as JobCounts;
          // While a job goes on, the number falls by itself; but the first few, started a second time, would be others.
          const isConfirmed = job.started_at === null || limit !== null;
          if (isConfirmed && count !== undefined && count !== change) throw otherCount(change);
          return { ...(await run(tx, job, change, context, user, at)), rows_left: limit };
        },
      );
    },
    importAnyway: ({ params }, _, user) =>
      change(
        params.id,
        ({ state, file }) => state === 'ready' && file !== null,
        'Only an import that was not started yet can be prepared again. Nothing was changed.',
        async (tx, { id, kind, file }) => {
          checkKind(user, kind);
          const found = await lockRow(tx, 'imports', { id });
          if (!found || isGivenUp(found)) throw noSuchFile();
          const rows = tx.selectFrom('job_rows').select('number').where('job_id', '=', id);
          const left = await rows.where('result', '=', 'left-out').orderBy('number').execute();
          const leftOut = left.map(({ number }) => number);
          const anyway: ImportedFile = { ...(JSON.parse(file ?? '') as ImportedFile), anyway: true, leftOut };
          const again = { state: 'preparing', preview: null, starts_at: null } as const;
          return { ...again, ...inNameOf(user), file: JSON.stringify(anyway) };
        },
      ),
    leaveOutRows({ params: { id }, body }, { signal }, user) {
      const changePreview = (write: (tx: Tx, job: JobTable) => Promise<Partial<JobTable>>) =>
        change(
          id,
          // Its start was confirmed for fewer.
          ({ state, starts_at: at }) => state === 'ready' && (body.leaveOut || at === null),
          body.leaveOut
            ? 'Subscribers can be left out only before the job starts.'
            : 'Subscribers can be taken in again only before somebody starts or schedules the job.',
          write,
        );
      return leaving.run(async () => {
        const done: { last: number | null } = { last: 0 };
        while (done.last !== null) {
          const after = done.last;
          await changePreview(async (tx, job) => {
            checkKind(user, job.kind);
            const { last, counts } = await leaveOutPart(tx, job, body, after);
            done.last = last;
            return { counts };
          });
          await wait(0);
        }
        for (;;) {
          const job = await loadJob(db, id);
          const preview = await summarizeRows(db, job, wait);
          let isOutdated = false;
          const changed = await changePreview(async (_, present) => {
            // Another server may have left out more meanwhile.
            isOutdated = present.counts !== job.counts;
            return isOutdated ? { counts: present.counts } : { preview };
          });
          if (!isOutdated) return changed;
        }
      }, signal());
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
        async () => ({ state: 'stopped', pause: null, rows_left: null, starts_at: null, ended_at: clock() }),
      ),
    async retryJob({ params }, context, user) {
      for (let retried = 0; ;) {
        const done = { found: 0, isLast: false };
        const job = await change(
          params.id,
          // One that was discarded has to be started, which is written down.
          ({ state, started_at: at }) => at !== null && ['paused', 'done', 'stopped'].includes(state),
          'Only a job that was started and has ended or is paused can try rows again. Nothing was changed.',
          async (tx, before) => {
            checkMayRun(user, before.kind);
            if (retried === 0) await checkFailedFirst(tx, before);
            const { found, isLast, counts } = await retryPart(tx, before);
            const all = retried + found;
            if (all === 0)
              throw new Problem(
                'wrong-job-state',
                'No row of this job failed, so there is nothing to try again.',
              );
            Object.assign(done, { found, isLast });
            if (!isLast) return { ...heldState(before), counts: JSON.stringify(counts) };
            const running = await run(tx, before, all, context, user);
            // Whoever stopped or paused it did not want the others changed.
            return {
              ...running,
              rows_left: counts.change > all ? all : null,
              counts: JSON.stringify(counts),
            };
          },
        );
        if (done.isLast) return job;
        retried += done.found;
        await wait(0);
      }
    },
    async undoJob({ params }, context, user) {
      const job = await loadJob(db, params.id);
      if (job.kind === 'regenerate') throw new Problem('cannot-undo', 'The old tokens can’t be restored.');
      if (job.started_at === null)
        throw new Problem('cannot-undo', 'This job has changed nothing, so there is nothing to undo.');
      if (['preparing', 'ready', 'running'].includes(job.state) || job.pause === 'service')
        throw new Problem('wrong-job-state', 'This job still runs. Stop it first, then undo it.');
      // What is under way would be left out.
      if (job.state !== 'done' && job.lease_until > clock())
        throw new Problem(
          'wrong-job-state',
          'The last changes of this job are still being made. Wait a moment.',
        );
      checkKind(user, job.kind);
      return beginJob(parts, context, user, 'undo', async () => ({ undo_of: job.id }));
    },
  } satisfies Partial<BffHandlers>;
}

/** The columns of a job for the user in whose name it is prepared or runs. */
const inNameOf = (user: CurrentUser) => ({ staff_id: staffIdOf(user), staff_name: user.name });

const wrongTime = () =>
  new Problem('invalid-input', 'Choose a time in the next 30 days. Nothing was changed.', {
    errors: { at: ['Choose a time in the next 30 days.'] },
  });

const otherCount = (change: number) =>
  new Problem(
    'wrong-job-state',
    `This job has changed meanwhile: the number of subscribers is now ${change}. Nothing was started. Look at the preview again.`,
  );

/** Makes a job, which a server then prepares. @param read what is special about it; it may also check */
export async function beginJob(
  { db, clock, random, worker }: JobRouteParts,
  { requestId }: RequestContext,
  user: CurrentUser,
  kind: JobKind,
  read: (tx: Tx) => Promise<Partial<JobTable>>,
) {
  checkKind(user, kind);
  const usual = {
    id: toBase64url(random(12)),
    kind,
    state: 'preparing',
    created_at: clock(),
    request_id: requestId,
    ...inNameOf(user),
    counts: JSON.stringify(noCounts),
    ...zeros,
  } as const;
  const job = await db.transaction().execute(async (tx) => {
    const row = { ...usual, ...(await read(tx)) };
    return tx.insertInto('jobs').values(row).returningAll().executeTakeFirstOrThrow();
  });
  worker.wake();
  return new Answer(await toJob(db, job, clock()), { status: 202 });
}

const zeros = { total: 0, ran_for: 0, rows_done: 0, lease_until: 0, fence: 0 };

export const noSuchFile = () => new Problem('no-such-job', 'This file is no longer here. Choose it again.');

/** Kinds of jobs that a screen left open must not be enough to start. An undo deletes what an import has created. */
const provenKinds: readonly JobKind[] = ['delete', 'regenerate', 'undo'];

/** @throws {Problem} `not-allowed` or `proof-needed` */
function checkMayRun(user: CurrentUser, kind: JobKind): void {
  checkKind(user, kind);
  if (provenKinds.includes(kind)) checkProof(user);
}

/**
 * Checks that no row is still to be changed before one that failed: a job takes its rows in their order, so the first ones are
 * then those that are tried again.
 *
 * @throws {Problem} `wrong-job-state`
 */
async function checkFailedFirst(tx: Tx, { id }: JobTable): Promise<void> {
  const edge = async (result: RowResult, direction: 'asc' | 'desc') => {
    const rows = tx.selectFrom('job_rows').select('number').where('job_id', '=', id);
    const found = rows.where('result', '=', result).orderBy('number', direction).limit(1);
    return (await found.executeTakeFirst())?.number;
  };
  const next = (await edge('change', 'asc')) ?? Number.POSITIVE_INFINITY;
  const last = Math.max((await edge('failed', 'desc')) ?? 0, (await edge('unconfirmed', 'desc')) ?? 0);
  if (next < last)
    throw new Problem(
      'wrong-job-state',
      'Others are to be changed before those that failed. Continue the job first, then try those again.',
    );
}

/** As after Pause or Stop: if the server ends before all failed rows are to be tried again, somebody can continue the job. */
const heldState = ({ state }: JobTable) =>
  state === 'paused'
    ? ({ state: 'paused', pause: 'asked' } as const)
    : ({ state: 'stopped', pause: null } as const);

/** @throws {Problem} `invalid-input` if the job is for nobody, or for too many, as far as that is known at once */
async function checkTargets(
  parts: PrepareDeps,
  { targets, kind }: NewJob,
  { requestId }: RequestContext,
  user: CurrentUser,
): Promise<void> {
  checkKind(user, kind);
  if ('ids' in targets) return;
  if ('job' in targets) {
    await loadJob(parts.db, targets.job);
    const counts = await countRows(parts.db, targets.job);
    if (counts[targets.result] === 0) throw noTargets();
    return;
  }
  const count = await countMatches(parts, requestId, user, 'query' in targets ? targets.query : {});
  if (count === 0) throw noTargets();
  if (count !== null && count > jobLimits.subscribers) throw tooMany();
}

/** The targets with what is now: a relative moment means the one when the job was created. */
const frozen = (targets: NewJob['targets'], now: number): NewJob['targets'] =>
  'query' in targets ? { ...targets, query: resolveTimes(targets.query, now) } : targets;
