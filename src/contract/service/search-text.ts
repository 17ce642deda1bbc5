/**
 * A text as it is compared without regard to case: "Ørjan" and "ØRJAN", "é" in one code point or two, "STRASSE" and
 * "straße" are the same. Engines fold only ASCII, or by their locale, so this function folds and the result is stored.
 */
export function searchText(text: string): string {
  return (
    text
      .normalize('NFC')
      .toUpperCase()
      .toLowerCase()
      // A sigma is lowered by its position in the word, which a part of the word does not know.
      .replaceAll('ς', 'σ')
      .normalize('NFC')
  );
}

/**
 * A key that `<` sorts as every database engine sorts the text: by code points, not by UTF-16 units. Not for display.
 */
export function sortKey(text: string): string {
  return searchText(text).replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    // A surrogate is half of a code point above all that are one unit long.
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
