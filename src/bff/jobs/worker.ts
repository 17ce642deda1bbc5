import type { JobCounts, Pause } from '../../contract/bff/job.ts';
import { errorFields } from '../../lib/log.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { askForHelp, Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import { JournalKeyError } from '../journal/chain.ts';
import { pause as pauseFor } from '../upstream/exchange.ts';
import { mayBeAboutRequest } from '../upstream/failures.ts';
import {
  afterFault,
  afterRetries,
  changeRow,
  createWaits,
  findUser,
  isAboutRow,
  isPassing,
  outcomeInJournal,
  retries,
  RightsLost,
  type ChangeRowDeps,
  type RowOutcome,
} from './change-row.ts';
import { deleteOldJobs } from './delete-old.ts';
import {
  Interrupted,
  prepareJob,
  RowRefused,
  rowsAtOnce,
  scanProblem,
  type Persist,
  type PrepareDeps,
} from './prepare.ts';
import type { JobRowTable, JobTable } from './schema.ts';
import { claimJob, LeaseLost, leaseTimes, nextToClaim, releaseJob, writeFenced } from './store.ts';
import type { BffDb } from '../schema.ts';

export type JobWorker = ReturnType<typeof createJobWorker>;

type WorkerDeps = PrepareDeps & ChangeRowDeps & Pick<BffDeps, 'log' | 'runTraced' | 'isClockWrong'>;

/** Jobs that a server works on at once; fewer are of one person, whose long ones would keep others from even seeing a preview. */
const jobsAtOnce = { all: 3, ofOne: 2 } as const;

/** Rows that are changed before their results are written, and most time until then, in ms. */
const batch = { rows: 20, longest: 1_000 } as const;

/** So many rows in a row that fail without an answer are about the whole service, and the job waits for it. */
const failuresToPause = 5;

/** Works on the jobs of all servers, a few at a time: prepares them, and makes their changes. */
export function createJobWorker(deps: WorkerDeps) {
  const { db, clock, log, wait = pauseFor } = deps;
  const stopping = new AbortController();
  const running = new Map<Promise<void>, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking: Promise<void> | null = null;
  let again = false;

  async function look(): Promise<void> {
    // By a wrong clock, jobs would start too early.
    while (!stopping.signal.aborted && running.size < jobsAtOnce.all && !deps.isClockWrong?.()) {
      const byPerson = Map.groupBy(running.values(), (staffId) => staffId);
      const busy = [...byPerson.values()].filter(({ length }) => length >= jobsAtOnce.ofOne);
      const job = await claimJob(db, clock(), busy.flat());
      if (!job) break;
      const work = workOn(deps, job, stopping.signal).finally(() => {
        running.delete(work);
        wake();
      });
      running.set(work, job.staff_id);
    }
    clearTimeout(timer);
    // Also where nothing is to do: a job may begin at another server, which then dies.
    const end = (await nextToClaim(db)) ?? Infinity;
    if (!stopping.signal.aborted)
      timer = setTimeout(wake, Math.min(leaseTimes.lease, Math.max(1000, end - clock() + 1)));
  }

  function wake(): void {
    again = true;
    if (stopping.signal.aborted) return;
    looking ??= (async () => {
      while (again) {
        again = false;
        await look();
      }
    })()
      .catch((error: unknown) => {
        log('error', 'jobs-not-found', errorFields(error));
      })
      .finally(() => (looking = null));
  }

  return {
    /** Looks for jobs to work on, now. */
    wake,
    /** Deletes old jobs, and looks for some to work on. It never fails. */
    async runMaintenance() {
      wake();
      await deleteOldJobs(db, clock(), wait).catch((error: unknown) =>
        log('warn', 'job-maintenance-failed', errorFields(error)),
      );
    },
    /** Stops working; another server can take the jobs over at once. Changes that are under way are made. */
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await looking;
      await Promise.all(running.keys());
    },
  };
}

const untraced: NonNullable<WorkerDeps['runTraced']> = (_name, _job, work) => work();

/** Works on a job until nothing is left to do, somebody stops it, or another server has it. It never fails. */
async function workOn(deps: WorkerDeps, claimed: JobTable, stopping: AbortSignal): Promise<void> {
  const { db, clock, log, runTraced = untraced } = deps;
  const fields = { job: claimed.id, kind: claimed.kind };
  const over = new AbortController();
  const end = () => over.abort();
  stopping.addEventListener('abort', end, { once: true });
  const beat = async () => {
    const present = await writeFenced(db, claimed, clock()).catch(() => claimed);
    if (present.state !== claimed.state) end();
  };
  const heart = setInterval(() => void beat(), leaseTimes.heartbeat);
  try {
    if (claimed.state === 'preparing')
      await runTraced('prepare job', claimed.id, () => prepare(deps, claimed, stopping, over.signal));
    else await run(deps, claimed, stopping);
    await releaseJob(db, claimed);
  } catch (error) {
    if (!(error instanceof Interrupted) && !(error instanceof LeaseLost))
      log('error', 'job-failed', { ...fields, ...errorFields(error) });
  } finally {
    clearInterval(heart);
    stopping.removeEventListener('abort', end);
    // A job that is not done goes on elsewhere, or here after a while.
    if (stopping.aborted) await releaseJob(db, claimed).catch(() => undefined);
  }
}

