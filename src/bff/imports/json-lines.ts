import { neutralize } from '../../contract/bff/csv.ts';
import { readHeading, writeField } from '../../contract/bff/export-format.ts';
import { listNames } from '../../contract/service/limits.ts';
import { emptyValues } from '../../contract/service/subscriber-input.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Why a row of a file cannot be read, in a sentence. */
export interface FaultyRow {
  problem: string;
}

/** The whole lines of a text, and where the next one begins; see https://jsonlines.org. */
export function splitLines(text: string, isLast: boolean): { lines: string[]; end: number } {
  const lines: string[] = [];
  let end = 0;
  for (const { 0: whole, 1: line = '', index } of text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    const next = index + whole.length;
    // What follows decides whether this is the end of the line.
    if (next === text.length && !isLast && !whole.endsWith('\n')) break;
    end = next;
    lines.push(line);
    if (next === text.length) break;
  }
  return { lines, end };
}

/** Reads the object of a line. */
export function readLine(line: string, number: number): [name: string, value: Json][] | FaultyRow {
  const faulty = (what: string) => ({
    problem: `Line ${number} isn’t ${what}. Write one object on each line, such as {"id": 1}.`,
  });
  try {
    const value = JSON.parse(line) as Json;
    return typeof value === 'object' && value !== null && !isList(value)
      ? Object.entries(value).map(([name, held]) => [name, withoutDepth(held)])
      : faulty('an object');
  } catch {
    return faulty('JSON');
  }
}

/** No column holds more than a list of plain values: what is deeper is kept as an object without its contents. */
const withoutDepth = (value: Json): Json =>
  typeof value === 'object' && value !== null && !(isList(value) && value.every(isListed)) ? {} : value;

/**
 * Turns the values of a line into the cells of a row of CSV that means the same.
 *
 * @param columns what each value is for: the name of a column; null for a value that is not read
 */
export function cellsOf(
  values: Readonly<Record<number, Json>>,
  columns: readonly (string | null)[],
  headings: readonly string[],
): string[] | FaultyRow {
  const cells: string[] = [];
  for (const [index, heading] of headings.entries()) {
    const column = columns[index] ?? null;
    const value = values[index] ?? null;
    const cell = column === null ? unreadCell(value) : cellOf(value, column);
    if (cell === null)
      return { problem: `“${plainName(heading)}” has a list or an object that can’t be read here.` };
    cells.push(cell);
  }
  return cells;
}

/** A name as part of a sentence. */
function plainName(name: string): string {
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return shown.toWellFormed().replaceAll(/\p{Cc}/gu, ' ');
}

/** A value that nobody reads: only for the person who gets the row back because of an error in another one. */
const unreadCell = (value: Json) =>
  value === null || typeof value === 'object' ? '' : neutralize(String(value));

/** @returns null for a value that the column cannot hold */
function cellOf(value: Json, column: string): string | null {
  if (value === null) return '';
  const listName = listNames.find((name) => name === readHeading(column)?.column.field);
  if (isList(value)) {
    if (listName === undefined || !value.every(isListed)) return null;
    // What the values may be is for the rules of the list to say.
    const part = { [listName]: value } as Parameters<typeof writeField>[1];
    const text = writeField(listName, part, { zone: 'UTC', statuses: new Map() });
    return value.length === 0 ? emptied : neutralize(text ?? '');
  }
  if (typeof value === 'object') return null;
  if (value === '' && column in emptyValues) return emptied;
  return neutralize(String(value));
}

/** The cell that empties a field in CSV, where an empty cell keeps what is there. */
const emptied = '-';

/** `Array.isArray`, which TypeScript does not take for a check of a readonly array. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const isListed = (value: Json) => typeof value === 'string' || typeof value === 'number';
