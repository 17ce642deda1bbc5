import { importLimits, jobLimits } from '../../contract/bff/job.ts';
import { grouped } from '../components/count.ts';
import { createRowReader } from './csv-rows.ts';
import { cannotRead, FileProblem, tooLarge } from './file-problem.ts';

/** How many columns a file can have, how many rows are shown before it is sent, and how many bytes a row can have. */
const mostColumns = 100;
const exampleRows = 5;
const rowBytes = 60_000;

/** How much of a file is read at once, in bytes. */
const pieceSize = 256 * 1024;

/** What is known of a file before it is sent. */
export interface FileSummary {
  headings: string[];
  /** The first rows below the headings. */
  examples: string[][];
  /** How many rows there are below the headings. */
  rows: number;
}

/**
 * Reads a whole file once, without keeping it.
 *
 * @throws {FileProblem} if it cannot be imported
 */
export async function summarizeFile(file: Blob, signal?: AbortSignal): Promise<FileSummary> {
  if (file.size > importLimits.size) throw tooLarge();
  let headings: string[] | null = null;
  const examples: string[][] = [];
  let rows = 0;
  let size = 0;
  for await (const some of readRows(file)) {
    signal?.throwIfAborted();
    for (const row of some) {
      size += checkRow(row, rows + (headings ? 2 : 1));
      if (!headings) {
        headings = row;
        continue;
      }
      rows += 1;
      if (examples.length < exampleRows) examples.push(row);
    }
    if (rows > jobLimits.subscribers)
      throw new FileProblem(
        `This file has more than ${grouped(jobLimits.subscribers)} rows. Split it, and import the parts.`,
      );
    if (size > importLimits.size) throw tooLarge();
  }
  if (!headings) throw new FileProblem('This file is empty. Choose another one.');
  if (rows === 0)
    throw new FileProblem('This file has no rows below its headings. The first row has to name the columns.');
  return { headings, examples, rows };
}

/** @returns the length of the row as it is sent */
function checkRow(row: readonly string[], number: number): number {
  if (row.length > mostColumns)
    throw new FileProblem(
      `Row ${grouped(number)} has ${grouped(row.length)} cells. A file can have ${mostColumns} columns.`,
    );
  if (row.some((cell) => cell.length > importLimits.cell))
    throw new FileProblem(
      `Row ${grouped(number)} has a cell with more than ${grouped(importLimits.cell)} characters. Shorten it.`,
    );
  const text = JSON.stringify(row);
  // No character has more than three bytes for each of its units.
  if (text.length > rowBytes / 3 && byteLength(text) > rowBytes)
    throw new FileProblem(`Row ${grouped(number)} is too long to be imported. Shorten it.`);
  return text.length;
}

const encoder = new TextEncoder();
const byteLength = (text: string) => encoder.encode(text).length;

/** Some rows of a file, with the number of the first one from 1: few enough for one request. */
export interface Batch {
  first: number;
  rows: string[][];
}

/**
 * The rows below the headings in batches.
 *
 * @param hidden the columns whose cells are left empty, by their index
 * @throws {FileProblem} if the file cannot be read any more
 */
export async function* readBatches(
  file: Blob,
  hidden: ReadonlySet<number> = new Set(),
): AsyncGenerator<Batch> {
  let headings: readonly string[] | null = null;
  let batch: Batch = { first: 1, rows: [] };
  let bytes = 0;
  for await (const some of readRows(file)) {
    for (const row of some) {
      if (!headings) {
        headings = row;
        continue;
      }
      const shown = hidden.size > 0 ? row.map((cell, index) => (hidden.has(index) ? '' : cell)) : row;
      const cells = withoutSurplus(shown, headings.length);
      const size = byteLength(JSON.stringify(cells)) + 1;
      const isFull = batch.rows.length === importLimits.rowsAtOnce || bytes + size > rowBytes;
      if (isFull && batch.rows.length > 0) {
        yield batch;
        batch = { first: batch.first + batch.rows.length, rows: [] };
        bytes = 0;
      }
      batch.rows.push(cells);
      bytes += size;
    }
  }
  if (batch.rows.length > 0) yield batch;
}

/** Spreadsheets add empty cells behind the last column. */
function withoutSurplus(row: readonly string[], columns: number): string[] {
  let end = row.length;
  while (end > columns && row[end - 1] === '') end -= 1;
  return row.slice(0, end);
}

async function* readRows(file: Blob): AsyncGenerator<string[][]> {
  const reader = decodeFile(file).pipeThrough(createRowReader()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The text of a file, piece by piece: UTF-8, or UTF-16 with a byte order mark. */
function decodeFile(file: Blob): ReadableStream<string> {
  let position = 0;
  let decoder: TextDecoder | null = null;
  return new ReadableStream({
    async pull(controller) {
      const bytes = await readPiece(file, position);
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      position += bytes.length;
      const isLast = position >= file.size;
      const text = decode(decoder, bytes, !isLast);
      // An empty piece would not ask for the next one.
      controller.enqueue(text);
      if (isLast) controller.close();
    },
  });
}

async function readPiece(file: Blob, position: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(position, position + pieceSize).arrayBuffer());
  } catch (cause) {
    throw cannotRead(cause);
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    throw new FileProblem(
      'This isn’t a CSV file in UTF-8 or UTF-16. Save your spreadsheet as “CSV UTF-8”, then choose that file.',
      { cause },
    );
  }
}
