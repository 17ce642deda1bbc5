/**
 * A text as it is compared without regard to case: "Ørjan" and "ØRJAN", "é" in one code point or two, "STRASSE" and
 * "straße" are the same. Engines fold only ASCII, or by their locale, so the folding is done here and stored.
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
 * A text that `<` puts where every engine of the service puts this one: by code points, which is not the order of
 * UTF-16. Not to be shown to anybody.
 */
export function orderKey(text: string): string {
  return searchText(text).replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    // A surrogate stands for a code point above all that are one unit long.
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
