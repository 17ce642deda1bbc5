import {
  jobLimits,
  neededFor,
  type ImportRow,
  type RowReason,
  type RowResult,
} from '../../contract/bff/job.ts';
import { maskedToken } from '../../contract/bff/access-token.ts';
import { ApiError } from '../../contract/http/client.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { Problem } from '../../contract/http/problem.ts';
import { pageSizes, type ListQuery, type SubscriberPage } from '../../contract/service/list-query.ts';
import { scanById, splitFilter, type SplitFilter } from '../../contract/service/scan.ts';
import type { Subscriber, SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { BffDeps } from '../deps.ts';
import { loadChange } from '../journal/activity.ts';
import { findRecord, type CurrentRecord } from '../journal/change-request.ts';
import { makeUndoRequest } from '../journal/undo.ts';
import { checkPermission } from '../http/guards.ts';
import type { Caller } from '../upstream/call.ts';
import { createImport } from './import.ts';
import { createSummary } from './summary.ts';
import { gone, planChange, type Change, type Plan } from './plan.ts';
import type { JobTable } from './schema.ts';
import { addRows, noCounts, readImport, readTargets, writeFenced, type Db, type NewRow } from './store.ts';
import type { CurrentUser } from '../current-user.ts';

export interface PrepareDeps extends Pick<BffDeps, 'db' | 'clock' | 'upstream'> {
  caller: Caller;
}

/**
 * Tries something again for as long as the service does not answer.
 *
 * @throws when the job is not to be worked on any more
 */
export type Persist = <T>(attempt: () => Promise<T>) => Promise<T>;

/** How many reads or changes of one job are under way at once. */
export const rowsAtOnce = 4;

/** How many rows are written at once. */
const batchSize = 100;

/** Somebody stopped the job, or the server stops. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Finds out what a job would change of each of its subscribers, and writes it down. From the beginning, also where another
 * server had got somewhere. Nothing is changed.
 *
 * @throws {Problem} if it cannot be prepared
 */
export async function prepareJob(
  deps: PrepareDeps,
  job: JobTable,
  user: CurrentUser,
  persist: Persist,
): Promise<void> {
  const { db, clock } = deps;
  for (const permission of neededFor[job.kind]) checkPermission(user.role, permission);
  const summary = createSummary(job.created_at);
  let written = 0;
  const write = (rows: readonly NewRow[], total: number) =>
    writeFenced(db, job, clock(), async (tx, { state }) => {
      if (state !== 'preparing') throw new Interrupted();
      await addRows(tx, job.id, written + 1, rows);
      return {
        total: Math.max(total, written + rows.length),
        counts: JSON.stringify(summary.counts),
        pause: null,
      };
    });
  await writeFenced(db, job, clock(), async (tx) => {
    await tx.deleteFrom('job_rows').where('job_id', '=', job.id).execute();
    return { counts: JSON.stringify(noCounts), total: 0 };
  });
  for await (const { items, total } of sourcesOf(deps, job, user, persist)) {
    const rows = await mapConcurrently(items, rowsAtOnce, persist);
    const wanted = rows.filter((row) => row !== null);
    for (const { row, record } of wanted) summary.add(row, record);
    await write(
      wanted.map(({ row }) => row),
      total,
    );
    written += wanted.length;
    if (written > jobLimits.subscribers) throw tooMany();
  }
  if (written === 0) throw noTargets();
  await writeFenced(db, job, clock(), async (_, { state }) =>
    state === 'preparing'
      ? { state: 'ready', pause: null, total: written, preview: JSON.stringify(summary.preview()) }
      : {},
  );
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

/** A row, and the record that it was made from. */
interface Prepared {
  row: NewRow;
  record: SubscriberDetail | null;
}

/** Makes a row; null for a subscriber that does not belong to the job. */
type Source = () => Promise<Prepared | null>;

interface Sources {
  items: readonly Source[];
  /** How many there will be in all, as far as is known. */
  total: number;
}

async function* sourcesOf(
  deps: PrepareDeps,
  job: JobTable,
  user: CurrentUser,
  persist: Persist,
): AsyncGenerator<Sources> {
  const targets = readTargets(job);
  if (targets === null) {
    yield* job.file === null ? entriesToUndo(deps, job, user) : rowsToImport(deps, job, user, job.file);
    return;
  }
  const change = changeOf(job);
  const prepare =
    (id: number, belongs: SplitFilter['belongs'] = null): Source =>
    async () => {
      const current = await readCurrent(deps.caller, job, user, id);
      if (!current) return { row: toRow({ id, username: '' }, null, gone), record: null };
      if (belongs?.(current.record) === false) return null;
      const { record, version } = current;
      return { row: toRow(record, version, planChange(change, record, job.created_at)), record };
    };
  if ('ids' in targets || 'job' in targets) {
    const ids = 'ids' in targets ? [...new Set(targets.ids)] : await idsOf(deps.db, targets);
    for (const batch of batchesOf(ids)) yield { items: batch.map((id) => prepare(id)), total: ids.length };
    return;
  }
  const filter = 'query' in targets ? targets.query : {};
  // A scan goes by the ids.
  const { query, belongs } = splitFilter(
    { ...filter, SortBy: undefined },
    deps.upstream.extensions,
    job.created_at,
  );
  const read = (Page: number, PageSize: number) =>
    persist(() => readPage(deps.caller, job, user, { ...query, Page, PageSize }));
  for await (const { rows, totalCount } of scanById<Subscriber>(read)) {
    if (totalCount > jobLimits.subscribers && belongs === null) throw tooMany();
    for (const batch of batchesOf(rows.filter((row) => belongs?.(row) ?? true))) {
      const items = batch.map(({ id }) => prepare(id, belongs));
      yield { items, total: belongs === null ? totalCount : 0 };
    }
  }
}

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += batchSize) yield all.slice(start, start + batchSize);
}

