import { openQuote, wrongQuotes } from './file-problem.ts';

/** How much text of a row that is not complete is kept, in characters. */
const carryLimit = 1024 * 1024;

/**
 * Turns the text of a CSV file into its rows, as RFC 4180 says, with any separator and any line breaks, also mixed ones.
 * A quote within a cell that does not begin with one is an ordinary character. Rows without any text are left out. Its memory is
 * bounded: it keeps only the row that is not complete yet.
 *
 * @throws {FileProblem} through the stream, if its quotes are wrong
 */
export function createRowReader(): TransformStream<string, string[][]> {
  let separator: string | null = null;
  let carry = '';
  let count = 0;
  const read = (isLast: boolean): string[][] => {
    separator ??= findSeparator(carry, isLast);
    if (separator === null) return [];
    const rows: string[][] = [];
    let start = 0;
    while (start < carry.length) {
      const row = readRow(carry, start, separator, isLast);
      if (row === 'incomplete') break;
      if (row === 'wrong quotes') throw wrongQuotes(count + 1);
      start = row.end;
      if (!row.cells.some((cell) => cell.trim() !== '')) continue;
      rows.push(row.cells);
      count += 1;
    }
    carry = carry.slice(start);
    if (isLast && carry !== '') throw openQuote(count + 1);
    return rows;
  };
  return new TransformStream({
    transform(text, controller) {
      carry += text;
      const rows = read(false);
      if (carry.length > carryLimit) throw openQuote(count + 1);
      if (rows.length > 0) controller.enqueue(rows);
    },
    flush(controller) {
      const rows = read(true);
      if (rows.length > 0) controller.enqueue(rows);
    },
  });
}

/** Where a cell without quotes ends. */
const cellEnds: Readonly<Record<string, RegExp>> = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g };

interface Row {
  cells: string[];
  /** Where the next row begins. */
  end: number;
}

/** @returns `incomplete` if the text ends before the row does */
function readRow(
  text: string,
  start: number,
  separator: string,
  isLast: boolean,
): Row | 'incomplete' | 'wrong quotes' {
  const cells: string[] = [];
  for (let index = start; ; index += 1) {
    if (text[index] === '"') {
      const close = findClosingQuote(text, index + 1);
      // The next character may be the other half of a quote that is written twice.
      if (close === -1 || (close + 1 === text.length && !isLast)) return 'incomplete';
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
    // What follows decides whether this is a whole line break.
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
 * What separates the cells of a file, by its first row with text, without looking into quotes.
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
