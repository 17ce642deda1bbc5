import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { neutralize, restoreText, toCsv } from '../../../src/contract/bff/csv.ts';

const dangerous = ['=', '+', '-', '@', '\t', '\r', '\0', '＝', '＋', '－', '＠'];
const breaks = ['\n', '\r\n', '\r', '\u2028', '\u0085'];
const blanks = ['', ' ', '  ', '\u00a0', '\u3000', '\ufeff', ' \t '];
const invisible = ['\u200b', '\u2060', '\u00ad', '\u{e0020}', '\u0001'];
const others = ['"', "'", ',', ';', 'cmd|', 'SUM(A1)'];

/** Dangerous texts: beginnings of formulas, spaces, line breaks, quotes and separators. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(...dangerous, ...breaks, ...blanks, ...invisible, ...others),
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

const linesOf = (text: string) => text.split(/[\n\r\v\f\u0085\u2028\u2029]/);
const runs = { seed: 21, numRuns: 2000 };

describe('a cell', () => {
  it('begins no formula in any of its lines, whatever spaces precede it', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const cell = readCsv(toCsv([[text]]).slice(1))[0]?.[0] ?? '=';
        for (const line of linesOf(cell))
          expect(line).not.toMatch(/^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\0＝＋－＠]/u);
      }),
      runs,
    );
  });

  it('begins no formula where a semicolon or a tab separates cells', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const file = toCsv([['a', text, 'b']]).slice(1);
        // The first and the last cell have our own quotes, which such a spreadsheet does not take for any.
        for (const line of linesOf(file))
          for (const part of line.split(/[;\t]/).slice(1))
            expect(part).not.toMatch(/^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠]/u);
      }),
      runs,
    );
  });

  it('can be read back as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(nasty, nasty, nasty), { minLength: 1, maxLength: 4 }), (rows) => {
        const read = readCsv(toCsv(rows).slice(1));
        expect(read.map((row) => row.map(restoreText))).toEqual(rows);
      }),
      runs,
    );
  });

  it('gets an apostrophe only before what could be a formula', () => {
    for (const text of ['anna', '2026-06-01', 'a = b', 'Calls.\nOn Mondays.', "O'Hara", ''])
      expect(neutralize(text)).toBe(text);
    for (const [text, safe] of [
      ['=1+1', "'=1+1"],
      ['  @x', "'  @x"],
      ['\u00a0+x', "'\u00a0+x"],
      ['fine\n-x', "fine\n'-x"],
      ['fine\r=x', "fine\r'=x"],
      ["'=x", "''=x"],
      ['\0=x', "'\0=x"],
      ['\tx', "'\tx"],
    ] as const)
      expect(neutralize(text)).toBe(safe);
  });

  it.each([' \t', "'\t", '; ', "'"])('is written and read in a moment, also of 200,000 times %j', (unit) => {
    const text = unit.repeat(200_000);
    const began = performance.now();
    expect(restoreText(neutralize(text))).toBe(text);
    // A tenth of it is enough. If each part looked at all that follow, it would be minutes.
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});

test('a CSV file begins with a byte order mark, so that spreadsheets read it as UTF-8', () => {
  expect(toCsv([['ø']])).toBe('\uFEFF"ø"\r\n');
});
