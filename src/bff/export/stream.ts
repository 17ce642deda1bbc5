import { exportCountHeader, exportEnd } from '../../contract/bff/export-query.ts';
import { Answer } from '../../contract/http/answer.ts';
import { Problem } from '../../contract/http/problem.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { mostAtOnce, type Wait } from '../../lib/map-concurrently.ts';
import { createQueue } from '../../lib/queue.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';
import type { BffDeps } from '../deps.ts';
import type { RequestContext } from '../http/context.ts';

/** A part of a file: its text, how many rows that is, and how many were read for it. */
export interface FilePart {
  text: string;
  rows: number;
  read?: number;
}

interface StreamedFile {
  headers: Readonly<Record<string, string>>;
  /** True if the file ends with the number of its rows. */
  isCounted: boolean;
  /**
   * Begins to read; so a service that does not answer is a problem and not a broken file.
   *
   * @param signal aborts when the export is over, however it ended
   * @returns the parts, and how many rows there will be; null where only reading them all can tell
   */
  start: (signal: AbortSignal) => Promise<StartedFile>;
}

interface StartedFile {
  parts: AsyncGenerator<FilePart>;
  count: number | null;
  /** Writes down who takes it away, before any of it goes out. */
  record: () => Promise<void>;
}

/** Exports of a server that read at once; an account makes one. Slow clients keep nobody from reading. */
const readsAtOnce = { atOnce: 2, mostWaiting: 100, patience: 60_000 } as const;

/** After how many rows, or how many ms, the session is looked at again: no file goes on for a second after it has ended. */
const betweenChecks = { rows: 10_000, ms: 900 } as const;

/** Answers files that are sent while they are made. */
export type AnswerFile = (context: RequestContext, user: CurrentUser, file: StreamedFile) => Promise<Answer>;

export function createAnswerFile({ log, clock }: Pick<BffDeps, 'log' | 'clock'>): AnswerFile {
  const lockExport = createExportLocks();
  const reads = createQueue({ ...readsAtOnce, refusal: othersExport });
  return async (context, user, { headers, isCounted, start }) => {
    if (context.method === 'HEAD') return new Answer(undefined, { status: 200, headers });
    const lock = lockExport(staffIdOf(user), context.signal());
    try {
      const { parts, count, record } = await reads.run(() => start(lock.signal), lock.signal);
      // It may have waited for others and for the service, and the session have ended meanwhile.
      await context.recheckAccess();
      await record();
      const counted = count === null ? {} : { [exportCountHeader]: String(count) };
      const chunks = textOf(parts, { isCounted, clock, context });
      const next = async () => {
        let read: IteratorResult<string, void>;
        // Others have their turn after each part, also where nothing of it is in the file.
        do read = await reads.run(() => chunks.next(), lock.signal);
        while (read.value === '');
        return read;
      };
      const body = toStream(log, next, context, lock);
      return new Answer(undefined, { headers: { ...headers, ...counted }, body });
    } catch (error) {
      lock.end();
      throw error;
    }
  };
}

/** The text of a file, with empty parts; it ends with the session. */
async function* textOf(
  parts: AsyncGenerator<FilePart>,
  { isCounted, clock, context }: { isCounted: boolean; clock: () => number; context: RequestContext },
): AsyncGenerator<string> {
  let [written, unchecked, checkedAt] = [0, 0, clock()];
  for await (const { text, rows, read = rows } of parts) {
    written += rows;
    unchecked += read;
    if (unchecked > betweenChecks.rows || clock() - checkedAt >= betweenChecks.ms) {
      await context.recheckAccess();
      [unchecked, checkedAt] = [0, clock()];
    }
    yield text;
  }
  if (isCounted) yield exportEnd.write(written);
}

const headers = { 'Retry-After': '10' };
const othersExport = () =>
  new Problem('busy', 'Others are exporting right now. Try again in a minute.', { headers });

interface ExportLock {
  signal: AbortSignal;
  end: () => void;
}

