import { jobLimits, JobTargets, neededFor } from '../../contract/bff/job.ts';
import type { JobKind } from '../../contract/bff/journal.ts';
import { ApiError } from '../../contract/http/client.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';
import { scanById, splitFilter } from '../../contract/service/scan.ts';
import { foldText, searchText } from '../../contract/service/search-text.ts';
import type { Subscriber, SubscriberDetail } from '../../contract/service/subscriber.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { CurrentUser } from '../current-user.ts';
import { readBundleNames } from '../bundles/bundles.ts';
import type { BffDeps } from '../deps.ts';
import { checkPermission } from '../http/guards.ts';
import { restoreText } from '../../contract/bff/csv.ts';
import { createFormFinder } from '../imports/column-forms.ts';
import { createPlanRow, nameIn } from '../imports/plan-row.ts';
import { numberRows, type StoredPart, type StoredRow } from '../imports/read-text.ts';
import { loadChange } from '../journal/activity.ts';
import { findIdsByName, findRecord } from '../journal/change-request.ts';
import { differing } from '../journal/entries.ts';
import { makeUndoRequest } from '../journal/undo.ts';
import type { Caller } from '../upstream/call.ts';
import { pause } from '../upstream/exchange.ts';
import {
  absent,
  planChange,
  withoutChange,
  type Plan,
  type PreparedRow,
  type RequestedChange,
} from './plan.ts';
import { idsOfRows } from './job-rows.ts';
import type { ImportedFile, JobTable } from './schema.ts';
import { countsOf, deleteRows, noCounts, writeFenced } from './store.ts';
import { createLeaveOut, createSummary, toRow } from './summary.ts';

export interface PrepareDeps extends Pick<BffDeps, 'db' | 'clock' | 'upstream' | 'wait'> {
  caller: Caller;
}

/**
 * Tries something again for as long as the service does not answer.
 *
 * @param options.isRow it is only for one row, which may be given up
 * @throws {RowRefused} when a row is given up; others when the job is not to be worked on any more
 */
export type Persist = <T>(attempt: () => Promise<T>, options?: { isRow?: boolean }) => Promise<T>;