/** The rows of another job that have one result. */
async function idsOf(db: Db, { job, result }: { job: string; result: RowResult }): Promise<number[]> {
  const rows = db.selectFrom('job_rows').select('subscriber_id as id').where('job_id', '=', job);
  const found = await rows
    .where('result', '=', result)
    .where('subscriber_id', '>', 0)
    .orderBy('number')
    .execute();
  return found.map(({ id }) => id);
}

/** How many subscribers match a filter now; null where the service cannot say. @throws {Problem} */
export async function countMatches(
  deps: PrepareDeps,
  job: Pick<JobTable, 'request_id'>,
  user: CurrentUser,
  filter: ListQuery,
): Promise<number | null> {
  const { query, belongs } = splitFilter(
    { ...filter, SortBy: undefined },
    deps.upstream.extensions,
    deps.clock(),
  );
  const { totalCount } = await readPage(deps.caller, job, user, { ...query, Page: 1, PageSize: 1 });
  return belongs && totalCount > 0 ? null : totalCount;
}

async function readPage(
  caller: Caller,
  { request_id: requestId }: Pick<JobTable, 'request_id'>,
  { role }: CurrentUser,
  query: ListQuery,
): Promise<SubscriberPage> {
  return (await caller.call('listSubscribers', { query }, { role, requestId, fresh: true })).data;
}

/** @returns null if there is no such subscriber */
const readCurrent = (
  caller: Caller,
  { request_id: requestId }: JobTable,
  { role }: CurrentUser,
  id: number,
): Promise<CurrentRecord | null> => findRecord(caller, id, { role, requestId });

/** The rows of a file, in its order. */
async function* rowsToImport(
  { db, caller }: PrepareDeps,
  job: JobTable,
  user: CurrentUser,
  written: string,
): AsyncGenerator<Sources> {
  const file = readImport(written);
  const rows = db.selectFrom('import_rows').selectAll().where('job_id', '=', job.id);
  const read = createImport(file, {
    find: (username) => findByUsername(caller, job, user, username),
    read: (id) => readCurrent(caller, job, user, id),
  });
  for (let last = 0; last < file.rows; last += batchSize) {
    const some = rows
      .where('number', '>', last)
      .where('number', '<=', last + batchSize)
      .orderBy('number');
    const batch = await some.execute();
    const items = batch.map(({ number, cells }) => async (): Promise<Prepared> => {
      const { of, version, plan, record } = await read(number, JSON.parse(cells) as ImportRow);
      return { row: toRow(of, version, plan), record };
    });
    yield { items, total: file.rows };
  }
}

