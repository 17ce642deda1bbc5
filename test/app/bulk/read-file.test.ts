import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it, test } from 'vitest';
import { createRowReader } from '../../../src/app/bulk/csv-rows.ts';
import { summarizeFile } from '../../../src/app/bulk/read-file.ts';
import { readFile } from '../../support/app/import-file.ts';

const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new DataView(new ArrayBuffer(text.length * 2));
  for (let index = 0; index < text.length; index += 1)
    bytes.setUint16(index * 2, text.charCodeAt(index), isLittle);
  return bytes;
};

async function allRows(file: Blob) {
  const { batches, rows } = await readFile(file);
  let count = 0;
  for (const batch of batches) {
    expect(batch.first).toBe(count + 1);
    expect(batch.rows.length).toBeLessThanOrEqual(500);
    expect(new Blob([JSON.stringify(batch)]).size).toBeLessThan(64 * 1024);
    count += batch.rows.length;
  }
  return rows;
}

describe('a file of comma-separated values', () => {
  const text = 'Username,Note\r\nblå,"one, ""two""\r\nthree"\r\n';
  const rows = [['blå', 'one, "two"\r\nthree']];
  const marked = `\uFEFF${text}`;

  it.each([
    ['UTF-8', [text]],
    ['UTF-8 with a byte order mark', [marked]],
    ['UTF-16 LE', [utf16(marked, true)]],
    ['UTF-16 BE', [utf16(marked, false)]],
  ])('is read in %s', async (_, parts) => {
    const file = new Blob(parts);
    expect((await summarizeFile(file)).headings).toEqual(['Username', 'Note']);
    expect(await allRows(file)).toEqual(rows);
  });

  it.each([
    ['commas', 'a,b;c\n1,"2"\n', ['1', '2']],
    ['semicolons', 'a;b;c,d\n1;"2, 3";4\n', ['1', '2, 3', '4']],
    ['tabs', 'a\tb\r\n1\t2;3\r\n', ['1', '2;3']],
    ['semicolons, with commas in a quoted heading', '"a,b,c";d\n1;2\n', ['1', '2']],
    ['nothing, having one column', 'id\n1\n', ['1']],
    ['old line breaks', 'a,b\r1,2\r', ['1', '2']],
    ['no line break at its end', '\n\na,b\n1,2', ['1', '2']],
  ])('can separate its cells by %s', async (_, text, row) => {
    expect(await allRows(new Blob([text]))).toEqual([row]);
  });

  it('loses empty rows, and empty cells behind its last column', async () => {
    const file = new Blob(['a,b\n\n1,2,,\n,\n  \n3,4,5\n']);
    expect(await allRows(file)).toEqual([
      ['1', '2'],
      ['3', '4', '5'],
    ]);
    expect(await summarizeFile(file)).toMatchObject({ rows: 2 });
  });

  it('is summarized by its headings, its first five rows and their number', async () => {
    const file = new Blob(['n\n', ...Array.from({ length: 70_000 }, (_, index) => `${index}\n`)]);
    expect(await summarizeFile(file)).toEqual({
      format: 'csv',
      headings: ['n'],
      examples: [['0'], ['1'], ['2'], ['3'], ['4']],
      rows: 70_000,
    });
    expect((await allRows(file)).at(-1)).toEqual(['69999']);
  });

  it('is cut into batches that one request can carry, whatever its letters', async () => {
    const row = ['€'.repeat(10_000), '"\\'.repeat(5_000)];
    const line = `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
    expect(await allRows(new Blob(['a,b\n', line.repeat(5)]))).toEqual(Array.from({ length: 5 }, () => row));
  });

  it.each([
    ['is empty', [' \n'], 'This file is empty.'],
    ['has headings only', ['a,b\n'], 'This file has no rows below its headings.'],
    ['is in an old encoding', [new Uint8Array([0x61, 0x0a, 0xe5, 0x0a])], 'This file isn’t in UTF-8'],
    ['has an open quote', ['a,b\n1,2\n\n3,"4\n5,6\n'], 'A quote is not closed in row 3.'],
    ['has a lone quote', ['a,b\n1,"2"3"\n'], 'The quotes in row 2 don’t match.'],
    [
      'has an open quote before much text',
      ['a\n"', 'b'.repeat(3_000_000)],
      'A quote is not closed in row 2.',
    ],
    ['is too large', ['a\n', 'b\n'.repeat(25_000_000)], 'This file is larger than 50 MB.'],
    ['has too many rows', ['a\n', 'b\n'.repeat(100_001)], 'This file has more than 100,000 rows.'],
    ['has too many columns', [`a\n${','.repeat(100)}b\n`], 'Row 2 has 101 cells.'],
    ['has too long a cell', [`a\n${'b'.repeat(20_001)}\n`], 'Row 2 has a cell with more than 20,000'],
    ['has too long a row', [`a\n${`${'€'.repeat(15_000)},`.repeat(2)}\n`], 'Row 2 is too long'],
  ])('is refused with a sentence if it %s', async (_, parts, sentence) => {
    await expect(summarizeFile(new Blob(parts))).rejects.toThrow(sentence);
  });
});

/** The rows of a text that comes in pieces of a size. */
async function rowsInPieces(text: string, size = text.length): Promise<string[][]> {
  const pieces = text.match(new RegExp(String.raw`[\s\S]{1,${Math.max(size, 1)}}`, 'g')) ?? [];
  const { readable, writable } = createRowReader();
  const writer = writable.getWriter();
  const written = Promise.allSettled([...pieces.map((piece) => writer.write(piece)), writer.close()]);
  const rows: string[][] = [];
  for await (const some of readable) rows.push(...some);
  await written;
  return rows;
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
    [
      ['a', 'b'],
      ['1', '2'],
      ['3\n', '4'],
      ['5\r\n', '6'],
      ['7', '8'],
    ],
  ],
])('the rows of %j are the same, however their text is cut into pieces', async (text, expected) => {
  for (let size = 1; size <= text.length; size += 1)
    expect(await rowsInPieces(text, size), `pieces of ${size}`).toEqual(expected);
});

test('rows are what another reader of CSV finds, or are refused where it finds an error', async () => {
  const text = fc.array(fc.constantFrom('"', '"', '""', ',', '\n', 'a', ' '), { maxLength: 14 });
  const size = fc.integer({ min: 1, max: 5 });
  const property = fc.asyncProperty(text, size, async (parts, pieces) => {
    const whole = `a,b\n${parts.join('')}\n`;
    const { data, errors } = Papa.parse<string[]>(whole, { delimiter: ',', newline: '\n' });
    const rows = await rowsInPieces(whole, pieces).catch(() => 'refused');
    const filled = data.filter((row) => row.some((cell) => cell.trim() !== ''));
    expect(rows).toEqual(errors.length > 0 ? 'refused' : filled);
  });
  await fc.assert(property, { seed: 17, numRuns: 3_000 });
});
