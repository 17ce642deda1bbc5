/** Nothing that people see. */
const invisible = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}]*`;
/** What a spreadsheet takes for the start of a formula, also as full-width characters, or for the end of a cell. */
const atStart = new RegExp(String.raw`^'*${invisible}[=+\-@\t\0＝＋－＠]`, 'u');
/** The same behind what separates cells where the comma is the sign for decimals: there our quotes do not hold. */
const behindSeparator = new RegExp(String.raw`^'*${invisible}[=+\-@＝＋－＠]`, 'u');
const lineBreak = /(\r\n|[\n\r\v\f\u0085\u2028\u2029])/;

/** Most texts: one that begins with a letter or a digit, on one line, without separators. */
const isPlain = /^[\p{L}\p{N}][^;\t\n\r\v\f\u0085\u2028\u2029]*$/u;

/**
 * Puts an apostrophe before each part that a spreadsheet could take for a formula. Also where there are apostrophes before
 * it already, so that `restoreText` knows which is ours. See https://owasp.org/www-community/attacks/CSV_Injection.
 */
export function neutralize(text: string): string {
  if (text === '' || isPlain.test(text)) return text;
  return eachLine(text, (line) => {
    const [first = '', ...others] = partsOf(line);
    // Whether a part begins a formula depends on all that follows it, because a separator can be invisible as well.
    let rest = line.slice(first.length);
    const safe = [marked(line, atStart, first)];
    for (const part of others) {
      safe.push(marked(rest, behindSeparator, part));
      rest = rest.slice(part.length);
    }
    return safe.join('');
  });
}

const marked = (rest: string, formula: RegExp, part: string) => (formula.test(rest) ? `'${part}` : part);

/** Takes away the apostrophes that `neutralize` put in. */
export function restoreText(text: string): string {
  if (!text.includes("'")) return text;
  return eachLine(text, (line) => {
    const parts = partsOf(line);
    // From the end, because whether an apostrophe is ours depends on what stood behind it.
    let rest = '';
    for (let index = parts.length - 1; index >= 0; index -= 1) {
      const formula = index === 0 ? atStart : behindSeparator;
      const whole = `${parts[index]}${rest}`;
      const without = whole.slice(1);
      rest = whole.startsWith("'") && formula.test(without) ? without : whole;
    }
    return rest;
  });
}

/** A line in parts, each but the last with the separator at its end. */
const partsOf = (line: string) => line.split(/(?<=[;\t])/);

/** Changes each line of a text; the line breaks stay as they are. */
function eachLine(text: string, change: (line: string) => string): string {
  const parts = text.split(lineBreak);
  return parts.map((part, index) => (index % 2 === 0 ? change(part) : part)).join('');
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
