import type { QueryClient } from '@tanstack/react-query';
import type { ExportFormat } from '../../contract/bff/export-format.ts';
import type { ExportQuery } from '../../contract/bff/export-query.ts';
import { changeHeaders, writeReason } from '../../contract/http/change-headers.ts';
import { clientOf } from '../api/client.ts';
import { describeCut, wholeFile, type Transfer } from '../api/whole-file.ts';
import { csvType, saveBlob } from '../components/save-file.ts';

/** Functions of browsers with the File System Access API, which the types of the DOM lack. */
interface FileHandle {
  getFile: () => Promise<File>;
  createWritable: () => Promise<WritableStream<Uint8Array<ArrayBuffer>>>;
  remove?: () => Promise<void>;
}
type ShowSavePicker = (options: { suggestedName: string }) => Promise<FileHandle>;

const types: Readonly<Record<ExportFormat, string>> = { csv: csvType, jsonl: 'application/jsonl' };

/**
 * Saves an export as a file: where the browser can, as the one that the person chooses; elsewhere the browser keeps it until it
 * is whole, and then downloads it. If its end does not come, nothing is saved. Call it in the handler of a click.
 *
 * @returns how many subscribers it has; null if the person chose no file
 * @throws {ApiError}, or the `AbortError` of the signal
 */
export async function saveSubscribers(
  cache: QueryClient,
  query: ExportQuery & { format: ExportFormat },
  { name, reason, ...download }: Transfer & { name: string; reason: string },
): Promise<number | null> {
  const show = (window as { showSaveFilePicker?: ShowSavePicker }).showSaveFilePicker;
  const handle = show && (await show.call(window, { suggestedName: name }).catch(ignoreCancel));
  if (handle === null) return null;
  // It writes to another file, which takes the place of this one when it is closed.
  const file = (await handle?.createWritable()) ?? keepInBrowser(name, types[query.format]);
  let rows = 0;
  const onProgress: Transfer['onProgress'] = (progress) => {
    rows = progress.done;
    download.onProgress(progress);
  };
  try {
    const headers = reason === '' ? {} : { [changeHeaders.reason]: writeReason(reason) };
    const { signal } = download;
    const counted = { ...query, counted: true };
    const { data } = await clientOf(cache).exportSubscribers({ query: counted }, { signal, headers });
    await wholeFile(data, query.format, { signal, onProgress }).pipeTo(file);
    return rows;
  } catch (error) {
    await file.abort().catch(() => undefined);
    // A new file is there already, without anything in it.
    if (handle && (await handle.getFile()).size === 0) await handle.remove?.();
    throw describeCut(error, download);
  }
}

/** Browsers move blobs to the disk. */
function keepInBrowser(name: string, type: string): WritableStream<Uint8Array<ArrayBuffer>> {
  const blobs: Blob[] = [];
  return new WritableStream({
    write: (bytes) => void blobs.push(new Blob([bytes])),
    close: () => saveBlob(name, new Blob(blobs, { type })),
  });
}

function ignoreCancel(error: unknown): null {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  throw error;
}
