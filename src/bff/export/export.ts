import { byteOrderMark, csvRow } from '../../contract/bff/csv.ts';
import {
  exportColumns,
  exportFields,
  headingsOf,
  jsonLine,
  type ExportContext,
} from '../../contract/bff/export-format.ts';
import { exportCountHeader, exportEnd, type ExportQuery } from '../../contract/bff/export-query.ts';
import type { ViewQuery } from '../../contract/bff/view.ts';
import { changeHeaders, readChangeHeaders } from '../../contract/http/change-headers.ts';
import { Answer } from '../../contract/http/answer.ts';
import { describeError } from '../../lib/log.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { invalidField, Problem } from '../../contract/http/problem.ts';
import type { OperationInput, OperationName } from '../../contract/service/api.ts';
import { listNames, type Subscriber, type SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { splitFilter, type SplitFilter } from '../../contract/service/scan.ts';
import type { BffDeps } from '../deps.ts';
import { orNull } from '../journal/change-request.ts';
import { actorOf, type RecordEvent } from '../journal/events.ts';
import { isPassing } from '../jobs/change-row.ts';
import { scanProblem } from '../jobs/prepare.ts';
import { checkPermission } from '../http/guards.ts';
import type { RequestContext } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import type { Caller, ReplyTo } from '../upstream/call.ts';
import { GivenUp } from '../upstream/failures.ts';
import type { KnownStatuses } from '../upstream/known-statuses.ts';
import { readRows, type Batch } from './rows.ts';
import type { CurrentUser } from '../current-user.ts';

export interface ExportRouteParts extends Pick<BffDeps, 'db' | 'clock' | 'log' | 'upstream'> {
  caller: Caller;
  recordEvent: RecordEvent;
  statuses: KnownStatuses;
  wait: (ms: number) => Promise<void>;
}

/** How many exports a server makes at once; an account one. Each reads a list from its beginning to its end. */
const exportsAtOnce = 2;

/** How many subscribers are read at once for their lists. */
const readsAtOnce = 4;

/** After how many rows the session is looked at again. */
const rowsBetweenChecks = 10_000;

/** How long to wait before a read is tried again, in ms. */
const retryWaits = [500, 1_000, 2_000];

/** Answers all subscribers of a list as a file, which is sent while it is made. */
export function createExportRoutes(parts: ExportRouteParts): Pick<BffHandlers, 'exportSubscribers'> {
  const takeTurn = createTurns();
  return {
    async exportSubscribers({ query }, context, user) {
      const { reason } = readChangeHeaders(context.headers);
      if (query.tokens) {
        checkPermission(user.role, 'seeAccessToken');
        if (reason === null) throw invalidField(changeHeaders.reason, 'Say why you need the access tokens.');
      }
      const headers = headersFor(query);
      if (context.method === 'HEAD') return new Answer(undefined, { status: 200, headers });
      const gone = context.signal();
      const { signal, end } = takeTurn(user.staffId ?? 'tab', gone);
      try {
        const file = await startFile(parts, query, { context, user, signal });
        await recordExport(parts, query, { context, user, count: file.count, reason });
        const count = file.count === null ? {} : { [exportCountHeader]: String(file.count) };
        const body = toStream(parts, file.chunks, context, { signal, end });
        return new Answer(undefined, { headers: { ...headers, ...count }, body });
      } catch (error) {
        end();
        throw error;
      }
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

/**
 * One export at a time for an account, and a few for the server.
 *
 * @throws {Problem} `too-many-requests` or `busy`, from each turn that cannot begin
 */
function createTurns() {
  const running = new Set<string>();
  return (account: string, gone: AbortSignal): { signal: AbortSignal; end: () => void } => {
    const headers = { 'Retry-After': '10' };
    if (running.has(account))
      throw new Problem(
        'too-many-requests',
        'Your account is exporting already. Wait for that export, or cancel it.',
        { headers },
      );
    if (running.size >= exportsAtOnce)
      throw new Problem('busy', 'Others are exporting right now. Try again in a minute.', { headers });
    running.add(account);
    const turn = new AbortController();
    const end = () => {
      gone.removeEventListener('abort', end);
      if (turn.signal.aborted) return;
      turn.abort();
      running.delete(account);
    };
    gone.addEventListener('abort', end);
    return { signal: turn.signal, end };
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
  const { query: filter, belongs } = splitFilter(
    viewQueryOf(query),
    parts.upstream.extensions,
    parts.clock(),
  );
  const batches = readRows(
    (page) => read('listSubscribers', { query: page }),
    filter,
    parts.upstream.extensions,
  );
  const first = await batches.next().catch((error: unknown) => {
    const problem = scanProblem(error);
    throw problem === undefined ? error : new Problem('bad-upstream', problem);
  });
  const statuses = await readStatuses(parts, read);
  const details = createDetails(read);
  const chunks = async function* (): AsyncGenerator<string> {
    const { zone = 'UTC', format = 'csv', columns: fields, lists = false, tokens = false } = query;
    const columns = exportColumns({ fields: fields?.length ? fields : exportFields, lists, tokens });
    const writing: ExportContext = { zone, statuses };
    const write = (subscriber: SubscriberWithLists) =>
      format === 'csv'
        ? csvRow(columns.map((column) => column.write(subscriber, writing)))
        : jsonLine(columns, subscriber, writing);
    if (format === 'csv') yield byteOrderMark + csvRow(headingsOf(columns, zone));
    let [written, unchecked] = [0, 0];
    for (let next = first; !next.done; next = await batches.next()) {
      const matching = next.value.rows.filter((row) => belongs?.(row) ?? true);
      unchecked += next.value.rows.length;
      if (unchecked > rowsBetweenChecks) {
        await reading.context.recheckAccess();
        unchecked = 0;
      }
      const rows = lists ? await details(matching) : matching;
      written += rows.length;
      if (rows.length > 0) yield rows.map(write).join('');
    }
    if (query.counted) yield exportEnd.write(written);
  };
  return { count: countOf(first, belongs), chunks: chunks() };
}

function viewQueryOf(query: ExportQuery): ViewQuery {
  const { Username, Email, StatusId, Expired, IsTrial, ExpiresFrom, ExpiresTo, SortBy } = query;
  return { Username, Email, StatusId, Expired, IsTrial, ExpiresFrom, ExpiresTo, SortBy };
}

/** How many subscribers match; null where only reading them all can tell. */
function countOf(first: IteratorResult<Batch, void>, belongs: SplitFilter['belongs']) {
  if (first.done) return 0;
  return belongs === null ? first.value.total : null;
}

type Reads = Extract<OperationName, 'listSubscribers' | 'getSubscriber' | 'listStatuses'>;
type Read = <N extends Reads>(operation: N, input: OperationInput<N>) => Promise<ReplyTo<N>['data']>;

/** Reads of an export: tried again a few times if they fail, and ended with it. */
function createRead({ caller, wait }: ExportRouteParts, { context, user, signal }: Reading): Read {
  const { requestId, traceContext } = context;
  const call = { role: user.role, requestId, traceContext, fresh: true, signal } as const;
  return async (operation, input) => {
    for (let attempt = 0; ; attempt += 1)
      try {
        return (await caller.call(operation, input, call)).data;
      } catch (error) {
        const pause = retryWaits[attempt];
        if (pause === undefined || signal.aborted || error instanceof GivenUp || !isPassing(error))
          throw error;
        await wait(pause);
      }
  };
}

/** Reads the lists of subscribers, a few at once. Who is gone by now is left out. */
function createDetails(read: Read): (rows: readonly Subscriber[]) => Promise<SubscriberWithLists[]> {
  const query = { include: [...listNames] };
  const readOne = ({ id }: Subscriber) => orNull(read('getSubscriber', { params: { id }, query }));
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
  facts: { context: RequestContext; user: CurrentUser; count: number | null; reason: string | null },
): Promise<void> {
  const { context, user, count, reason } = facts;
  const { SortBy: _, ...filters } = viewQueryOf(query);
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

/**
 * Sends a file while it is made, as fast as the client takes it. If it cannot be finished, the connection is cut: the
 * client sees that the file is not whole, because its end never comes.
 */
function toStream(
  { log }: Pick<ExportRouteParts, 'log'>,
  chunks: AsyncGenerator<string>,
  { requestId }: RequestContext,
  { signal, end }: { signal: AbortSignal; end: () => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (!done) return controller.enqueue(encoder.encode(value));
        end();
        controller.close();
      } catch (error) {
        // Where nobody waits for it any more, there is no fault.
        const isGone = signal.aborted;
        end();
        const code = error instanceof Problem ? error.code : undefined;
        if (!isGone)
          log('warn', 'export-cut-off', { requestId, ...(code ? { code } : describeError(error)) });
        controller.error(error);
      }
    },
    cancel: end,
  });
}