/** The service answers, but refuses what one row needs. */
export class RowRefused extends Error {
  override readonly name = 'RowRefused';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Reads or changes of one job that are under way at once. */
export const rowsAtOnce = 4;

/** Rows that are written at once. */
const batchSize = 100;

/** Entries that are read at once to undo them: each takes longer than a row of a file. */
const entriesAtOnce = 20;

/** Somebody stopped the job, or the server stops. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** A job that is prepared, and what that takes. */
interface Preparing extends PrepareDeps {
  job: JobTable;
  user: CurrentUser;
  persist: Persist;
  signal: AbortSignal;
}

/**
 * Finds out what a job would change of each of its subscribers, and writes it down. From the beginning, also where another
 * server had got somewhere. Nothing is changed.
 *
 * @throws {Problem} if it cannot be prepared
 */
export async function prepareJob(preparing: Preparing): Promise<void> {
  const { db, clock, job, user, persist, wait = pause } = preparing;
  checkKind(user, job.kind);
  const [summary, leaveOut] = [createSummary(job), createLeaveOut(job)];
  let written = 0;
  const before = { hasRows: true };
  while (before.hasRows) {
    await writeFenced(db, job, clock(), async (tx) => {
      before.hasRows = await deleteRows(tx, job.id);
      return { counts: JSON.stringify(noCounts), total: 0 };
    });
    if (before.hasRows) await wait(0);
  }
  for await (const { sources, total, readAs = [] } of sourcesOf(preparing)) {
    summary.readAs.push(...readAs);
    const found = await mapConcurrently(sources, rowsAtOnce, async ({ of, number, read }) => {
      const row = await persist(read, { isRow: true }).catch((error: unknown) => {
        if (!(error instanceof RowRefused)) throw error;
        // Not `failed`, which is tried again as it was planned: nobody knows what to change.
        return { of, plan: withoutChange('skipped', error.problem.code, error.message) };
      });
      return row && { number, row };
    });
    const prepared = found.filter((row) => row !== null);
    const rows = prepared.map(({ number, row }, index) =>
      leaveOut(toRow(job, number ?? written + index + 1, row)),
    );
    rows.forEach((row, index) => summary.add(row, prepared[index]?.row.plan.after ?? null));
    await writeFenced(db, job, clock(), async (tx, { state }) => {
      if (state !== 'preparing') throw new Interrupted();
      if (rows.length > 0) await tx.insertInto('job_rows').values(rows).execute();
      const counts = JSON.stringify(summary.counts);
      return { total: Math.max(total, written + rows.length), counts, pause: null };
    });
    written += rows.length;
    if (written > jobLimits.subscribers) throw tooMany();
    // A database in this process answers at once: without this, nobody else had a turn where no row needs the service.
    await wait(0);
  }
  if (written === 0) throw noTargets();
  const preview = JSON.stringify(summary.preview());
  await writeFenced(db, job, clock(), async (_, { state }) =>
    state === 'preparing' ? { state: 'ready', pause: null, total: written, preview } : {},
  );
}

/** @throws {Problem} `not-allowed` if the user may not make what a kind of job makes */
export function checkKind({ role }: CurrentUser, kind: JobKind): void {
  for (const permission of neededFor[kind]) checkPermission(role, permission);
}

export const noTargets = () =>
  new Problem('invalid-input', 'No subscriber matches. Nothing was changed. Choose others.', {
    errors: { targets: ['No subscriber matches.'] },
  });

export const tooMany = () =>
  new Problem(
    'invalid-input',
    `More than ${jobLimits.subscribers} subscribers match. Nothing was changed. Set another filter, and make two jobs of it.`,
    { errors: { targets: [`More than ${jobLimits.subscribers} subscribers match.`] } },
  );

/** The source of a row: a subscriber, an entry or a row of a file. */
interface Source {
  /** As far as it is known before it is read. */
  of: PreparedRow['of'];
  /** Its place in a file; others are numbered as they come. */
  number?: number;
  /** Makes the row; null for a subscriber that does not belong to the job. */
  read: () => Promise<PreparedRow | null>;
}

interface Sources {
  sources: readonly Source[];
  /** Number expected in all, as far as is known. */
  total: number;
  readAs?: readonly string[];
}

function sourcesOf(preparing: Preparing): AsyncGenerator<Sources> {
  const { job } = preparing;
  if (job.file !== null) return rowsToImport(preparing, JSON.parse(job.file) as ImportedFile);
  return job.targets === null
    ? entriesToUndo(preparing)
    : subscribersToChange(preparing, JobTargets.parse(JSON.parse(job.targets)));
}

async function* subscribersToChange(preparing: Preparing, targets: JobTargets): AsyncGenerator<Sources> {
  const { db, clock, upstream, job, persist, wait = pause } = preparing;
  const { kind, change, created_at: createdAt } = job;
  const requested = { kind, change: JSON.parse(change ?? 'null') as unknown } as RequestedChange;
  const prepare = (
    id: number,
    username = '',
    isFor: (record: SubscriberDetail) => boolean = () => true,
  ): Source => ({
    of: { id, username },
    async read() {
      const current = await readCurrent(preparing, id);
      if (!current) return { of: { id, username: '' }, plan: absent };
      if (!isFor(current.record)) return null;
      return { of: current.record, plan: planChange(requested, current.record, createdAt), current };
    },
  });
  if ('ids' in targets || 'job' in targets) {
    // An import may have skipped several rows of one subscriber.
    const ids = [...new Set('ids' in targets ? targets.ids : await idsOfRows(db, targets, wait))];
    for (const batch of batchesOf(ids)) yield { sources: batch.map((id) => prepare(id)), total: ids.length };
    return;
  }
  const filter = 'query' in targets ? targets.query : {};
  const { query, belongs } = splitById(filter, upstream, createdAt);
  const { belongs: matches } = splitById(filter, { extensions: ['include'] }, createdAt);
  /** False for somebody who was changed since the list was read, such as by a payment, and does not match any more. */
  const stillBelongs = (row: Subscriber, record: SubscriberDetail) =>
    Object.keys(differing(record, row)).length === 0 ||
    (matches?.(record) !== false &&
      (filter.StatusId ?? record.status) === record.status &&
      foldText(record.note).includes(foldText(filter.Note ?? '')) &&
      !(filter.Expired && Date.parse(record.expiresAt) > clock()));
  const read = (Page: number, PageSize: number) =>
    persist(() => readPage(preparing, { ...query, Page, PageSize }));
  for await (const { rows, totalCount } of scanById<Subscriber>(read)) {
    if (totalCount > jobLimits.subscribers && belongs === null) throw tooMany();
    for (const batch of batchesOf(rows.filter((row) => belongs?.(row) ?? true))) {
      const sources = batch.map((row) =>
        prepare(row.id, row.username, (one) => belongs?.(one) !== false && stillBelongs(row, one)),
      );
      yield { sources, total: belongs === null ? totalCount : 0 };
    }
  }
}

/** A scan goes by the ids, whatever the order of the list is. */
const splitById = (filter: ListQuery, { extensions }: Pick<BffDeps['upstream'], 'extensions'>, now: number) =>
  splitFilter({ ...filter, SortBy: undefined }, extensions, now);

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += batchSize) yield all.slice(start, start + batchSize);
}