/** @param over ends also a read that goes on and on, once somebody has stopped the job, or the server stops */
async function prepare(
  deps: WorkerDeps,
  job: JobTable,
  stopping: AbortSignal,
  over: AbortSignal,
): Promise<void> {
  const { db, clock, log, caller } = deps;
  const waits = createWaits(deps, stopping);
  let isPaused = false;
  /** Rows in a row that were given up. */
  let givenUp = 0;
  const answersOthers = () => {
    const call = { role: 'viewer', requestId: job.request_id, fresh: true } as const;
    return caller.call('listSubscribers', { query: { PageSize: 1 } }, call).then(Boolean, () => false);
  };
  const persist: Persist = async (attempt, { isRow = false } = {}) => {
    let isBack = false;
    for (let tries = 0; ; tries += 1) {
      if (stopping.aborted) throw new Interrupted();
      try {
        const result = await attempt();
        if (isRow) givenUp = 0;
        return result;
      } catch (error) {
        if (!isPassing(error) && !isTooFast(error)) throw error;
        // Of many broken records, only the first is worth the wait. A list that has one can't be read, so its job ends.
        const isLast = isPassing(error) && ((isRow && givenUp > 0) || tries >= retries.most);
        // One that gets no answer where others do must not keep all from being prepared; with many in a row, the service fails.
        const isAlone = isLast && isRow && mayBeAboutRequest(error) && givenUp < failuresToPause;
        if (isLast && (isAboutRow(error) || (isAlone && isBack))) {
          givenUp += 1;
          throw isRow ? new RowRefused(error) : error;
        }
        // It may have failed before the service was back, so it is tried once more.
        isBack = isAlone && (await answersOthers());
        const pauses = tries >= retries.most && !isPaused;
        if (pauses) isPaused = true;
        const present = await writeFenced(db, job, clock(), async () => (pauses ? { pause: 'service' } : {}));
        if (present.state !== 'preparing') throw new Interrupted();
        await waits(tries, error);
      }
    }
  };
  try {
    const user = await findUser(deps, job);
    if (!user) throw new Problem('not-allowed', rightsLost);
    await prepareJob({ ...deps, job, user, persist, signal: over });
  } catch (error) {
    if (error instanceof Interrupted || error instanceof LeaseLost) throw error;
    // Of our own database, as what the service does not answer is tried again above: the job begins anew when its lease ends.
    if (isPassing(error) && !isAboutRow(error)) throw error;
    const problem = error instanceof Problem ? error.message : scanProblem(error);
    // Not thrown, or the job would be prepared again every time that its lease ends, and nobody would know why.
    if (problem === undefined)
      log('error', 'job-failed', { job: job.id, kind: job.kind, ...errorFields(error) });
    await writeFenced(db, job, clock(), async (_, { state }) =>
      state === 'preparing'
        ? { state: 'stopped', pause: null, problem: problem ?? unexpected, ended_at: clock() }
        : {},
    );
  }
}

const rightsLost = 'The account that made this job may not do so any more. Nothing was changed.';

const unexpected = `Something went wrong on the server. Nothing was changed. Try again. ${askForHelp}`;

/** A list that changes too fast to be scanned may be quieter later. */
const isTooFast = (error: unknown) => scanProblem(error) !== undefined && Object(error).code === 'busy';

