import { exportCountHeader, exportEnd } from '../../contract/bff/export-query.ts';
import { Answer } from '../../contract/http/answer.ts';
import { Problem } from '../../contract/http/problem.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';
import type { RequestContext } from '../http/context.ts';

/** A part of a file: its text, how many rows that is, and how many were read for it. */
export interface FilePart {
  text: string;
  rows: number;
  read?: number;
}

interface StreamedFile {
  headers: Readonly<Record<string, string>>;
  /** Whether the file ends with the number of its rows. */
  isCounted: boolean;
  /**
   * Begins to read; so a service that does not answer is a problem and not a broken file.
   *
   * @param signal aborts when the export is over, however it ended
   * @returns the parts, and how many rows there will be; null where only reading them all can tell
   */
  start: (signal: AbortSignal) => Promise<{ parts: AsyncGenerator<FilePart>; count: number | null }>;
}

/** How many exports a server makes at once; an account one. Each reads a list from its beginning to its end. */
const exportsAtOnce = 2;

/** After how many rows the session is looked at again. */
const rowsBetweenChecks = 10_000;

/** Answers files that are sent while they are made. */
export type AnswerFile = (context: RequestContext, user: CurrentUser, file: StreamedFile) => Promise<Answer>;

export function createAnswerFile({ log }: { log: Log }): AnswerFile {
  const takeTurn = createTurns();
  return async (context, user, { headers, isCounted, start }) => {
    if (context.method === 'HEAD') return new Answer(undefined, { status: 200, headers });
    const turn = takeTurn(staffIdOf(user), context.signal());
    try {
      const { parts, count } = await start(turn.signal);
      const counted = count === null ? {} : { [exportCountHeader]: String(count) };
      const body = toStream(log, textOf(parts, isCounted, context), context, turn);
      return new Answer(undefined, { headers: { ...headers, ...counted }, body });
    } catch (error) {
      turn.end();
      throw error;
    }
  };
}

/** The text of a file; it ends with the session. */
async function* textOf(
  parts: AsyncGenerator<FilePart>,
  isCounted: boolean,
  { recheckAccess }: RequestContext,
): AsyncGenerator<string> {
  let [written, unchecked] = [0, 0];
  for await (const { text, rows, read = rows } of parts) {
    written += rows;
    unchecked += read;
    if (unchecked > rowsBetweenChecks) {
      await recheckAccess();
      unchecked = 0;
    }
    if (text !== '') yield text;
  }
  if (isCounted) yield exportEnd.write(written);
}

interface Turn {
  signal: AbortSignal;
  end: () => void;
}

/**
 * One export at a time for an account, and a few for the server.
 *
 * @throws {Problem} `too-many-requests` or `busy`, from each turn that cannot begin
 */
function createTurns() {
  const running = new Set<string>();
  return (account: string, gone: AbortSignal): Turn => {
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

/**
 * Sends a file while it is made, as fast as the client takes it. If it cannot be finished, the connection is cut: the
 * client sees that the file is not whole, because its end never comes.
 */
function toStream(
  log: Log,
  chunks: AsyncGenerator<string>,
  { requestId }: RequestContext,
  { signal, end }: Turn,
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

/** The headers of JSON lines. */
export const jsonLinesHeaders = (name: string) => ({
  'Content-Type': 'application/jsonl',
  'Content-Disposition': `attachment; filename="${name}.jsonl"`,
});

/** All pages of a list as JSON lines. */
export async function* toJsonLines(
  readPage: (page: number) => Promise<{ items: readonly unknown[]; totalPages: number }>,
): AsyncGenerator<FilePart> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { items, totalPages } = await readPage(page);
    yield { text: items.map((item) => `${JSON.stringify(item)}\n`).join(''), rows: items.length };
    pages = totalPages;
  }
}
