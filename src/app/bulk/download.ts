import type { QueryClient } from '@tanstack/react-query';
import type { ExportFormat } from '../../contract/bff/export-format.ts';
import { exportCountHeader, exportEnd, type ExportQuery } from '../../contract/bff/export-query.ts';
import { changeHeaders, writeReason } from '../../contract/http/change-headers.ts';
import { ApiError } from '../../contract/http/client.ts';
import { clientsOf } from '../api/client.ts';
import { csvType, saveFile } from '../components/save-file.ts';

/** Where a file is written to. Nothing is saved before it is whole. */
interface Target {
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  save: () => Promise<void>;
  discard: () => Promise<void>;
}

/** What browsers with the File System Access API have, which the types of the DOM lack. */
interface FileHandle {
  getFile: () => Promise<File>;
  createWritable: () => Promise<FileSystemWritableFileStream>;
  remove?: () => Promise<void>;
}
type ShowSavePicker = (options: { suggestedName: string }) => Promise<FileHandle>;

const types: Readonly<Record<ExportFormat, string>> = { csv: csvType, jsonl: 'application/jsonl' };

/**
 * Lets the person choose a file where the browser can; elsewhere the file is kept in the browser until it is whole, and then
 * downloaded. Call it in the handler of a click.
 *
 * @returns null if the person chose none
 */
export async function chooseTarget(name: string, format: ExportFormat): Promise<Target | null> {
  const show = (window as { showSaveFilePicker?: ShowSavePicker }).showSaveFilePicker;
  if (!show) return keepInBrowser(name, types[format]);
  try {
    return await writeTo(await show.call(window, { suggestedName: name }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

async function writeTo(handle: FileHandle): Promise<Target> {
  // It writes to another file, which takes the place of this one when it is closed.
  const file = await handle.createWritable();
  return {
    write: (bytes) => file.write(bytes),
    save: () => file.close(),
    async discard() {
      await file.abort();
      // A new file is there already, without anything in it.
      if ((await handle.getFile()).size === 0) await handle.remove?.();
    },
  };
}

/** Browsers move large blobs to the disk, so small ones are put together now and then. */
function keepInBrowser(name: string, type: string): Target {
  const most = 8 * 1024 * 1024;
  const blobs: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  return {
    async write(bytes) {
      parts.push(bytes);
      size += bytes.byteLength;
      if (size < most) return;
      blobs.push(new Blob(parts));
      [parts, size] = [[], 0];
    },
    save: async () => saveFile(name, type, ...blobs, ...parts),
    discard: async () => undefined,
  };
}

export interface ExportProgress {
  rows: number;
  /** How many there will be, as far as is known. */
  of: number | null;
}

/**
 * Writes an export to a file. If its end does not come, the file is discarded.
 *
 * @returns how many subscribers it has
 * @throws {ApiError}, or the `AbortError` of the signal
 */
export async function downloadExport(
  client: QueryClient,
  query: ExportQuery & { format: ExportFormat },
  options: {
    target: Target;
    reason: string;
    signal: AbortSignal;
    onProgress: (progress: ExportProgress) => void;
  },
): Promise<number> {
  const { target, reason, signal, onProgress } = options;
  try {
    const headers = reason === '' ? {} : { [changeHeaders.reason]: writeReason(reason) };
    const wanted = { ...query, counted: true };
    const { data } = await clientsOf(client).bff.exportSubscribers({ query: wanted }, { signal, headers });
    const count = data.headers.get(exportCountHeader);
    const rows = createRowCounter(query.format);
    const of = count === null ? null : Number(count);
    onProgress({ rows: 0, of });
    const pieces = withoutEnd(piecesOf(data, signal));
    for (let next = await pieces.next(); ; next = await pieces.next()) {
      if (next.done) {
        if (next.value !== rows.count()) throw cutOff();
        break;
      }
      await target.write(next.value);
      rows.add(next.value);
      onProgress({ rows: rows.count(), of });
    }
    await target.save();
    return rows.count();
  } catch (error) {
    await target.discard().catch(() => undefined);
    throw error;
  }
}

async function* piecesOf(
  { body }: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const read = await reader?.read().catch((cause: unknown) => {
        throw signal.aborted ? signal.reason : cutOff(cause);
      });
      signal.throwIfAborted();
      if (!read || read.done) return;
      yield read.value;
    }
  } finally {
    reader?.cancel().catch(() => undefined);
  }
}

/**
 * All but the last line, which says how many rows there are. Without it the file was cut off, also where proxies or a
 * service worker make that look like an end.
 *
 * @returns how many rows there are
 */
async function* withoutEnd(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, number> {
  let held = new Uint8Array();
  for await (const piece of pieces) {
    const all = new Uint8Array(held.byteLength + piece.byteLength);
    all.set(held);
    all.set(piece, held.byteLength);
    const sure = Math.max(0, all.byteLength - exportEnd.longest);
    yield all.subarray(0, sure);
    held = all.slice(sure);
  }
  const end = exportEnd.read(String.fromCharCode(...held));
  if (!end) throw cutOff();
  yield held.subarray(0, end.at);
  return end.rows;
}

const cutOff = (cause?: unknown) =>
  new ApiError('unreachable', 'The file was cut off before its end. Try again.', { cause });

const [quote, lineEnd] = [0x22, 0x0a];

/** Counts the rows of a file that comes in pieces. Line breaks within the quotes of a cell are no ends of rows. */
export function createRowCounter(format: ExportFormat) {
  // The first row of CSV is the heading.
  let rows = format === 'csv' ? -1 : 0;
  let isQuoted = false;
  return {
    add(bytes: Uint8Array): void {
      for (const byte of bytes)
        if (byte === quote && format === 'csv') isQuoted = !isQuoted;
        else if (byte === lineEnd && !isQuoted) rows += 1;
    },
    count: () => Math.max(0, rows),
  };
}
