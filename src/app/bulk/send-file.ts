import type { QueryClient } from '@tanstack/react-query';
import { importLimits, type FileSummary } from '../../contract/bff/import.ts';
import { ApiError } from '../../contract/http/client.ts';
import { clientsOf } from '../api/client.ts';
import { isPassing } from '../api/errors.ts';

/** A file that the server has read. */
export interface ReadFile extends FileSummary {
  id: string;
  name: string;
  rows: number;
}

/** How much of a file is read at once, and the most text of one request, in bytes. A row has to fit into one. */
const pieceSize = 256 * 1024;
const requestSize = 65_000;

/**
 * Sends a file to the server, which reads it.
 *
 * @param onProgress called after each request with how much is sent, from 0 to 1
 * @throws {ApiError} if the file cannot be imported or sent, or what `signal` is aborted with
 */
export async function sendFile(
  client: QueryClient,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<ReadFile> {
  const { bff } = clientsOf(client);
  if (file.size > importLimits.size)
    throw new ApiError('other', 'This file is larger than 50 MB. Split it, and import the parts.');
  const { id } = (await bff.addImport({ body: { name: file.name } }, { signal })).data;
  let [at, text] = [0, ''];
  for await (const piece of readPieces(file)) {
    text += piece.text;
    while (piece.isEnd || text.length >= requestSize) {
      const part = startOf(text);
      const body = { at, text: part, isLast: piece.isEnd && part === text };
      const send = () => bff.addImportText({ params: { id }, body }, { signal });
      const { summary, rows, at: next } = (await persist(send, signal)).data;
      if (summary) return { ...summary, id, rows, name: file.name };
      text = text.slice(next - at);
      at = next;
      onProgress(piece.share);
    }
  }
  throw cannotRead();
}

/** As much of a text as a request can carry. */
function startOf(text: string): string {
  let part = text.slice(0, requestSize);
  for (let size = sizeOf(part); size > requestSize; size = sizeOf(part))
    part = part.slice(0, Math.floor((part.length * requestSize) / size));
  return part;
}

const encoder = new TextEncoder();
const sizeOf = (text: string) => encoder.encode(JSON.stringify(text)).length;

/** The text of a file, piece by piece: UTF-8, or UTF-16 with a byte order mark. */
async function* readPieces(file: File): AsyncGenerator<{ text: string; isEnd: boolean; share: number }> {
  let decoder: TextDecoder | null = null;
  for (let position = 0, isEnd = false; !isEnd;) {
    const bytes = await readPiece(file, position);
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    position += bytes.length;
    isEnd = position >= file.size;
    yield { text: decode(decoder, bytes, !isEnd), isEnd, share: position / Math.max(1, file.size) };
  }
}

async function readPiece(file: File, position: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(position, position + pieceSize).arrayBuffer());
  } catch (cause) {
    throw cannotRead(cause);
  }
}

const cannotRead = (cause?: unknown) =>
  new ApiError(
    'other',
    'The file can’t be read. It may have been moved or changed. Choose it again.',
    cause === undefined ? {} : { cause },
  );

function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    throw new ApiError(
      'other',
      'This file isn’t in UTF-8 or UTF-16. Save your spreadsheet as “CSV UTF-8”, then choose that file.',
      { cause },
    );
  }
}

/** How long to wait before the same text is sent again, in ms. */
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