/** Counts the subscribers who match a filter now; null where the service cannot say. @throws {Problem} */
export async function countMatches(
  deps: PrepareDeps,
  requestId: string,
  user: CurrentUser,
  filter: ListQuery,
): Promise<number | null> {
  const { query, belongs } = splitById(filter, deps.upstream, deps.clock());
  const reading = { ...deps, job: { request_id: requestId }, user };
  const { totalCount } = await readPage(reading, { ...query, Page: 1, PageSize: 1 });
  return belongs && totalCount > 0 ? null : totalCount;
}

/** The user who reads, and the request for it. */
interface Reading {
  caller: Caller;
  job: Pick<JobTable, 'request_id'>;
  user: CurrentUser;
  signal?: AbortSignal;
}

const contextOf = ({ job, user, signal }: Reading) => ({
  role: user.role,
  requestId: job.request_id,
  ...(signal && { signal }),
});

async function readPage(reading: Reading, query: ListQuery): Promise<SubscriberPage> {
  const context = { ...contextOf(reading), fresh: true } as const;
  return (await reading.caller.call('listSubscribers', { query }, context)).data;
}

/** @returns null if there is no such subscriber */
const readCurrent = (reading: Reading, id: number) => findRecord(reading.caller, id, contextOf(reading));

/** The rows of a file, in its order. */
async function* rowsToImport(preparing: Preparing, file: ImportedFile): AsyncGenerator<Sources> {
  const finders = file.columns.map(createFormFinder);
  const { wait = pause } = preparing;
  if (finders.some((finder) => finder !== null))
    for await (const rows of partsOf(preparing, file)) {
      for (const { row } of rows)
        if (!('problem' in row))
          for (const [index, finder] of finders.entries()) {
            const cell = row[index] ?? '';
            finder?.add(restoreText(typeof cell === 'object' ? '' : String(cell)));
          }
      // SQLite answers at once: without this, nobody else had a turn until the end of the file.
      await wait(0);
    }
  const forms = finders.map((finder) => finder?.find() ?? null);
  yield { sources: [], total: file.rows, readAs: forms.flatMap((form) => form?.sentence ?? []) };
  const statuses = await preparing.persist(() => readStatuses(preparing));
  const names = [...(await preparing.persist(() => readBundleNames(preparing, contextOf(preparing))))];
  const bundleNumbers = new Map(names.map(([number, name]) => [foldText(name), number]));
  const planRow = createPlanRow(
    { ...file, forms, bundleNumbers },
    {
      find: (username) => findByUsername(preparing, username),
      read: (id) => readCurrent(preparing, id),
      statuses,
    },
  );
  for await (const rows of partsOf(preparing, file))
    for (const batch of batchesOf(rows))
      yield {
        sources: batch.map(({ number, row }) => ({
          of: { id: 0, username: nameIn(file, row) },
          number,
          read: () => planRow(number, row),
        })),
        total: file.rows,
      };
}

/** The rows of a file, as they were read together, by their places in it. */
async function* partsOf(
  { db, job }: Preparing,
  file: ImportedFile,
): AsyncGenerator<readonly { number: number; row: StoredRow }[]> {
  const parts = db.selectFrom('import_parts').selectAll().where('import_id', '=', job.id);
  for (let [last, read] = [0, 0]; read < file.rows;) {
    const part = await parts.where('first', '>', last).orderBy('first').limit(1).executeTakeFirstOrThrow();
    const rows = numberRows(JSON.parse(part.rows) as StoredPart, part.first - 1);
    yield rows;
    last = part.first;
    read += rows.length;
  }
}

