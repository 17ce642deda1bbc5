import { byteOrderMark, csvRow } from '../../contract/bff/csv.ts';
import {
  exportColumns,
  exportFields,
  headingsOf,
  jsonLine,
  type ExportContext,
} from '../../contract/bff/export-format.ts';
import type { ExportQuery } from '../../contract/bff/export-query.ts';
import { ViewQuery } from '../../contract/bff/view.ts';
import { changeHeaders, readChangeHeaders } from '../../contract/http/change-headers.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { invalidField, Problem } from '../../contract/http/problem.ts';
import type { OperationInput, OperationName } from '../../contract/service/api.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import { listNames } from '../../contract/service/limits.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { splitFilter, type SplitFilter } from '../../contract/service/scan.ts';
import { readBundleNames } from '../bundles/bundles.ts';
import type { BffDeps } from '../deps.ts';
import { orNull } from '../journal/change-request.ts';
import { actorOf, type RecordEvent } from '../journal/events.ts';
import { isPassing } from '../jobs/change-row.ts';
import { idsOfRows } from '../jobs/job-rows.ts';
import { scanProblem } from '../jobs/prepare.ts';
import { loadJob } from '../jobs/store.ts';
import { checkPermission } from '../http/guards.ts';
import { callFor, type RequestContext } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import type { Caller, ReplyTo } from '../upstream/call.ts';
import { GivenUp } from '../upstream/failures.ts';
import type { KnownStatuses } from '../upstream/known-statuses.ts';
import { readRows, type Batch } from './rows.ts';
import { writeRows, type AnswerFile, type FilePart } from './stream.ts';
import type { CurrentUser } from '../current-user.ts';

export interface ExportRouteParts extends Pick<BffDeps, 'db' | 'clock' | 'upstream'> {
  caller: Caller;
  recordEvent: RecordEvent;
  statuses: KnownStatuses;
  answerFile: AnswerFile;
  wait: (ms: number) => Promise<void>;
}

/** Subscribers that are read at once for their lists. */
const readsAtOnce = 4;

/** Pauses before a read is tried again, in ms. */
const retryWaits = [500, 1_000, 2_000];

/** Answers all subscribers of a list as a file, which is sent while it is made. */
export function createExportRoutes(parts: ExportRouteParts): Pick<BffHandlers, 'exportSubscribers'> {
  return {
    async exportSubscribers({ query }, context, user) {
      const { reason } = readChangeHeaders(context.headers);
      if (query.tokens) {
        checkPermission(user.role, 'seeAccessToken');
        if (reason === null) throw invalidField(changeHeaders.reason, 'Say why you need the access tokens.');
      }
      if (query.job !== undefined) {
        checkPermission(user.role, 'runJobs');
        if (Object.values(viewQueryOf(query)).some((value) => value !== undefined))
          throw invalidField('job', 'Leave out filters and order for the subscribers of a job.');
        await loadJob(parts.db, query.job);
      }
      return parts.answerFile(context, user, {
        headers: headersFor(query),
        isCounted: query.counted ?? false,
        async start(signal) {
          const file = await startFile(parts, query, { context, user, signal });
          const { count } = file;
          return { ...file, record: () => recordExport(parts, query, { context, user, count, reason }) };
        },
      });
    },
  };
}

