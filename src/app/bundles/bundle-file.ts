import { Bundle, bundleLimits, isSameName } from '../../contract/bff/bundle.ts';
import { restoreText, toCsv } from '../../contract/bff/csv.ts';
import { booleanWords } from '../../contract/bff/export-format.ts';

const headings = ['Number', 'Name', 'Sold'];

/** The names of bundles as a CSV file. */
export const writeBundles = (bundles: readonly Bundle[]): string =>
  toCsv([
    headings,
    ...bundles.map(({ number, name, isSold }) => [String(number), name, isSold ? 'yes' : 'no']),
  ]);

/** One cell at the beginning of a line, in quotes or not, and what separates it from the next. */
const cell = /^(?:"((?:[^"]|"")*)"|([^,;\t]*))(?:[,;\t]|$)/;

function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (let rest = line; rest !== '' && cells.length < headings.length;) {
    const [whole = rest, quoted, plain = ''] = cell.exec(rest) ?? [];
    cells.push(restoreText(quoted?.replaceAll('""', '"') ?? plain).trim());
    rest = rest.slice(whole.length || rest.length);
  }
  return cells;
}

/**
 * Puts the lines of a file, each a number, a name, and `yes` or `no` where it says if it is sold, into the list: names of
 * numbers that are in it are replaced, the others come to its end. Without a word on that, a bundle is sold or not as before.
 * A first line without a number is a heading.
 *
 * @throws {Error} a sentence about the first line that cannot be used
 */
export function readBundles(file: string, present: readonly Bundle[]): Bundle[] {
  const merged = new Map(present.map((bundle) => [bundle.number, bundle]));
  const seen = new Set<number>();
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [number = '', name = '', sold = ''] = cellsOf(line);
    if (index === 0 && !/\d/.test(number)) continue;
    const fail = (reason: string): never => {
      throw new Error(`Line ${index + 1}: ${reason} Nothing was imported.`);
    };
    const before = merged.get(Number(number))?.isSold ?? true;
    const read = Bundle.safeParse({
      number: /^\d{1,15}$/.test(number) ? Number(number) : Number.NaN,
      name,
      isSold:
        sold === ''
          ? before
          : (booleanWords.get(sold.toLowerCase()) ?? fail('Enter yes or no behind the name.')),
    });
    if (!read.success) return fail(read.error.issues[0]?.message ?? 'This can’t be used.');
    if (seen.has(read.data.number)) fail(`Bundle ${number} is in the file twice.`);
    seen.add(read.data.number);
    merged.set(read.data.number, read.data);
    const other = [...merged.values()].find(
      (one) => one.number !== read.data.number && isSameName(one.name, name),
    );
    if (other && (seen.has(other.number) || !lines.some((text) => cellsOf(text)[0] === String(other.number))))
      fail(`Bundle ${other.number} is called “${other.name}”, too.`);
  }
  if (seen.size === 0) throw new Error('The file has no bundle. Each line needs a number and a name.');
  if (merged.size > bundleLimits.bundles)
    throw new Error(`That would be ${merged.size} bundles; there can be ${bundleLimits.bundles}.`);
  return [...merged.values()];
}
