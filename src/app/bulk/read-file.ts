import type { ExportFormat } from '../../contract/bff/export-format.ts';
import { importLimits, jobLimits, type ImportColumn } from '../../contract/bff/job.ts';
import { grouped } from '../components/count.ts';
import { createRowReader } from './csv-rows.ts';
import { cannotRead, FileProblem, tooLarge } from './file-problem.ts';
import { guessColumns } from './import-columns.ts';
import { cellsOf, createLineReader, type FaultyRow, type JsonLine } from './json-lines.ts';

/** How many columns a file can have, how many rows are shown before it is sent, and how many bytes a row can have. */
const mostColumns = 100;
const exampleRows = 5;
const rowBytes = 60_000;

/** How much of a file is read at once, in bytes. */
const pieceSize = 256 * 1024;

/** What is known of a file before it is sent. */
export interface FileSummary {
  format: ExportFormat;
  /** Of CSV, the first row; of JSON lines, all names that objects have. */
  headings: string[];
  /** The first rows. */
  examples: string[][];
  /** How many rows there are, without the headings. */
  rows: number;
}

/**
 * Reads a whole file once, without keeping it.
 *
 * @throws {FileProblem} if it cannot be imported
 */
export async function summarizeFile(file: Blob, signal?: AbortSignal): Promise<FileSummary> {
  if (file.size > importLimits.size) throw tooLarge();
  const format = await formatOf(file);
  const summary = { format, headings: [], examples: [], rows: 0 };
  return format === 'csv' ? summarizeCsv(file, summary, signal) : summarizeJsonLines(file, summary, signal);
}

/** JSON lines begin with an object; a file whose first line is broken is known by its name. */
async function formatOf(file: Blob): Promise<ExportFormat> {
  if (file instanceof File && /\.(jsonl|ndjson)$/i.test(file.name)) return 'jsonl';
  const reader = decodeFile(file).getReader();
  const { value = '' } = await reader.read();
  await reader.cancel();
  return value.trimStart().startsWith('{') ? 'jsonl' : 'csv';
}

async function summarizeCsv(
  file: Blob,
  summary: FileSummary,
  signal: AbortSignal | undefined,
): Promise<FileSummary> {
  const count = createCounter(summary);
  let headings: string[] | null = null;
  for await (const some of readAll(file, createRowReader())) {
    signal?.throwIfAborted();
    for (const row of some) {
      count(row, summary.rows + (headings ? 2 : 1), headings !== null);
      if (!headings) headings = row;
      else if (summary.rows <= exampleRows) summary.examples.push(row);
    }
  }
  if (!headings) throw new FileProblem('This file is empty. Choose another one.');
  if (summary.rows === 0)
    throw new FileProblem('This file has no rows below its headings. The first row has to name the columns.');
  return { ...summary, headings };
}

async function summarizeJsonLines(
  file: Blob,
  summary: FileSummary,
  signal: AbortSignal | undefined,
): Promise<FileSummary> {
  const count = createCounter(summary);
  const names = new Map<string, ImportColumn | null>();
  const first: JsonLine[] = [];
  for await (const some of readAll(file, createLineReader())) {
    signal?.throwIfAborted();
    for (const line of some) {
      for (const name of line.values?.keys() ?? [])
        if (!names.has(name)) names.set(name, guessColumns([name])[0] ?? null);
      if (names.size > mostColumns)
        throw new FileProblem(
          `The objects in this file have more than ${mostColumns} different names. A file can have ${mostColumns} columns.`,
        );
      count(cellsOf(line, [...names]), line.number);
      if (first.length < exampleRows) first.push(line);
    }
  }
  if (summary.rows === 0) throw new FileProblem('This file is empty. Choose another one.');
  if (names.size === 0) throw new FileProblem(first[0]?.problem || 'No line of this file names a value.');
  const examples = first.map((line) => cellsOf(line, [...names]));
  return {
    ...summary,
    headings: [...names.keys()],
    examples: examples.map((cells) => ('problem' in cells ? [] : cells)),
  };
}

/** Counts rows and their characters. @throws {FileProblem} when there are too many, or one is too long */
function createCounter(summary: FileSummary) {
  let size = 0;
  return (row: readonly string[] | FaultyRow, number: number, isRow = true): void => {
    size += checkRow(row, number);
    if (size > importLimits.size) throw tooLarge();
    if (isRow) summary.rows += 1;
    if (summary.rows > jobLimits.subscribers)
      throw new FileProblem(
        `This file has more than ${grouped(jobLimits.subscribers)} rows. Split it, and import the parts.`,
      );
  };
}

/** @returns the length of the row as it is sent */
function checkRow(row: readonly string[] | FaultyRow, number: number): number {
  if ('problem' in row) return row.problem.length;
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
  rows: (string[] | FaultyRow)[];
}

/** How the columns of a file are read. */
export interface Reading extends Pick<FileSummary, 'format' | 'headings'> {
  columns: readonly (ImportColumn | null)[];
  /** The columns whose cells are left empty, by their index. */
  hidden: ReadonlySet<number>;
}

/**
 * The rows below the headings in batches.
 *
 * @throws {FileProblem} if the file cannot be read any more
 */
export async function* readBatches(file: Blob, reading: Reading): AsyncGenerator<Batch> {
  const { hidden } = reading;
  let batch: Batch = { first: 1, rows: [] };
  let bytes = 0;
  for await (const some of reading.format === 'csv' ? csvRows(file, reading) : jsonRows(file, reading)) {
    for (const row of some) {
      const isShown = hidden.size === 0 || 'problem' in row;
      const shown = isShown ? row : row.map((cell, index) => (hidden.has(index) ? '' : cell));
      const size = byteLength(JSON.stringify(shown)) + 1;
      const isFull = batch.rows.length === importLimits.rowsAtOnce || bytes + size > rowBytes;
      if (isFull && batch.rows.length > 0) {
        yield batch;
        batch = { first: batch.first + batch.rows.length, rows: [] };
        bytes = 0;
      }
      batch.rows.push(shown);
      bytes += size;
    }
  }
  if (batch.rows.length > 0) yield batch;
}

async function* csvRows(file: Blob, { headings }: Reading): AsyncGenerator<string[][]> {
  let isFirst = true;
  for await (const rows of readAll(file, createRowReader())) {
    yield (isFirst ? rows.slice(1) : rows).map((row) => withoutSurplus(row, headings.length));
    isFirst = false;
  }
}

async function* jsonRows(file: Blob, { headings, columns }: Reading): AsyncGenerator<Batch['rows']> {
  const names = headings.map((name, index) => [name, columns[index] ?? null] as const);
  for await (const lines of readAll(file, createLineReader())) {
    const rows = lines.map((line) => cellsOf(line, names));
    // What a column is for decides how long its cells are.
    for (const [index, row] of rows.entries()) checkRow(row, lines[index]?.number ?? 0);
    yield rows;
  }
}

/** Spreadsheets add empty cells behind the last column. */
function withoutSurplus(row: readonly string[], columns: number): string[] {
  let end = row.length;
  while (end > columns && row[end - 1] === '') end -= 1;
  return row.slice(0, end);
}

async function* readAll<T>(file: Blob, rows: TransformStream<string, T[]>): AsyncGenerator<T[]> {
  const reader = decodeFile(file).pipeThrough(rows).getReader();
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
      'This file isn’t in UTF-8 or UTF-16. Save your spreadsheet as “CSV UTF-8”, then choose that file.',
      { cause },
    );
  }
}
