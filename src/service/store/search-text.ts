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
      // A sigma is lowered by its place in the word, which a part of the word does not know.
      .replaceAll('ς', 'σ')
      .normalize('NFC')
  );
}

/** A LIKE pattern, with `\` as its escape character, for texts that contain this one as it stands. */
export function containsPattern(text: string): string {
  return `%${searchText(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
