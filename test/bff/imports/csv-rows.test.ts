import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it, test } from 'vitest';
import { readCsv } from '../../../src/bff/imports/csv-rows.ts';
import { readText, unread, type FileState } from '../../../src/bff/imports/read-text.ts';
import { importLimits } from '../../../src/contract/bff/import.ts';
import { readParts } from '../../support/bff/import-file.ts';

describe('a file of comma-separated values', () => {
  it.each([
    ['commas', 'a,b;c\n1,"2"\n', ['1', '2']],
    ['semicolons', 'a;b;c,d\n1;"2, 3";4\n', ['1', '2, 3', '4']],
    ['semicolons, below blank lines', '\n \na;b\n1;2\n', ['1', '2']],
    ['tabs', 'a\tb\r\n1\t2;3\r\n', ['1', '2;3']],
    ['semicolons, with commas in a quoted heading', '"a,b,c";d\n1;2\n', ['1', '2']],
    ['nothing, having one column', 'id\n1\n', ['1']],
    ['old line breaks', 'a,b\r1,2\r', ['1', '2']],
    ['no line break at its end', '\n\na,b\n1,2', ['1', '2']],
  ])('can separate its cells by %s', (_, text, row) => {
    expect(readParts(text).rows).toEqual([row]);
  });

  it('loses empty rows, and empty cells behind its last column', () => {
    expect(readParts('a,b\n\n1,2,,\n,\n  \n3,4,5\n')).toMatchObject({
      headings: ['a', 'b'],
      rows: [
        ['1', '2'],
        ['3', '4', '5'],
      ],
    });
  });

  it('keeps no access tokens', () => {
    expect(readParts('ID,Access token\n1,t0p\n').rows).toEqual([['1', '']]);
    expect(readParts('{"accessToken":"t0p","id":1}').rows).toEqual([{ 1: 1 }]);
    // As another system calls it.
    expect(readParts('ID,access_token,Token (old)\n1,t0p,t0p\n').rows).toEqual([['1', '', '']]);
    expect(readParts('{"id":1,"token":"t0p"}').rows).toEqual([{ 0: 1 }]);
    // Nor a playlist address, which has one in it, but for a column that is ours.
    const link = `https://tv.example/${'aB3-'.repeat(10)}xyz/playlist.m3u8`;
    expect(readParts(`ID,M3U,Note\n1,${link},${link}\n`).rows).toEqual([['1', '', link]]);
    expect(readParts(JSON.stringify({ id: 1, M3U: link, Note: link })).rows).toEqual([{ 0: 1, 2: link }]);
    expect(
      readParts('ID,Site,Login\n1,https://tv.example/,6f1c2a34-9b7d-4e5f-8a01-000000000001\n').rows,
    ).toEqual([['1', 'https://tv.example/', '6f1c2a34-9b7d-4e5f-8a01-000000000001']]);
    // A text that only begins with a link is somebody's note, whatever its column is called.
    const text = 'https://crm.example/6f1c2a34-9b7d-4e5f-8a01-000000000001 Wants to pay yearly.';
    expect(readParts(`ID,Comment\n1,${text}\n`).rows).toEqual([['1', text]]);
    expect(readParts(JSON.stringify({ id: 1, Comment: text })).rows).toEqual([{ 0: 1, 1: text }]);
    // Alone, a token of our service is one under any heading, and in a file without headings.
    const ours = 'Zx3'.padEnd(43, 'aB1-');
    expect(readParts(`ID,Key,Note\n1,${ours},${ours}\n2,short,\n`).rows).toEqual([
      ['1', '', ours],
      ['2', 'short', ''],
    ]);
    expect(readParts(`{"id":1,"key":"${ours}"}`).rows).toEqual([{ 0: 1 }]);
    expect(readParts(`{"id":1,"keys":["short","${ours}"]}`).rows).toEqual([{ 0: 1 }]);
    expect(() => readParts(`1,anna,${ours}\n2,bo,${ours}\n`)).toThrow(/column 3 is an access token/);
    // A comma too many has moved the token into another column.
    expect(readParts('ID,Note,Access token,Email\n1,a, b,t0p,c\n').rows).toEqual([['1', 'a', '', '', '']]);
  });

  it('is read in parts, of which one can have few rows', () => {
    const row = ['€'.repeat(10_000), '"\\'.repeat(5_000)];
    const line = `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
    const { rows } = readParts(`a,b\n${line.repeat(5)}`, { size: 30_000 });
    expect(rows).toEqual(Array.from({ length: 5 }, () => row));
  });

  it.each([
    ['is empty', ' \n', 'This file is empty.'],
    ['has headings only', 'a,b\n', 'This file has no rows below its headings.'],
    ['has an open quote', 'a,b\n1,2\n\n3,"4\n5,6\n', 'A quote is not closed in row 4.'],
    ['has a lone quote', 'a,b\n1,"2"3"\n', 'The quotes in row 2 don’t match.'],
    ['has an open quote before much text', `a\n"${'b'.repeat(3_000_000)}`, 'A quote is not closed in row 2.'],
    ['is too large', `a\n${`${'b'.repeat(600)}\n`.repeat(90_000)}`, 'This file is larger than 50 MB.'],
    ['has too many rows', `a\n${'b\n'.repeat(100_001)}`, 'This file has more than 100,000 rows.'],
    ['has too many columns', `a\n${','.repeat(100)}b\n`, 'Row 2 has 101 cells.'],
    ['has too long a cell', `a\n${'b'.repeat(30_001)}\n`, 'Row 2 has a cell with more than 30,000'],
    [
      'has too long a heading',
      `a,${'b'.repeat(201)}\n`,
      'The name of column 2 has more than 200 characters.',
    ],
    ['has too long a row', `a\n${`${'b'.repeat(15_000)},`.repeat(5)}\n`, 'Row 2 is too long'],
  ])('is refused with a sentence if it %s', (_, text, sentence) => {
    expect(() => readParts(text)).toThrow(sentence);
  });
});

