/** Characters that a spreadsheet takes for the start of a formula, also full-width. */
const formulaStarts = new Set('=+-@＝＋－＠');
const lineBreaks = new Set('\n\r\v\f\u0085\u2028\u2029');
/** Where the comma is the sign for decimals, these separate cells, and our quotes do not hold. */
const separators = new Set(';\t');
const invisible = /[\s\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** A cache by character: the expression takes a microsecond for one, and a page has 400,000. */
const seen = new Map<string, boolean>();

function isSeen(character: string): boolean {
  const known = seen.get(character);
  if (known !== undefined) return known;
  // Few texts have more different ones.
  if (seen.size === 10_000) seen.clear();
  const fresh = !invisible.test(character);
  seen.set(character, fresh);
  return fresh;
}

/** Most texts: one that begins with a letter or a digit, on one line, without separators. */
const isPlain = /^[\p{L}\p{N}][^;\t\n\r\v\f\u0085\u2028\u2029]*$/u;

/**
 * Puts an apostrophe before each part that a spreadsheet could take for a formula. Also where there are apostrophes before
 * it already, so that `restoreText` knows which is ours. See https://owasp.org/www-community/attacks/CSV_Injection.
 */
export function neutralize(text: string): string {
  if (text === '' || isPlain.test(text)) return text;
  return joinAt(text, findMarks(text, false), "'", 0);
}

/** Takes away the apostrophes that `neutralize` put in. */
export function restoreText(text: string): string {
  return text.includes("'") ? joinAt(text, findMarks(text, true), '', 1) : text;
}

/**
 * Finds where formulas could start: at the start of a line, and behind separators. Blanks, apostrophes and what nobody sees
 * may precede a formula, so each character is looked at once, from the last to the first.
 *
 * @param isMarked true to find the apostrophes that mark them
 * @returns their indexes, the last first
 */
function findMarks(text: string, isMarked: boolean): number[] {
  const found: number[] = [];
  // Whether the rest of the line is a formula, or ends the cell first, as some think of a tab and NUL; and the same behind
  // the apostrophes with which it begins.
  let [isFormula, endsCell, isFormulaBehind, endsCellBehind] = [false, false, false, false];
  for (let index = text.length - 1; index >= 0; index -= 1) {
    if (index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff) index -= 1;
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    if (lineBreaks.has(character)) {
      [isFormula, endsCell, isFormulaBehind, endsCellBehind] = [false, false, false, false];
      continue;
    }
    const before = text[index - 1] ?? '\n';
    const isStart = lineBreaks.has(before) || separators.has(before);
    const needsMark = () => isStart && (isFormulaBehind || (endsCellBehind && lineBreaks.has(before)));
    if (isMarked && character === "'" && needsMark()) {
      found.push(index);
      continue;
    }
    if (character === "'") [isFormula, endsCell] = [false, false];
    else {
      const isVisible = isSeen(character);
      if (isVisible) isFormula = formulaStarts.has(character);
      endsCell = !isVisible && (endsCell || character === '\t' || character === '\0');
      [isFormulaBehind, endsCellBehind] = [isFormula, endsCell];
    }
    if (!isMarked && needsMark()) found.push(index);
  }
  return found;
}

/** Puts a text at each of these indexes, instead of so many characters there. @param indexes the last first */
function joinAt(text: string, indexes: readonly number[], inserted: string, removed: number): string {
  let start = 0;
  const parts = indexes.toReversed().map((index) => {
    const part = text.slice(start, index);
    start = index + removed;
    return part;
  });
  return [...parts, text.slice(start)].join(inserted);
}

/** Tells spreadsheets that a file is UTF-8. */
export const byteOrderMark = '\uFEFF';

/** A row by RFC 4180, with every cell quoted. */
export function csvRow(cells: readonly string[]): string {
  let row = '';
  for (const cell of cells) {
    const safe = neutralize(cell);
    row += `${row === '' ? '' : ','}"${safe.includes('"') ? safe.replaceAll('"', '""') : safe}"`;
  }
  return `${row}\r\n`;
}

/** A whole file. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return byteOrderMark + rows.map(csvRow).join('');
}
