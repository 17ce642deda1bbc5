import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neutralize, restoreText, toCsv } from '../../../src/contract/bff/csv.ts';

const dangerous = ['=', '+', '-', '@', '\t', '\r', '\0', '＝', '＋', '－', '＠'];
const breaks = ['\n', '\r\n', '\r', '\u2028', '\u0085'];
const blanks = [
  '',
  ' ',
  '  ',
  '\u00a0',
  '\u3000',
  '\ufeff',
  ' \t ',
  '\u200b',
  '\u2060',
  '\u00ad',
  '\u{e0020}',
  '\u0001',
];

/** Dangerous texts: beginnings of formulas, spaces, line breaks, quotes and separators. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(...dangerous, ...breaks, ...blanks, '"', "'", ',', ';', 'cmd|', 'SUM(A1)'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** The cells of a CSV file, read by RFC 4180 without our own code. */
function readCsv(text: string): string[][] {
  const cells = [...text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/gy)];
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of cells) {
    rows.at(-1)?.push(cell.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.slice(0, -1);
}

test('no line of any cell begins a formula, whatever spaces precede it', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const cell = readCsv(toCsv([[text]]).slice(1))[0]?.[0] ?? '=';
      for (const line of cell.split(/[\n\r\v\f\u0085\u2028\u2029]/))
        expect(line).not.toMatch(/^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\0＝＋－＠]/u);
    }),
    { seed: 21, numRuns: 3000 },
  );
});

test('no part of a cell begins a formula where a semicolon or a tab separates cells', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const file = toCsv([['a', text, 'b']]).slice(1);
      // The first and the last cell have our own quotes, which such a spreadsheet does not take for any.
      for (const line of file.split(/[\n\r\v\f\u0085\u2028\u2029]/))
        for (const part of line.split(/[;\t]/).slice(1))
          expect(part).not.toMatch(/^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠]/u);
    }),
    { seed: 21, numRuns: 3000 },
  );
});

test('every cell can be read back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(nasty, nasty, nasty), { minLength: 1, maxLength: 4 }), (rows) => {
      const read = readCsv(toCsv(rows).slice(1));
      expect(read.map((row) => row.map(restoreText))).toEqual(rows);
    }),
    { seed: 21, numRuns: 3000 },
  );
});

describe('a text that is not a formula stays as it is:', () => {
  test.each(['anna', '2026-06-01', 'a = b', 'Calls.\nOn Mondays.', "O'Hara", ''])('%j', (text) => {
    expect(neutralize(text)).toBe(text);
  });
});

test.each([
  ['=1+1', "'=1+1"],
  ['  @x', "'  @x"],
  ['\u00a0+x', "'\u00a0+x"],
  ['fine\n-x', "fine\n'-x"],
  ['fine\r=x', "fine\r'=x"],
  ["'=x", "''=x"],
  ['\0=x', "'\0=x"],
  ['\tx', "'\tx"],
])('a text that could be a formula gets an apostrophe: %j becomes %j', (text, safe) => {
  expect(neutralize(text)).toBe(safe);
});

test('the file begins with a byte order mark, so that spreadsheets read it as UTF-8', () => {
  expect(toCsv([['ø']])).toBe('\uFEFF"ø"\r\n');
});