/** The rows of a text that comes in parts of a size, or as much more as a whole row takes. */
function rowsInParts(text: string, size: number): string[][] {
  const rows: string[][] = [];
  let separator: string | null = null;
  for (let [at, length] = [0, size]; at < text.length;) {
    const isLast = at + length >= text.length;
    const read = readCsv(text.slice(at, at + length), { separator, rows: rows.length }, isLast);
    rows.push(...read.rows);
    ({ separator } = read);
    length = read.end === 0 ? length + 1 : size;
    at += read.end;
  }
  return rows;
}

function rowsOrRefused(text: string, size: number): string[][] | 'refused' {
  try {
    return rowsInParts(text, size);
  } catch {
    return 'refused';
  }
}

test.each([
  [
    'a,b\r\n"1 ""x""\r\n",\r\n"2 ",y"z\r\n3,"\r"\r\n',
    [
      ['a', 'b'],
      ['1 "x"\r\n', ''],
      ['2 ', 'y"z'],
      ['3', '\r'],
    ],
  ],
  [
    'a,b\r\n1,"2"\n\r\n"3\n",4\r"5\r\n"  ,6\n\r7,"8"',
    [['a', 'b'], ['1', '2'], [], ['3\n', '4'], ['5\r\n', '6'], [], ['7', '8']],
  ],
])('the rows of %j are the same, however their text is cut into parts', (text, expected) => {
  for (let size = 1; size <= text.length; size += 1)
    expect(rowsInParts(text, size), `parts of ${size}`).toEqual(expected);
});

test('the size of a file is that of its text, however long that is as JSON', () => {
  const row = `${'\t'.repeat(999)}\n`;
  const begun = { format: 'csv', separator: ',', headings: ['a'], lines: 1, rows: 1 } as const;
  const at = importLimits.size - 2 * row.length;
  const before: FileState = { ...unread('a.csv'), ...begun, headings: [...begun.headings], at };
  expect(readText(before, `${row}a\n`, false).state.at).toBeLessThan(importLimits.size);
  expect(() => readText(before, `${row.repeat(2)}a\n`, false)).toThrow('larger than 50 MB');
});

test('rows are what another reader of CSV finds, or are refused where it finds an error', () => {
  const text = fc.array(fc.constantFrom('"', '"', '""', ',', '\n', 'a', ' '), { maxLength: 14 });
  const property = fc.property(text, fc.integer({ min: 1, max: 5 }), (parts, size) => {
    const whole = `a,b\n${parts.join('')}\n`;
    const { data, errors } = Papa.parse<string[]>(whole, { delimiter: ',', newline: '\n' });
    // It finds one more row behind the last line break.
    const rows = data.slice(0, -1).map((row) => (row.some((cell) => cell.trim() !== '') ? row : []));
    expect(rowsOrRefused(whole, size)).toEqual(errors.length > 0 ? 'refused' : rows);
  });
  fc.assert(property, { seed: 17, numRuns: 3_000 });
});
