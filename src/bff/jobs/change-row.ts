import type { RowReason, RowResult } from '../../contract/bff/job.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { askForHelp, Problem } from '../../contract/http/problem.ts';
import { CreateBody, type UpdateBody } from '../../contract/service/subscriber-input.ts';
import { isOfOtherProvider } from '../auth/openid/issuer.ts';
import type { BffDeps } from '../deps.ts';
import type { Mac } from '../journal/chain.ts';
import { type ChangeRequest } from '../journal/change-request.ts';
import { createIdempotencyKey } from '../journal/idempotency.ts';
import type { Journal } from '../journal/journal.ts';
import { NeverKnown } from '../journal/reconcile.ts';
import { makeUndoRequest } from '../journal/undo.ts';
import { checkPermission } from '../http/guards.ts';
import { noRole, type BffDb } from '../schema.ts';
import { pause as pauseFor } from '../upstream/exchange.ts';
import { isAboutRequest } from '../upstream/failures.ts';
import { fraction } from '../upstream/send.ts';
import { sentencesIn } from './plan.ts';
import { checkKind, Interrupted, isAboutOne } from './prepare.ts';
import type { JobRowTable, JobTable } from './schema.ts';
import { unfinished } from './store.ts';
import type { ProblemCode } from '../../contract/http/problem-codes.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';
import { startTrace } from '../../lib/trace-context.ts';

export interface ChangeRowDeps extends Pick<
  BffDeps,
  'db' | 'clock' | 'random' | 'sha256' | 'transport' | 'wait' | 'singleSignOn'
> {
  journal: Journal;
  mac: Mac;
}

/** Most retries of a row after a failure that may pass, and the first and the longest pause before one, in ms. */
export const retries = { most: 3, first: 500, longest: 30_000 } as const;

/** Failures that say nothing about the subscriber. With them the same change may succeed a little later. */
const passing: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'upstream-unreachable',
  'upstream-timeout',
  'bad-upstream',
  'busy',
  'database-unavailable',
  'disk-full',
  'change-under-way',
  'change-unconfirmed',
  'outcome-unknown',
  'too-many-requests',
]);

const unconfirmed: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['outcome-unknown', 'change-unconfirmed']);

/** True if the same may succeed a little later. */
export const isPassing = (error: unknown): error is Problem =>
  error instanceof Problem && passing.has(error.code);

/** True for a failure of one row, after which others may well succeed. */
export const isAboutRow = (failure: Problem) => failure instanceof NeverKnown || isAboutRequest(failure);

/** The result of a row. */
export interface RowOutcome {
  result: RowResult;
  why: RowReason | null;
  detail: string | null;
  /** The ID of a subscriber that was created. */
  subscriber_id?: number;
}

const done: RowOutcome = { result: 'done', why: null, detail: null };

/** Whoever the job runs for may not do this any more. */
export class RightsLost extends Error {
  override readonly name = 'RightsLost';
}

/**
 * Makes the change of one row, the way of any single change.
 *
 * @param waits how long to wait before it is tried again; null to try once
 * @throws {Problem} a failure that may pass; {RightsLost}
 */
export async function changeRow(
  deps: ChangeRowDeps,
  job: JobTable,
  row: JobRowTable,
  waits: Waits | null,
  stopping: AbortSignal,
): Promise<RowOutcome> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await changeOnce(deps, job, row);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!passing.has(error.code)) return (await findMade(deps.db, job, row)) ?? notMade(error);
      const mayHelp = waits !== null && tries < retries.most && !(error instanceof NeverKnown);
      if (!mayHelp) throw error;
      await waits(tries, error);
      if (stopping.aborted) throw new Interrupted();
    }
  }
}

/**
 * The change of a row that an earlier server made without writing so here, when the row's key has expired. The journal has
 * it, although the service refuses to make it again.
 */
async function findMade(db: BffDb, job: JobTable, row: JobRowTable): Promise<RowOutcome | null> {
  const closed = await entriesOf(db, row).where('outcome', '=', 'done').execute();
  const entry = closed.find((one) => one.job_id === job.id && one.undo_of === row.undo_of);
  return entry ? { ...done, subscriber_id: entry.subscriber_id ?? row.subscriber_id } : null;
}

/** The journal's entries of what a row is about. */
function entriesOf(db: BffDb, { subscriber_id: id, username }: JobRowTable) {
  // As `lockKeyOf` of the change that the row is for.
  const lock = id === 0 ? `u:${username.toLowerCase()}` : `s:${id}`;
  const entries = db.selectFrom('journal').select(['subscriber_id', 'undo_of', 'job_id']);
  return entries.where('lock_key', '=', lock);
}

/** The outcome of a row by the journal; null if its change was certainly not made. */
export async function outcomeInJournal(
  db: BffDb,
  job: JobTable,
  row: JobRowTable,
): Promise<RowOutcome | null> {
  const made = await findMade(db, job, row);
  if (made) return made;
  const unclear = await entriesOf(db, row)
    .where((entry) => entry.or([entry('outcome', 'is', null), entry('outcome', '=', 'unknown')]))
    .execute();
  const mayBeMade = unclear.some((one) => one.job_id === job.id);
  return mayBeMade ? faulty('unconfirmed', 'It is unclear whether the change was made.') : null;
}

/** The outcome of a row after an unexpected error. */
export const afterFault = async (db: BffDb, job: JobTable, row: JobRowTable): Promise<RowOutcome> =>
  (await outcomeInJournal(db, job, row)) ?? faulty('failed', 'Nothing was changed.');

