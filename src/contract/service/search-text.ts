import { normalize } from '../../lib/text.ts';

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
 * Why a search for a text is refused: each of its words is looked for by itself, and with none of them everybody would be found,
 * as by accents alone. Undefined if it has enough and few enough.
 */
export function wordsRefusal(text: string): string | undefined {
  const { size } = new Set(wordsOf(text));
  if (size > 8) return 'Search for up to 8 words. Leave some out.';
  return size === 0 && text.trim() !== '' ? 'Use at least one letter, digit or sign.' : undefined;
}

/** The beginning of a name, by which it is found where the whole has too many words. Empty if it has none. */
export function searchablePart(name: string): string {
  const characters = [...name];
  while (characters.length > 0 && wordsRefusal(characters.join('')) !== undefined) characters.pop();
  return characters.join('');
}

/**
 * The email address that is spelled out in a text, as in "anna dot k at example dot com"; null if there is none. It has
 * no other words.
 */
export function spokenAddress(text: string): string | null {
  const words = text.trim().split(/\s+/);
  const address = words.map((word) => spokenSigns.get(word.toLowerCase()) ?? word).join('');
  const isAddress = /^[^@]+@[^@]+$/.test(address) && address.includes('.', address.indexOf('@'));
  const names = words.filter((word) => !spokenSigns.has(word.toLowerCase())).length;
  // Of "anna k at example dot com" nobody knows what is between "anna" and "k".
  return isAddress && words.length > 1 && words.length - names === names - 1 ? address : null;
}

const spokenSigns = new Map([
  ['dot', '.'],
  ['at', '@'],
  ['dash', '-'],
  ['hyphen', '-'],
  ['underscore', '_'],
]);

/** The letters and digits of a name, folded, by which it is compared with names that are like it; of an address its mailbox. */
export function nearKey(text: string): string {
  const [mailbox = ''] = (spokenAddress(text) ?? text).split('@');
  return [...foldText(mailbox).replaceAll(/[^\p{L}\p{N}]+/gu, '')].slice(0, longestKey).join('');
}

/** Longer names differ in this part already, and what is looked up grows with its square. */
const longestKey = 32;

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

/** Lower case as every engine makes it, for texts such as user agents: of A to Z alone. */
export const lowerAscii = (text: string): string =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
