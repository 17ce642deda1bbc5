import { invalidField } from '../../contract/http/problem.ts';

/** Rows that were read of a text. */
interface CsvRows {
  /** Their cells; none for a row without any text. */
  rows: string[][];
  /** Where the next row begins. */
  end: number;
  /** The separator of cells; null if it is not known yet. */
  separator: string | null;
  /** True if the text ends within the quotes of a cell. */
  isQuoteOpen: boolean;
}

/**
 * Reads the whole rows of a text, as RFC 4180 says, with any separator and any line breaks, also mixed ones. A quote within a
 * cell that does not begin with one is an ordinary character.
 *
 * @param before what is known of the file before the text: its separator, and how many rows it has
 * @throws {Problem} `invalid-input` if its quotes are wrong
 */
export function readCsv(
  text: string,
  before: { separator: string | null; rows: number },
  isLast: boolean,
): CsvRows {
  const separator = before.separator ?? findSeparator(text, isLast);
  const rows: string[][] = [];
  let end = 0;
  if (separator === null) return { rows, end, separator, isQuoteOpen: false };
  while (end < text.length) {
    const row = readRow(text, end, separator, isLast);
    const number = before.rows + rows.length + 1;
    if (row === 'wrong quotes') throw wrongQuotes(number);
    if (row === 'open quote' && isLast) throw openQuote(number);
    if (row === 'open quote') return { rows, end, separator, isQuoteOpen: true };
    if (row === 'incomplete') break;
    end = row.end;
    rows.push(row.cells.some((cell) => cell.trim() !== '') ? row.cells : []);
  }
  return { rows, end, separator, isQuoteOpen: false };
}

export const openQuote = (row: number) =>
  invalidField('file', `A quote is not closed in row ${row}. Correct it, then choose the file again.`);

const wrongQuotes = (row: number) =>
  invalidField('file', `The quotes in row ${row} don’t match. Within a quoted cell, write each quote twice.`);

/** Where a cell without quotes ends. */
const cellEnds: Readonly<Record<string, RegExp>> = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g };

interface Row {
  cells: string[];
  /** Where the next row begins. */
  end: number;
}

/** @returns `incomplete` or `open quote` if the text ends before the row does */
function readRow(
  text: string,
  start: number,
  separator: string,
  isLast: boolean,
): Row | 'incomplete' | 'open quote' | 'wrong quotes' {
  const cells: string[] = [];
  for (let index = start; ; index += 1) {
    if (text[index] === '"') {
      const close = findClosingQuote(text, index + 1);
      // The next character may be the other half of a quote that is written twice.
      if (close === -1 || (close + 1 === text.length && !isLast)) return 'open quote';
      cells.push(text.slice(index + 1, close).replaceAll('""', '"'));
      index = close + 1;
      // Some programs write blanks behind a quoted cell.
      while (text[index] === ' ') index += 1;
    } else {
      const end = findFrom(text, index, cellEnds[separator] ?? /[\r\n]/g);
      cells.push(text.slice(index, end));
      index = end;
    }
    const next = text[index];
    if (next === separator) continue;
    if (next === undefined) return isLast ? { cells, end: index } : 'incomplete';
    if (next === '\n') return { cells, end: index + 1 };
    if (next !== '\r') return 'wrong quotes';
    // What follows decides whether this is the end of the line.
    if (index + 1 === text.length && !isLast) return 'incomplete';
    return { cells, end: index + (text[index + 1] === '\n' ? 2 : 1) };
  }
}

function findClosingQuote(text: string, start: number): number {
  let index = text.indexOf('"', start);
  while (index !== -1 && text[index + 1] === '"') index = text.indexOf('"', index + 2);
  return index;
}

function findFrom(text: string, start: number, what: RegExp): number {
  what.lastIndex = start;
  return what.test(text) ? what.lastIndex - 1 : text.length;
}

/**
 * Finds what separates the cells of a file, by its first row with text, without looking into quotes.
 *
 * @param text the beginning of the file
 * @returns null if that row is not complete yet
 */
function findSeparator(text: string, isLast: boolean): string | null {
  const counts = new Map(Object.keys(cellEnds).map((separator) => [separator, 0]));
  let isQuoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (character.trim() !== '') isBlank = false;
    if (isQuoted) continue;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
    if (!isBlank && (character === '\n' || character === '\r')) return mostFrequent(counts);
  }
  return isLast ? mostFrequent(counts) : null;
}

function mostFrequent(counts: ReadonlyMap<string, number>): string {
  const [[separator] = [',']] = [...counts].toSorted(([, one], [, other]) => other - one);
  return separator;
}