const faulty = (result: RowResult, sentence: string): RowOutcome => ({
  result,
  why: 'internal-error',
  detail: `Something went wrong on the server. ${sentence} Try again. ${askForHelp}`,
});

const notMade = (problem: Problem): RowOutcome => ({
  result: isAboutOne(problem) ? 'skipped' : 'failed',
  why: problem.code,
  detail: detailOf(problem),
});

/** Sentences about the values that the service refused, whose fields alone the message names; for other problems the message. */
function detailOf({ code, message, particulars: { errors } }: Problem): string {
  if (code !== 'invalid-input' || !errors) return message;
  return sentencesIn(Object.fromEntries(Object.entries(errors).slice(0, fieldsInDetail)));
}

/** Fields that the detail of a row explains: a service may refuse each of 50 values. */
const fieldsInDetail = 5;

export const afterRetries = ({ code, message }: Problem): RowOutcome => ({
  result: unconfirmed.has(code) ? 'unconfirmed' : 'failed',
  why: code,
  detail: message,
});

async function changeOnce(deps: ChangeRowDeps, job: JobTable, row: JobRowTable): Promise<RowOutcome> {
  const { db, random, journal } = deps;
  const user = await allowedUser(deps, job);
  const makeRequest = async (): Promise<ChangeRequest> => {
    const undo = row.undo_of === null ? null : await makeUndoRequest(db, row.undo_of, user);
    return { ...(undo ?? requestOf(job, row)), jobId: job.id };
  };
  const name = ['job', job.id, row.number, row.tries];
  const { record } = await journal.change(makeRequest, {
    user,
    requestId: toBase64url(random(12)),
    traceContext: startTrace(random),
    reason: job.reason,
    ifMatch: row.version,
    signal: new AbortController().signal,
    recheckAccess: () => allowedUser(deps, job),
    key: await createIdempotencyKey(deps, name.join(' '), name),
  });
  return row.subscriber_id > 0 ? done : { ...done, subscriber_id: record.id };
}

function requestOf({ kind }: JobTable, row: JobRowTable): ChangeRequest {
  const params = { id: row.subscriber_id };
  if (kind === 'delete') return { operation: 'deleteSubscriber', input: { params }, undoOf: null };
  if (kind === 'regenerate') return { operation: 'regenerateToken', input: { params }, undoOf: null };
  const body = JSON.parse(row.after ?? '{}') as UpdateBody;
  if (row.subscriber_id === 0)
    return { operation: 'createSubscriber', input: { body: CreateBody.parse(body) }, undoOf: null };
  return { operation: 'updateSubscriber', input: { params, body }, undoOf: null };
}

/** @throws {RightsLost} */
async function allowedUser(deps: ChangeRowDeps, job: JobTable): Promise<CurrentUser> {
  const user = await findUser(deps, job);
  if (!user) throw new RightsLost();
  try {
    checkPermission(user.role, 'runJobs');
    checkKind(user, job.kind);
  } catch {
    throw new RightsLost();
  }
  return user;
}

/**
 * The user in whose name a job runs, as the account is now; null if nobody can sign in with it.
 *
 * @throws {Interrupted} if somebody has paused or stopped the job
 */
export async function findUser(
  { db, transport, singleSignOn }: Pick<ChangeRowDeps, 'db' | 'transport' | 'singleSignOn'>,
  { id: jobId, staff_id: id }: JobTable,
): Promise<CurrentUser | null> {
  if ('staff' in transport) {
    const user = {
      staffId: null,
      ...transport.staff,
      mustChangePassword: false,
      singleSignOn: false,
      isProven: false,
    };
    return id === staffIdOf(user) ? user : null;
  }
  const account = await db
    .selectFrom('staff')
    .select(['id', 'name', 'role', 'issuer', 'disabled'])
    .select((row) =>
      row.exists(unfinished(db).select('jobs.id').where('jobs.id', '=', jobId)).as('is_unfinished'),
    )
    .where('id', '=', id)
    .executeTakeFirst();
  if (!account || account.disabled !== 0 || account.role === noRole) return null;
  if (isOfOtherProvider(account.issuer, singleSignOn?.issuer)) return null;
  // Who ends sessions pauses what runs in their name, and no further row is changed.
  if (!account.is_unfinished) throw new Interrupted();
  const { name, role, issuer } = account;
  return {
    staffId: id,
    name,
    role,
    mustChangePassword: false,
    singleSignOn: issuer !== null,
    isProven: false,
  };
}

/** Waits before another try: longer each time, or as long as the service asks for. */
type Waits = (tries: number, error: unknown) => Promise<void>;

export function createWaits(
  { random, wait = pauseFor }: Pick<ChangeRowDeps, 'random' | 'wait'>,
  stopping: AbortSignal,
): Waits {
  const stopped = new Promise<void>((resolve) =>
    stopping.addEventListener('abort', () => resolve(), { once: true }),
  );
  return async (tries, error) => {
    const requested =
      error instanceof Problem ? Number(error.particulars.headers?.['Retry-After'] ?? 0) * 1000 : 0;
    const most = Math.min(retries.longest, retries.first * 2 ** tries);
    const ms = Math.min(retries.longest, Math.max(requested || 0, most * (0.5 + fraction(random) / 2)));
    await Promise.race([wait(ms), stopped]);
  };
}