async function run(deps: WorkerDeps, claimed: JobTable, stopping: AbortSignal): Promise<void> {
  const { db, clock, log, runTraced = untraced, wait: giveTurn = pauseFor } = deps;
  const waits = createWaits(deps, stopping);
  /** Failures in a row that are of the whole service. */
  let failures = 0;
  let hasFailed = false;
  // Once: from then on it runs, whatever a clock says.
  await writeFenced(db, claimed, clock(), async (_, { state, starts_at: at }) =>
    // It may have become ready while it was claimed, which starts nothing, and somebody may have chosen a later time since.
    state === 'ready' && at !== null && at === claimed.starts_at
      ? { state: 'running', starts_at: null, started_at: clock() }
      : {},
  );
  for (;;) {
    const job = await writeFenced(db, claimed, clock());
    if (!isAtWork(job)) return settle(deps, claimed);
    if (stopping.aborted) return;
    const rows = await nextRows(db, job);
    if (rows.length === 0) return finish(deps, claimed);
    // One row is enough to see whether the service is back.
    const tried = failures >= failuresToPause ? rows.slice(0, 1) : rows;
    const began = clock();
    const outcomes = new Map<JobRowTable, RowOutcome>();
    const failed = new Set<JobRowTable>();
    let pause: Pause | null = null;
    let wait: unknown = null;
    const change = async (row: JobRowTable) => {
      // Until it is known whether the whole service fails, none of the rows that failed is given up.
      const isLong = failures === 0 && clock() - began > batch.longest;
      if (pause !== null || stopping.aborted || isLong) return;
      try {
        const change = () => changeRow(deps, job, row, hasFailed ? null : waits, stopping);
        outcomes.set(row, await runTraced('change row of job', job.id, change));
        failures = 0;
        hasFailed = false;
      } catch (error) {
        if (error instanceof RightsLost) pause = 'rights';
        else if (isPassing(error) && isAboutRow(error)) {
          failures = 0;
          hasFailed = true;
          outcomes.set(row, afterRetries(error));
        } else if (isPassing(error)) {
          failures += 1;
          hasFailed = true;
          failed.add(row);
          wait = error;
          if (failures >= failuresToPause) pause = 'service';
          else outcomes.set(row, afterRetries(error));
        } else if (error instanceof JournalKeyError) throw error;
        else if (!(error instanceof Interrupted)) {
          const fields = { job: job.id, kind: job.kind, row: row.number };
          log('error', 'job-row-failed', { ...fields, ...errorFields(error) });
          outcomes.set(row, await afterFault(db, job, row));
        }
      }
    };
    await mapConcurrently(tried, rowsAtOnce, change);
    // The rows before it failed for the same reason, so they are not given up either.
    if (pause === 'service') for (const row of failed) outcomes.delete(row);
    const after = await writeOutcomes(deps, claimed, outcomes, { ran: clock() - began, pause });
    if (pause === 'service' && isAtWork(after)) await waits(failures - failuresToPause, wait);
    await giveTurn(0);
  }
}

/** Writes down what a server that died has made of the rows that it had taken last. */
async function settle(deps: WorkerDeps, job: JobTable): Promise<void> {
  const outcomes = new Map<JobRowTable, RowOutcome>();
  for (const row of await nextRows(deps.db, { ...job, rows_left: null })) {
    const outcome = await outcomeInJournal(deps.db, job, row);
    if (outcome) outcomes.set(row, outcome);
  }
  if (outcomes.size > 0) await writeOutcomes(deps, job, outcomes, { ran: 0, pause: null });
}

const isAtWork = ({ state, pause }: JobTable) =>
  state === 'running' || (state === 'paused' && pause === 'service');

async function nextRows(db: BffDb, job: JobTable): Promise<JobRowTable[]> {
  return db
    .selectFrom('job_rows')
    .selectAll()
    .where('job_id', '=', job.id)
    .where('result', '=', 'change')
    .orderBy('number')
    .limit(Math.min(batch.rows, job.rows_left ?? batch.rows))
    .execute();
}

/** Writes what became of some rows, and that the job is paused or goes on. */
async function writeOutcomes(
  { db, clock }: WorkerDeps,
  job: JobTable,
  outcomes: ReadonlyMap<JobRowTable, RowOutcome>,
  { ran, pause }: { ran: number; pause: Pause | null },
): Promise<JobTable> {
  return writeFenced(db, job, clock(), async (tx, present) => {
    const counts = JSON.parse(present.counts) as JobCounts;
    // All rows that were changed have the same outcome, so that they take one statement.
    for (const [outcome, rows] of Map.groupBy(outcomes, ([, made]) => made)) {
      const numbers = rows.map(([{ number }]) => number);
      const own = tx.updateTable('job_rows').set(outcome).where('job_id', '=', job.id);
      await own.where('number', 'in', numbers).execute();
      counts[outcome.result] += numbers.length;
      counts.change -= numbers.length;
    }
    // There may be more: those that were under way when it was started with a new limit.
    const remaining = present.rows_left === null ? null : Math.max(0, present.rows_left - outcomes.size);
    const figures = {
      counts: JSON.stringify(counts),
      rows_left: remaining,
      ran_for: present.ran_for + ran,
      rows_done: present.rows_done + outcomes.size,
    };
    if (!isAtWork(present)) return figures;
    // Before what else pauses it: a job that waits for the service with no row left to change would count as done.
    if (remaining === 0 && counts.change > 0) return { ...figures, state: 'paused', pause: 'limit' };
    if (pause !== null) return { ...figures, state: 'paused', pause };
    return { ...figures, state: 'running', pause: null };
  });
}

async function finish({ db, clock, log }: WorkerDeps, job: JobTable): Promise<void> {
  const after = await writeFenced(db, job, clock(), async (_, present) =>
    isAtWork(present) ? { state: 'done', pause: null, rows_left: null, ended_at: clock() } : {},
  );
  log('info', 'job-done', { job: job.id, kind: job.kind, ...(JSON.parse(after.counts) as JobCounts) });
}
