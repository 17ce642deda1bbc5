import { foldText, searchText } from '../../contract/service/search-text.ts';

/** A person who is to be forgotten, by what the tables say of them. */
export interface NamedPerson {
  id: number;
  /** True for one of the usernames or emails, whatever its case. */
  isName: (text: string) => boolean;
  /** True if a text, or one in a list or an object, has one of them in it, as whole words. */
  isNamedIn: (value: unknown) => boolean;
}

/** Fewer letters are in too many texts. */
export const leastLetters = 3;

/** @param names all usernames and emails that the person is known to have had */
export function createNamedPerson(id: number, names: readonly string[]): NamedPerson {
  const keys = new Set(names.filter((name) => name !== '').map(searchText));
  const words = [...keys].map(wordsIn).filter((text) => text.trim().length >= leastLetters);
  const isNamedIn = (value: unknown): boolean => {
    if (typeof value === 'object' && value !== null) return Object.values(value).some(isNamedIn);
    const text = typeof value === 'string' ? wordsIn(value) : '';
    return words.some((name) => text.includes(name));
  };
  return { id, isName: (text) => keys.has(searchText(text)), isNamedIn };
}

/** Letters and digits, with one blank around each word. */
const wordsIn = (text: string) => ` ${(foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

/** A text of JSON; null for another one, which only somebody else can have written. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