/** The ids of the statuses by their names in lower case, and by themselves as texts. */
async function readStatuses(reading: Reading): Promise<ReadonlyMap<string, number>> {
  const { data } = await reading.caller.call('listStatuses', {}, contextOf(reading));
  return new Map(
    data.flatMap(({ id, name }) => [[name.toLowerCase(), id] as const, [String(id), id] as const]),
  );
}

/** The ids of the subscribers with exactly this username, without regard to case, as the service compares them. */
function findByUsername(reading: Reading, username: string): Promise<number[]> {
  const isIt = (name: string) => searchText(name) === searchText(username);
  return findIdsByName(reading.caller, { Username: username }, isIt, contextOf(reading));
}

/** The changes that another job made, the first one first. */
async function* entriesToUndo(preparing: Preparing): AsyncGenerator<Sources> {
  const { db, job } = preparing;
  const undone = await db
    .selectFrom('jobs')
    .select('counts')
    .where('id', '=', job.undo_of)
    .executeTakeFirst();
  const total = undone ? countsOf(undone.counts).done : 0;
  const made = db
    .selectFrom('journal')
    .select(['id', 'at', 'seq', 'subscriber_id', 'username'])
    .where('job_id', '=', job.undo_of);
  const ends = made.where('kind', '=', 'change').where('outcome', '=', 'done');
  const counted = ends.clearSelect().select((row) => row.fn.countAll<number>().as('count'));
  const { count } = await counted.executeTakeFirstOrThrow();
  if (count < total) throw partlyTooOld(count, total);
  const entries = ends.orderBy('at').orderBy('seq');
  for (let last = { at: 0, seq: 0 }; ;) {
    const { at, seq } = last;
    const after = entries.where((row) => row(row.refTuple('at', 'seq'), '>', row.tuple(at, seq)));
    const batch = await after.limit(entriesAtOnce).execute();
    yield {
      sources: batch.map(({ id, subscriber_id: subscriberId, username }) => ({
        of: { id: Number(subscriberId), username },
        read: () => prepareUndo(preparing, id),
      })),
      total,
    };
    const end = batch.at(-1);
    if (!end) return;
    last = end;
  }
}

/** Where entries are deleted earlier than jobs, which an administrator may choose. */
const partlyTooOld = (count: number, total: number) =>
  new Problem(
    'cannot-undo',
    `Of this job’s ${total} changes, Activity still has ${count}: the others were deleted because of their age. So it can’t be undone as a whole. Nothing was changed.`,
  );

/** A row that undoes an entry. A deleted subscriber is made anew, so it has no id yet. */
async function prepareUndo(preparing: Preparing, undoOf: string): Promise<PreparedRow> {
  const { db, user } = preparing;
  const { operation, subscriberId, username, before, after } = await loadChange(db, undoOf);
  const id = operation === 'deleteSubscriber' ? 0 : Number(subscriberId);
  const current = id === 0 ? null : await readCurrent(preparing, id);
  const planUndo = async (): Promise<Plan> => {
    if (id > 0 && !current) return absent;
    const request = await makeUndoRequest(db, undoOf, user);
    await request.check?.(current?.record ?? null);
    return { result: 'change', why: null, detail: null, before: after, after: before };
  };
  const plan = await planUndo().catch((error: unknown) => {
    if (!(error instanceof Problem) || !isAboutOne(error)) throw error;
    return { ...absent, why: error.code, detail: error.message };
  });
  return { of: { id, username }, plan, current, undoOf };
}

/** True for a problem that is about one subscriber, which the job then leaves as it is. */
export const isAboutOne = ({ code }: Problem): boolean =>
  ['no-such-subscriber', 'changed-meanwhile', 'changed-since', 'cannot-undo', 'no-such-entry'].includes(code);

/** Why a list cannot be scanned, in a sentence; undefined for other errors. */
export const scanProblem = (error: unknown) => (error instanceof ApiError ? error.message : undefined);
