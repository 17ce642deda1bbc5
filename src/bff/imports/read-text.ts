import { isTokenLike, tokenInText } from '../../contract/bff/access-token.ts';
import { readHeading, type ExportFormat } from '../../contract/bff/export-format.ts';
import { importColumns, importLimits, type ImportColumn } from '../../contract/bff/import.ts';
import { invalidField } from '../../contract/http/problem.ts';
import { openQuote, readCsv } from './csv-rows.ts';
import { cellsOf, readLine, splitLines, type FaultyRow, type Json } from './json-lines.ts';

/** State of a file that is being read. */
export interface FileState {
  /** Null before its first text, unless its name says it. */
  format: ExportFormat | null;
  /** The separator of CSV cells; null as long as it is not known. */
  separator: string | null;
  headings: string[];
  /** Number of lines or rows read, with headings and blank lines, and number of rows to import among them. */
  lines: number;
  rows: number;
  /** Number of characters read. */
  at: number;
  isRead: boolean;
}

export const unread = (name: string): FileState => ({
  format: /\.(jsonl|ndjson)$/i.test(name) ? 'jsonl' : null,
  separator: null,
  headings: [],
  lines: 0,
  rows: 0,
  at: 0,
  isRead: false,
});

/**
 * A row as it is stored: the cells of CSV, or of a line of JSON its own values by the places of their headings, because a
 * short line may name the last of many. An earlier version stored a list with all values.
 */
export type StoredRow = Readonly<Record<number, Json>> | FaultyRow;

/** Rows as they are stored together, with the number of blank ones between them. */
export type StoredPart = readonly (StoredRow | number)[];

/** Number of rows that were read, also blank ones, not counting the headings of CSV. */
export const rowsRead = ({ format, headings, lines }: FileState): number =>
  format === 'csv' && headings.length > 0 ? lines - 1 : lines;

/**
 * The rows of a part by their places in the file, from 1, not counting the headings of CSV.
 *
 * @param before number of rows before the part, also blank ones
 */
export function numberRows(part: StoredPart, before: number): { number: number; row: StoredRow }[] {
  let number = before;
  return part.flatMap((row) => {
    number += typeof row === 'number' ? row : 1;
    return typeof row === 'number' ? [] : [{ number, row }];
  });
}

/**
 * Reads the next rows of a file: those that are whole. So it needs to know little of what it has read before.
 *
 * @throws {Problem} `invalid-input` if the file cannot be imported
 */
export function readText(
  before: FileState,
  text: string,
  isLast: boolean,
): { state: FileState; rows: StoredPart } {
  // JSON lines begin with an object; a file whose first line is broken is known by its name.
  const format = before.format ?? (text.trimStart().startsWith('{') ? 'jsonl' : 'csv');
  const state: FileState = { ...before, format, headings: [...before.headings], isRead: isLast };
  const read = format === 'csv' ? readCsvRows(state, text) : readJsonLines(state, text);
  const rows = read.filter((row) => row !== null);
  state.rows += rows.length;
  if (state.at > importLimits.size) throw tooLarge();
  if (state.rows > importLimits.rows)
    throw fault(
      `This file has more than ${grouped(importLimits.rows)} rows. Split it, and import the parts.`,
    );
  if (isLast) checkWhole(state, rows);
  return { state, rows: countBlank(read) };
}

function countBlank(rows: readonly (StoredRow | null)[]): StoredPart {
  const counted: (StoredRow | number)[] = [];
  for (const row of rows) {
    const last = counted.at(-1);
    if (row !== null) counted.push(row);
    else if (typeof last === 'number') counted[counted.length - 1] = last + 1;
    else counted.push(1);
  }
  return counted;
}

/** @returns null for a blank row */
function readCsvRows(state: FileState, text: string): (string[] | null)[] {
  const known = { separator: state.separator, rows: state.lines };
  const { rows, end, separator, isQuoteOpen } = readCsv(text, known, state.isRead);
  if (end === 0 && !state.isRead) {
    const next = state.lines + 1;
    throw isQuoteOpen
      ? openQuote(next)
      : fault(`Row ${grouped(next)} is too long to be imported. Shorten it.`);
  }
  for (const [index, row] of rows.entries()) checkCells(row, state.lines + index + 1);
  state.lines += rows.length;
  state.at += end;
  const first = state.headings.length > 0 ? -1 : rows.findIndex((row) => row.length > 0);
  if (first >= 0) for (const heading of rows.splice(first, 1).flat()) addHeading(state, heading);
  state.separator = separator;
  const { length } = state.headings;
  const secret = new Set(state.headings.flatMap((heading, index) => (isSecret(heading) ? [index] : [])));
  const firstSecret = Math.min(...secret);
  const isOurs = state.headings.map((heading, index) => toColumn(heading, index).column !== null);
  const isSecretHere = (cell: string, index: number) => isOurs[index] !== true && isSecretAlone(cell);
  return rows.map((whole) => {
    if (whole.length === 0) return null;
    const row = withoutSurplus(whole, length);
    // In a row with too many cells, a token may be in any column behind its own.
    const isHidden = (index: number) => secret.has(index) || (row.length > length && index >= firstSecret);
    return row.map((cell, index) => (isHidden(index) || isSecretHere(cell, index) ? '' : cell));
  });
}

/** Most lines of a part that are no objects: JavaScript makes an error for each, and 30,000 of them take .2 s. */
const mostFaulty = 1_000;