/** The id of the subscriber with exactly this username, ignoring case; null if there is none. */
async function findByUsername(
  caller: Caller,
  job: JobTable,
  user: CurrentUser,
  username: string,
): Promise<number | null> {
  for (let Page = 1; ; Page += 1) {
    const query = { Username: username, Page, PageSize: pageSizes.most };
    const { items, totalPages } = await readPage(caller, job, user, query);
    const found = items.find((one) => one.username.toLowerCase() === username.toLowerCase());
    if (found || Page >= totalPages) return found?.id ?? null;
  }
}

/** The changes that another job made, in the order of the subscribers. */
async function* entriesToUndo(deps: PrepareDeps, job: JobTable, user: CurrentUser): AsyncGenerator<Sources> {
  const entries = deps.db.selectFrom('journal').select('id').where('job_id', '=', job.undo_of);
  const made = entries.where('kind', '=', 'change').where('outcome', '=', 'done');
  const ids = await made.orderBy('subscriber_id').orderBy('seq').execute();
  for (const batch of batchesOf(ids))
    yield {
      items: batch.map(
        ({ id }) =>
          () =>
            prepareUndo(deps, job, user, id),
      ),
      total: ids.length,
    };
}

/** A row that undoes an entry. A deleted subscriber is made anew, so it has no id yet. */
async function prepareUndo(
  { db, caller }: PrepareDeps,
  job: JobTable,
  user: CurrentUser,
  entryId: string,
): Promise<Prepared> {
  const entry = await loadChange(db, entryId);
  const { username } = entry;
  const isDeleted = entry.operation === 'deleteSubscriber';
  const current = isDeleted ? null : await readCurrent(caller, job, user, Number(entry.subscriberId));
  const of = { id: isDeleted ? 0 : Number(entry.subscriberId), username };
  const planned = async (): Promise<Plan> => {
    if (!isDeleted && !current) return gone;
    const request = await makeUndoRequest(db, entryId, user);
    await request.check?.(current?.record ?? null);
    return { result: 'change', why: null, detail: null, before: entry.after, after: entry.before };
  };
  const plan = await planned().catch((error: unknown) => {
    if (!(error instanceof Problem) || !reasonsToSkip.has(error.code)) throw error;
    return { ...gone, why: error.code, detail: error.message };
  });
  return {
    row: { ...toRow(of, current?.version ?? null, plan), undo_of: entryId },
    record: current?.record ?? null,
  };
}

/** Refusals that are about one subscriber, which the job then leaves as it is. */
export const reasonsToSkip: ReadonlySet<RowReason> = new Set<RowReason>([
  'no-such-subscriber',
  'changed-meanwhile',
  'changed-since',
  'cannot-undo',
  'no-such-entry',
]);

function toRow(
  { id, username }: { id: number; username: string },
  version: string | null,
  { before, after, detail, ...plan }: Plan,
): NewRow {
  return {
    subscriber_id: id,
    username: storable(username),
    version,
    ...plan,
    detail: detail === null ? null : storable(detail),
    before: asText(before),
    after: asText(after),
    undo_of: null,
  };
}

/** A file can have letters that PostgreSQL does not store, in its cells and in its headings. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** As it is stored: a token only masked. */
function asText(part: Plan['before']): string | null {
  if (part === null) return null;
  const { accessToken } = part;
  return JSON.stringify({
    ...part,
    ...(accessToken !== undefined && { accessToken: maskedToken(accessToken) }),
  });
}

/** The change of a job, as it was asked for. */
function changeOf({ kind, change }: JobTable): Change {
  return { kind, change: change === null ? undefined : (JSON.parse(change) as unknown) } as Change;
}

/** Why a list cannot be scanned, in a sentence; undefined for other errors. */
export const scanProblem = (error: unknown) => (error instanceof ApiError ? error.message : undefined);
