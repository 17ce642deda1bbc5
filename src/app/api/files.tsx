import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import type { ExportFormat } from '../../contract/bff/export-format.ts';
import { exportCountHeader, exportEnd } from '../../contract/bff/export-query.ts';
import { ApiError } from '../../contract/http/client.ts';
import type { Acting } from '../components/notice.tsx';
import { describeError } from './errors.ts';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/format.ts';

/** Numbers of rows, or of characters. */
interface Progress {
  done: number;
  /** All that are expected, if known. */
  of: number | null;
}

/** A file on its way, which can be stopped, and is shown while it goes on. */
export interface Transfer {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/**
 * The file in an answer whose last line is the number of its rows, without that line. Reading it fails if the line is not
 * there: the file was cut off then, also where proxies or a service worker make that look like an end.
 */
export function wholeFile(
  { body, headers }: Response,
  format: ExportFormat,
  { signal, onProgress }: Transfer,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const count = headers.get(exportCountHeader);
  const of = count === null ? null : Number(count);
  const rows = createRowCounter(format);
  onProgress({ done: 0, of });
  let held = new Uint8Array();
  const pass = (bytes: Uint8Array<ArrayBuffer>, to: TransformStreamDefaultController<typeof bytes>) => {
    rows.add(bytes);
    to.enqueue(bytes);
  };
  const withoutEnd = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, to) {
      const all = new Uint8Array(held.byteLength + piece.byteLength);
      all.set(held);
      all.set(piece, held.byteLength);
      const sure = Math.max(0, all.byteLength - exportEnd.longest);
      pass(all.subarray(0, sure), to);
      held = all.slice(sure);
      onProgress({ done: rows.count(), of });
    },
    flush(to) {
      const end = exportEnd.read(String.fromCharCode(...held));
      pass(held.subarray(0, end?.at), to);
      onProgress({ done: rows.count(), of });
      if (end?.rows !== rows.count()) throw new Error('This file has no end.');
    },
  });
  if (!body) throw new Error('This file is empty.');
  return body.pipeThrough(withoutEnd, { signal });
}

/** Says that a file was cut off, unless it is known why it was not read to its end. */
export function describeCut(error: unknown, { signal }: Transfer): unknown {
  return signal.aborted || error instanceof ApiError
    ? error
    : new ApiError('unreachable', 'The file was cut off before its end. Try again.', { cause: error });
}

/** Reads an answer of JSON lines, of which the last one is their number. @throws {ApiError} if it was cut off */
export async function readLines<T>(
  answer: Response,
  schema: z.ZodMiniType<T>,
  download: Transfer,
): Promise<T[]> {
  try {
    const text = await new Response(wholeFile(answer, 'jsonl', download)).text();
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) => z.parse(schema, JSON.parse(line)));
  } catch (error) {
    throw describeCut(error, download);
  }
}

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

/** Pause between two drawings of the progress, in ms. */
const drawnEvery = 100;

/**
 * Saves or sends one file at a time, until its component goes.
 *
 * @param options.onDone called with the result
 * @param options.onFailure called with the sentences about what went wrong, which `acting` has, too
 * @param options.failed the beginning of these sentences
 */
export function useTransfer<Result>(options: {
  onDone: (result: Result) => void;
  onFailure?: (sentences: string) => void;
  failed?: string;
}) {
  const { failed = 'Nothing was saved. ' } = options;
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const describe = (error: Error) => failed + describeError(error);
  const { mutate: start, error } = useMutation({
    mutationKey: ['transfer'],
    gcTime: 0,
    /** @param transfer resolves to null if nothing was to be done */
    mutationFn: async (transfer: (about: Transfer) => Promise<Result | null>) => {
      const { signal } = (running.current = new AbortController());
      let drawn = Number.NEGATIVE_INFINITY;
      const onProgress = (next: Progress) => {
        if (signal.aborted || (next.done > 0 && performance.now() - drawn < drawnEvery)) return;
        drawn = performance.now();
        setProgress(next);
      };
      onProgress({ done: 0, of: null });
      try {
        return await transfer({ signal, onProgress });
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      } finally {
        setProgress(null);
      }
    },
    meta: { invalidates: [] },
    onSuccess(result) {
      if (result !== null && !running.current?.signal.aborted) options.onDone(result);
    },
    onError: (error) => options.onFailure?.(describe(error)),
  });
  const acting: Acting = {
    isBusy: progress !== null,
    done: '',
    failure: error && describe(error),
    fields: noFields,
    unconfirmed: null,
  };
  return { progress, acting, start, stop: () => running.current?.abort() };
}

const noFields = {};

/** A button that loads something and saves it as a file; while it does, it is a button that stops it. */
export function SaveButton(props: {
  label: string;
  /** Why there is nothing to save. */
  reason?: string | undefined;
  /** @returns how many rows were saved */
  save: (download: Transfer) => Promise<number>;
  /** Says that they were. */
  describe: (rows: number) => string;
}) {
  const { toasts } = useApp();
  const { progress, start, stop } = useTransfer<number>({
    onDone: (rows) => toasts.show('ok', props.describe(rows)),
    onFailure: (sentences) => toasts.show('bad', sentences),
  });
  return (
    <>
      <span role="status">
        {progress &&
          (progress.of === null ? 'Saving…' : `${grouped(progress.done)} of ${grouped(progress.of)}`)}
      </span>
      {/* Never busy, as it can be stopped, but not by the second of two quick presses. */}
      <Button
        busy={false}
        confirms={progress !== null}
        reason={progress ? undefined : props.reason}
        onClick={progress ? stop : () => start(props.save)}
      >
        {progress ? 'Stop' : props.label}
      </Button>
    </>
  );
}

/** The text of a file: UTF-8, or UTF-16 with a byte order mark. @throws {ApiError} a sentence about a file that is neither */
export async function readTextFile(file: File): Promise<string> {
  const buffer = await file.arrayBuffer().catch((cause: unknown) => {
    const sentence = 'The file can’t be read. It may have been moved or changed. Choose it again.';
    throw new ApiError('other', sentence, { cause });
  });
  const bytes = new Uint8Array(buffer);
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch (cause) {
    const sentence =
      'This file isn’t in UTF-8 or UTF-16. Save your spreadsheet as “CSV UTF-8”, then choose that file.';
    throw new ApiError('other', sentence, { cause });
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

export const saveFile = (name: string, type: string, text: string): void =>
  saveBlob(name, new Blob([text], { type }));

/** Saves a file, by clicking a download link. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export const csvType = 'text/csv;charset=utf-8';
