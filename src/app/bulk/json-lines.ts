import { neutralize } from '../../contract/bff/csv.ts';
import { writeField } from '../../contract/bff/export-format.ts';
import type { ImportColumn } from '../../contract/bff/job.ts';
import { listNames } from '../../contract/service/subscriber.ts';
import { grouped } from '../components/count.ts';
import { FileProblem } from './file-problem.ts';

/** How many characters a line can have. */
const lineLimit = 1024 * 1024;

/** Why a row of a file cannot be read, in a sentence. */
export interface FaultyRow {
  problem: string;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A line of JSON lines with its number, from 1. */
export interface JsonLine {
  number: number;
  /** What its object has, by name; null for a line that has no object. */
  values: ReadonlyMap<string, Json> | null;
  problem: string;
}

/**
 * Turns the text of a file into its JSON lines; see https://jsonlines.org. Blank lines are left out, but counted. Its memory is
 * bounded: it keeps only the line that is not complete yet.
 *
 * @throws {FileProblem} through the stream, if a line is too long
 */
export function createLineReader(): TransformStream<string, JsonLine[]> {
  let carry = '';
  let count = 0;
  const read = (lines: readonly string[]): JsonLine[] => {
    const first = count + 1;
    count += lines.length;
    return lines.flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, first + index)]));
  };
  return new TransformStream({
    transform(text, controller) {
      // The other half of a line break at the end may come with the next piece.
      const [whole = '', half = ''] = /^([^]*?)(\r?)$/.exec(carry + text)?.slice(1) ?? [];
      const lines = whole.split(lineBreak);
      carry = (lines.pop() ?? '') + half;
      if (carry.length > lineLimit)
        throw new FileProblem(
          `Line ${grouped(count + lines.length + 1)} is too long to be imported. Shorten it.`,
        );
      const found = read(lines);
      if (found.length > 0) controller.enqueue(found);
    },
    flush(controller) {
      const found = read(carry.split(lineBreak));
      if (found.length > 0) controller.enqueue(found);
    },
  });
}

const lineBreak = /\r\n|\n|\r/;

function readLine(line: string, number: number): JsonLine {
  const faulty = (what: string) => ({
    number,
    values: null,
    problem: `Line ${grouped(number)} isn’t ${what}. Write one object on each line, such as {"id": 1}.`,
  });
  try {
    const value = JSON.parse(line) as Json;
    if (typeof value !== 'object' || value === null || isList(value)) return faulty('an object');
    return { number, values: new Map(Object.entries(value)), problem: '' };
  } catch {
    return faulty('JSON');
  }
}

/**
 * A line as the cells of a row of CSV that means the same, which is how rows are sent.
 *
 * @param names the names of the file's values, each with what it is for
 */
export function cellsOf(
  { number, values, problem }: JsonLine,
  names: readonly (readonly [name: string, column: ImportColumn | null])[],
): string[] | FaultyRow {
  if (values === null) return { problem };
  const cells: string[] = [];
  for (const [name, column] of names) {
    const cell = column === null ? unreadCell(values.get(name)) : cellOf(values.get(name), column);
    if (cell === null) {
      return {
        problem: `Line ${grouped(number)}: “${plainName(name)}” has a list or an object that can’t be read here.`,
      };
    }
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
const unreadCell = (value: Json | undefined) =>
  typeof value === 'object' || value === undefined ? '' : neutralize(String(value));

/** @returns null for a value that the column cannot hold */
function cellOf(value: Json | undefined, column: ImportColumn): string | null {
  if (value === undefined || value === null) return '';
  const listName = listNames.find((name) => name === column);
  if (isList(value)) {
    if (listName === undefined || !value.every(isListed)) return null;
    // What the values may be is for the rules of the list to say.
    const part = { [listName]: value } as Parameters<typeof writeField>[1];
    const text = writeField(listName, part, { zone: 'UTC', statuses: new Map() });
    return value.length === 0 ? emptying : neutralize(text ?? '');
  }
  if (typeof value === 'object') return null;
  if (value === '' && (column === 'note' || listName !== undefined)) return emptying;
  return neutralize(String(value));
}

/** What empties in CSV, where an empty cell keeps what is there. */
const emptying = '-';

/** `Array.isArray`, which TypeScript does not take for a check of a readonly array. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const isListed = (value: Json) => typeof value === 'string' || typeof value === 'number';
