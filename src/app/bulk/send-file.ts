import type { QueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import type { Job, NewImport } from '../../contract/bff/job.ts';
import { ApiError } from '../../contract/http/client.ts';
import { clientsOf } from '../api/client.ts';
import { isPassing } from '../api/errors.ts';
import { cannotRead } from './file-problem.ts';
import { readBatches, type Reading } from './read-file.ts';

/** A file, and how it is to be read. */
export interface FileToSend {
  file: Blob;
  reading: Reading;
  how: z.input<typeof NewImport>;
}

/**
 * Begins an import and sends its rows; then it is prepared. It is stopped if they cannot all be sent.
 *
 * @param onSent told how many rows have been sent
 * @throws {FileProblem | ApiError} also when `signal` is aborted
 */
export async function sendFile(
  client: QueryClient,
  { file, reading, how }: FileToSend,
  { signal, onSent }: { signal: AbortSignal; onSent: (rows: number) => void },
): Promise<Job> {
  const { bff } = clientsOf(client);
  const { data: job } = await bff.createImport({ body: how }, { signal });
  const params = { id: job.id };
  try {
    let sent = 0;
    for await (const body of readBatches(file, reading)) {
      await persist(() => bff.addImportRows({ params, body }, { signal }), signal);
      sent += body.rows.length;
      onSent(sent);
    }
    if (sent < how.rows) throw cannotRead();
    return job;
  } catch (error) {
    // Nobody could send the others any more. If this fails as well, the server gives it up after a while.
    await bff.stopJob({ params }).catch(() => undefined);
    throw error;
  }
}

/** How long to wait before the same rows are sent again, in ms. */
const pauses = [500, 2_000, 5_000, 10_000, 20_000];

async function persist<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of pauses) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      const asked = error instanceof ApiError ? error.retryAfter : null;
      await wait(asked === null ? pause : asked * 1000, signal);
    }
  }
  return attempt();
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      // What `fetch` throws as well.
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