/** One export at a time for an account. @throws {Problem} `too-many-requests`, while one is running */
function createExportLocks() {
  const running = new Set<string>();
  return (account: string, disconnected: AbortSignal): ExportLock => {
    if (running.has(account))
      throw new Problem(
        'too-many-requests',
        'Your account is exporting already. Wait for that export, or cancel it.',
        { headers },
      );
    running.add(account);
    const controller = new AbortController();
    const end = () => {
      disconnected.removeEventListener('abort', end);
      if (controller.signal.aborted) return;
      controller.abort();
      running.delete(account);
    };
    disconnected.addEventListener('abort', end);
    return { signal: controller.signal, end };
  };
}

/**
 * Sends a file while it is made, as fast as the client takes it. If it cannot be finished, the connection is cut: the
 * client sees that the file is not whole, because its end never comes.
 */
function toStream(
  log: Log,
  next: () => Promise<IteratorResult<string, void>>,
  context: RequestContext,
  { signal, end }: ExportLock,
): ReadableStream<Uint8Array> {
  const { requestId, recheckAccess } = context;
  const encoder = new TextEncoder();
  const cutOff = (controller: ReadableStreamDefaultController, error: unknown) => {
    // Where nobody waits for it any more, there is no fault.
    const isAborted = signal.aborted;
    end();
    const code = error instanceof Problem ? error.code : undefined;
    if (!isAborted) log('warn', 'export-cut-off', { requestId, ...(code ? { code } : errorFields(error)) });
    if (context.cutOff) context.cutOff();
    else controller.error(error);
  };
  return new ReadableStream({
    start(controller) {
      // A client that takes little asks for no next part, with which its session would be looked at.
      const check = () =>
        recheckAccess().catch((error: unknown) => error instanceof Problem && cutOff(controller, error));
      const watch = setInterval(() => void check(), betweenChecks.ms);
      signal.addEventListener('abort', () => clearInterval(watch));
      if (signal.aborted) clearInterval(watch);
    },
    async pull(controller) {
      try {
        const { done, value } = await next();
        if (!done) return controller.enqueue(encoder.encode(value));
        end();
        controller.close();
      } catch (error) {
        cutOff(controller, error);
      }
    },
    cancel: end,
  });
}

/** Writes rows in parts, between which others get a turn. */
export async function* writeRows<Row>(
  rows: readonly Row[],
  write: (row: Row) => string,
  wait: Wait,
): AsyncGenerator<FilePart> {
  let part = { text: '', rows: 0 };
  for (const row of rows) {
    part.text += write(row);
    part.rows += 1;
    if (part.text.length < mostAtOnce) continue;
    yield part;
    part = { text: '', rows: 0 };
    await wait(0);
  }
  yield part;
}

/** Writes a page whose items may be long, with turns for others in between. */
export async function writePage<Page extends { items: readonly unknown[] }>(
  page: Page,
  wait: Wait,
): Promise<Answer<Page>> {
  const { items, ...rest } = page;
  let text = '';
  for await (const part of writeRows(items, (item) => `,${JSON.stringify(item)}`, wait)) text += part.text;
  return new Answer(page, { body: `{"items":[${text.slice(1)}],${JSON.stringify(rest).slice(1)}` });
}

/** The headers of JSON lines. */
export const jsonLinesHeaders = (name: string) => ({
  'Content-Type': 'application/jsonl',
  'Content-Disposition': `attachment; filename="${name}.jsonl"`,
});

/** A part of a list, and the place of its last item; null if no more items follow. */
export interface ListPart<Item, Place> {
  items: Item[];
  last: Place | null;
}

/**
 * A whole list as JSON lines. Each part follows the last item of the part before: pages by number would shift when an item
 * no longer matches the filter of the list.
 *
 * @param readAfter reads the part after a place; the first part after null
 */
export async function* toJsonLines<Place>(
  readAfter: (place: Place | null) => Promise<ListPart<unknown, Place>>,
  wait: Wait,
): AsyncGenerator<FilePart> {
  let place: Place | null = null;
  do {
    const { items, last }: ListPart<unknown, Place> = await readAfter(place);
    yield* writeRows(items, (item) => `${JSON.stringify(item)}\n`, wait);
    place = last;
  } while (place !== null);
}