/** @returns null for a blank line */
function readJsonLines(state: FileState, text: string): (StoredRow | null)[] {
  const { lines, end } = splitLines(text, state.isRead);
  if (end === 0 && !state.isRead)
    throw fault(`Line ${grouped(state.lines + 1)} is too long to be imported. Shorten it.`);
  const rows: (StoredRow | null)[] = [];
  const known = new Map(state.headings.map((name, index) => [name, toColumn(name, index)] as const));
  let faulty = 0;
  for (const line of lines) {
    state.lines += 1;
    const read = line.trim() === '' ? null : readLine(line, state.lines);
    if (read !== null && 'problem' in read) faulty += 1;
    if (faulty > mostFaulty)
      throw fault(
        `More than ${grouped(mostFaulty)} lines of this file are no objects of JSON. Choose another file.`,
      );
    rows.push(read === null || 'problem' in read ? read : valuesOf(state, known, read));
  }
  state.at += end;
  return rows;
}

/** A name in JSON lines: its place among the headings, and the column that it is for. */
interface NamedColumn {
  index: number;
  column: ImportColumn | null;
  isSecret: boolean;
}

const toColumn = (name: string, index: number): NamedColumn => {
  const field = readHeading(name)?.column.field;
  const column = importColumns.find((one) => one === field) ?? null;
  return { index, column, isSecret: isSecret(name) };
};

/** The values of an object in the order of the headings, to which new names are added. */
function valuesOf(
  state: FileState,
  known: Map<string, NamedColumn>,
  object: readonly (readonly [name: string, value: Json])[],
): Record<number, Json> {
  const values: Record<number, Json> = {};
  for (const [name, value] of object) {
    const named = known.get(name) ?? toColumn(name, addHeading(state, name));
    known.set(name, named);
    // Before the next name is looked for among too many.
    if (named.index >= importLimits.columns)
      throw fault(
        `The objects in this file have more than ${importLimits.columns} different names. A file can have ${importLimits.columns} columns.`,
      );
    const isHidden = named.isSecret || (named.column === null && [value].flat().some(isSecretAlone));
    const stored = isHidden ? null : value;
    // Of its own values alone: thousands of short lines may follow on one that names many columns.
    const cells = cellsOf([stored], [named.column], [name]);
    if (!('problem' in cells)) checkCells(cells, state.lines);
    if (stored !== null) values[named.index] = stored;
  }
  return values;
}

/** The cells of a row as they are shown before anybody has said what the columns are for. */
export function shownCells({ format, headings }: FileState, row: StoredRow): readonly string[] {
  if ('problem' in row) return [];
  // The cells of CSV are texts.
  if (format === 'csv') return row as readonly string[];
  const columns = headings.map((name, index) => toColumn(name, index).column);
  const cells = cellsOf(row, columns, headings);
  return 'problem' in cells ? [] : cells;
}

/** Adds a heading, which is told again with each row that has a fault there. @returns its place */
function addHeading({ headings }: FileState, heading: string): number {
  if (heading.length > importLimits.heading)
    throw fault(
      `The name of column ${headings.length + 1} has more than ${importLimits.heading} characters. Shorten it.`,
    );
  // A file without headings has its first row there.
  if (isSecretAlone(heading))
    throw fault(
      `The name of column ${headings.length + 1} is an access token. Write names into the first row.`,
    );
  return headings.push(heading) - 1;
}

/** True for a column of access tokens, however another system calls it: they are not stored. None to import is called so. */
const isSecret = (heading: string) => /token/i.test(heading);

/**
 * True for a token of our own service alone, or a link alone that opens something by an access token, such as a playlist address;
 * not for a note that begins with one.
 */
const isSecretAlone = (value: Json) =>
  typeof value === 'string' &&
  ((/^\s*https?:\S+\s*$/i.test(value) && tokenInText(value) !== null) ||
    (/^\s*'?[\w-]{43}\s*$/.test(value) && isTokenLike(value)));

function checkCells(row: readonly string[], number: number): void {
  if (row.length > importLimits.columns)
    throw fault(
      `Row ${grouped(number)} has ${grouped(row.length)} cells. A file can have ${importLimits.columns} columns.`,
    );
  if (row.some((cell) => cell.length > importLimits.cell))
    throw fault(
      `Row ${grouped(number)} has a cell with more than ${grouped(importLimits.cell)} characters. Shorten it.`,
    );
}

function checkWhole({ format, headings, rows }: FileState, last: readonly StoredRow[]): void {
  if (rows === 0 && (format === 'jsonl' || headings.length === 0))
    throw fault('This file is empty. Choose another one.');
  if (rows === 0)
    throw fault('This file has no rows below its headings. The first row has to name the columns.');
  if (headings.length > 0) return;
  const faulty = last.find((row) => 'problem' in row);
  throw fault(faulty?.problem ?? 'No line of this file names a value.');
}

/** Spreadsheets add empty cells behind the last column. */
function withoutSurplus(row: readonly string[], columns: number): string[] {
  let end = row.length;
  while (end > columns && row[end - 1] === '') end -= 1;
  return row.slice(0, end);
}

const fault = (sentence: string) => invalidField('file', sentence);

const tooLarge = () => fault('This file is larger than 50 MB. Split it, and import the parts.');

const grouped = (count: number) => count.toLocaleString('en-GB');
