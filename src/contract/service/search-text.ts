import { normalize } from '../../lib/normalize.ts';

/**
 * Folds a text for comparison without regard to case: "Ørjan" and "ØRJAN", "é" in one code point or two, "STRASSE" and
 * "straße" are the same. The result is stored, because database engines fold only ASCII, or by their locale.
 */
export function searchText(text: string): string {
  const lower = normalize(text, 'NFC').toUpperCase().toLowerCase();
  // The lower case of a sigma depends on its position in the word, which is unknown for a part of a word.
  return normalize(lower.replaceAll('ς', 'σ'), 'NFC');
}

/**
 * Folds a text for finding it by a part: as `searchText`, and without regard to accents. "José" and "jose", "Łukasz" and
 * "lukasz", "bjørn" and "bjorn" are the same.
 */
export function foldText(text: string): string {
  const bare = searchText(normalize(searchText(text), 'NFKD').replaceAll(/\p{M}+/gu, ''));
  return bare.replaceAll(/[øæœłđðþħı]/g, (letter) => otherLetters[letter] ?? letter);
}

/** The letters of which Unicode does not say that they are others with an accent. */
const otherLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
};

/** The words of a text, folded. A text is found by a filter if each of the filter's words occurs in it, in any order. */
export const wordsOf = (text: string): string[] => foldText(text).split(/\s+/).filter(Boolean);

/**
 * A key by which `<` sorts as database engines sort the text: by code points, not by UTF-16 units. Not for display.
 */
export function sortKey(text: string): string {
  return searchText(text).replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    // A surrogate is half of a code point above all that are one unit long.
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
