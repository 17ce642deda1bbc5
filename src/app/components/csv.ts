/** Nothing that people see. */
const invisible = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}]*`;
/** What a spreadsheet takes for the start of a formula, also as full-width characters, or for the end of a cell. */
const atStart = new RegExp(String.raw`^(?=${invisible}[=+\-@\t\0＝＋－＠])`, 'u');
/** The same behind what separates cells where the comma is the sign for decimals: there our quotes do not hold. */
const behindSeparator = new RegExp(String.raw`[;\t](?=${invisible}[=+\-@＝＋－＠])`, 'gu');

/**
 * Puts an apostrophe before each part that a spreadsheet could take for a formula.
 * See https://owasp.org/www-community/attacks/CSV_Injection.
 */
export function neutralize(text: string): string {
  return text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => line.replace(atStart, "'").replace(behindSeparator, "$&'"))
    .join('\n');
}

/** RFC 4180, every cell quoted, with a byte order mark that tells spreadsheets it is UTF-8. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map((cell) => `"${neutralize(cell).replaceAll('"', '""')}"`).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

/** Saves a text as a file, by clicking a download link. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
