import type { QueryClient } from '@tanstack/react-query';
import { importLimits, type FileSummary } from '../../contract/bff/import.ts';
import { ApiError } from '../../contract/http/client.ts';
import { clientOf } from '../api/client.ts';
import { isPassing } from '../api/errors.ts';
import { readTextFile, type Transfer } from '../api/files.tsx';

/** A file that the server has read. */
export interface ReadFile extends FileSummary {
  id: string;
  name: string;
  rows: number;
}

/** The most text of one request, in bytes. A row has to fit into one. */
const requestSize = 65_000;

/**
 * Sends a file to the server, which reads it.
 *
 * @throws {ApiError} if the file cannot be imported or sent, or what `signal` is aborted with
 */
export async function sendFile(
  client: QueryClient,
  file: File,
  { signal, onProgress }: Transfer,
): Promise<ReadFile> {
  const bff = clientOf(client);
  if (file.size > importLimits.size)
    throw new ApiError('other', 'This file is larger than 50 MB. Split it, and import the parts.');
  const { id } = (await bff.addImport({ body: { name: file.name } }, { signal })).data;
  const text = await readTextFile(file);
  for (let at = 0; ;) {
    const part = startOf(text.slice(at, at + requestSize));
    const body = { at, text: part, isLast: at + part.length === text.length };
    const send = () => bff.addImportText({ params: { id }, body }, { signal });
    const { summary, rows, at: next } = (await persist(send, signal)).data;
    if (summary) return { ...summary, id, rows, name: file.name };
    at = next;
    onProgress({ done: at, of: text.length });
  }
}

/** As much of a text as a request can carry. */
function startOf(text: string): string {
  let part = text;
  for (let size = sizeOf(part); size > requestSize; size = sizeOf(part))
    part = part.slice(0, Math.floor((part.length * requestSize) / size));
  return part;
}

const encoder = new TextEncoder();
const sizeOf = (text: string) => encoder.encode(JSON.stringify(text)).length;

/** Pauses before the same text is sent again, in ms. */
const pauses = [500, 2_000, 5_000, 10_000, 20_000];

async function persist<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of pauses) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      const requested = error instanceof ApiError ? error.retryAfter : null;
      await wait(requested === null ? pause : requested * 1000, signal);
    }
  }
  return attempt();
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