function headersFor({ format = 'csv' }: ExportQuery) {
  const type = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/jsonl' }[format];
  return {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="subscribers.${format}"`,
  };
}

interface Reading {
  context: RequestContext;
  user: CurrentUser;
  /** Aborts when the export is over, however it ended. */
  signal: AbortSignal;
}

/** Reads the beginning, so that a service that does not answer is a problem and not a broken file. */
async function startFile(parts: ExportRouteParts, query: ExportQuery, reading: Reading) {
  const read = createRead(parts, reading);
  const { extensions } = parts.upstream;
  const { query: filter, belongs } = splitFilter(viewQueryOf(query), extensions, parts.clock());
  // Without AfterId there are pages of another size.
  const include =
    query.lists && ['include', 'AfterId'].every((name) => extensions.some((one) => one === name));
  const details = createDetails(read);
  const batches =
    query.job === undefined
      ? readRows(
          (page) => read('listSubscribers', { query: page }),
          include ? { ...filter, include: [...listNames] } : filter,
          extensions,
        )
      : readRowsOfJob(parts, query.job, details);
  const first = await batches.next().catch((error: unknown) => {
    const problem = scanProblem(error);
    throw problem === undefined ? error : new Problem('bad-upstream', problem);
  });
  const statuses = await readStatuses(parts, read);
  const bundleNames =
    query.bundleNames && (await readBundleNames(parts, callFor(reading.context, reading.user)));
  const write = async function* (): AsyncGenerator<FilePart> {
    const { zone = 'UTC', format = 'csv', columns: fields, lists = false, tokens = false } = query;
    const columns = exportColumns({ fields: fields?.length ? fields : exportFields, lists, tokens });
    const writing: ExportContext = { zone, statuses, ...(bundleNames && { bundleNames }) };
    const lineOf = (subscriber: SubscriberWithLists) =>
      format === 'csv'
        ? csvRow(columns.map((column) => column.write(subscriber, writing)))
        : jsonLine(columns, subscriber, writing);
    if (format === 'csv') yield { text: byteOrderMark + csvRow(headingsOf(columns, zone)), rows: 0 };
    for (let next = first; !next.done; next = await batches.next()) {
      const matching = next.value.rows.filter((row) => belongs?.(row) ?? true);
      const rows = lists ? await details(matching) : matching;
      yield* writeRows(rows, lineOf, parts.wait);
      yield { text: '', rows: 0, read: next.value.rows.length - rows.length };
      if (lists) await parts.wait(0);
    }
  };
  return { count: countOf(first, belongs), parts: write() };
}

/** The filters and the order: all but what only an export has. */
const viewQueryOf = (query: ExportQuery): ViewQuery =>
  Object.fromEntries(viewFields.map((name) => [name, query[name]]));
const viewFields = Object.keys(ViewQuery.shape) as (keyof ViewQuery)[];

/** Those whom a job has changed, in its order. Who is gone by now is left out. */
async function* readRowsOfJob(
  { db, wait }: ExportRouteParts,
  job: string,
  details: ReturnType<typeof createDetails>,
): AsyncGenerator<Batch, void> {
  const ids = await idsOfRows(db, { job, result: 'done' }, wait);
  for (let start = 0; start < ids.length; start += pageSizes.most) {
    const rows = ids.slice(start, start + pageSizes.most).map((id) => ({ id }));
    yield { rows: await details(rows), total: ids.length };
  }
}

/** Number of subscribers that match; null where only reading them all can tell. */
function countOf(first: IteratorResult<Batch, void>, belongs: SplitFilter['belongs']) {
  if (first.done) return 0;
  return belongs === null ? first.value.total : null;
}

type Reads = Extract<OperationName, 'listSubscribers' | 'getSubscriber' | 'listStatuses'>;
type Read = <N extends Reads>(operation: N, input: OperationInput<N>) => Promise<ReplyTo<N>['data']>;

/**
 * Reads of an export: tried again a few times if they fail, and ended with it. A first read that took too long is not:
 * somebody waits for the answer.
 */
function createRead({ caller, wait }: ExportRouteParts, { context, user, signal }: Reading): Read {
  const { requestId, traceContext } = context;
  const call = { role: user.role, requestId, traceContext, fresh: true, signal } as const;
  let hasAnswered = false;
  return async (operation, input) => {
    for (let attempt = 0; ; attempt += 1)
      try {
        const { data } = await caller.call(operation, input, call);
        hasAnswered = true;
        return data;
      } catch (error) {
        const pause = retryWaits[attempt];
        if (pause === undefined || signal.aborted || error instanceof GivenUp || !isPassing(error))
          throw error;
        if (!hasAnswered && error.code === 'upstream-timeout') throw error;
        await wait(pause);
      }
  };
}

type Known = SubscriberWithLists | { id: number };
const isWhole = (row: Known): row is SubscriberWithLists => listNames.every((name) => name in row);

/** Reads the lists of subscribers that came without, a few at once. Who is gone by now is left out. */
function createDetails(read: Read): (rows: readonly Known[]) => Promise<SubscriberWithLists[]> {
  const query = { include: [...listNames] };
  const readOne = async (row: Known) =>
    isWhole(row) ? row : orNull(read('getSubscriber', { params: { id: row.id }, query }));
  return async (rows) => {
    const found = await mapConcurrently(rows, readsAtOnce, readOne);
    return found.filter((one) => one !== null);
  };
}

async function readStatuses({ statuses }: ExportRouteParts, read: Read): Promise<ExportContext['statuses']> {
  const known = statuses.get() ?? (await read('listStatuses', {}));
  return new Map(known.map(({ id, name }) => [id, name]));
}

/** Writes down who takes how many subscribers away, before any of them goes out. What they searched for may name people. */
async function recordExport(
  { db, recordEvent }: ExportRouteParts,
  query: ExportQuery,
  given: { context: RequestContext; user: CurrentUser; count: number | null; reason: string | null },
): Promise<void> {
  const { context, user, count, reason } = given;
  const { SortBy: _, ...filters } = { ...viewQueryOf(query), job: query.job };
  const subscribers = {
    filters: Object.keys(filters).filter((name) => filters[name as keyof typeof filters] !== undefined),
    count,
    tokens: query.tokens ?? false,
  };
  const event = {
    operation: 'exportSubscribers',
    ...actorOf(user, context),
    details: { subscribers, ...(reason !== null && { reason }) },
  } as const;
  await db.transaction().execute((tx) => recordEvent(tx, event));
}
