import { staffNameLength } from '../../contract/bff/staff.ts';
import { normalize } from '../../lib/text.ts';

/**
 * A name for comparison. It ignores case, how accents are written, invisible characters and repeated spaces, so that no
 * two accounts look the same.
 */
export function nameKey(name: string): string {
  const visible = normalize(name, 'NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const spaced = visible.replace(/[\p{Z}\u2800]+/gu, ' ').trim();
  return normalize(spaced.toLowerCase(), 'NFKC');
}

/** `kari`, then `kari (2)`: an account never gets the name of another account. */
export function numberedName(name: string, count: number): string {
  if (count === 1) return name;
  const end = ` (${count})`;
  return beginningOf(name, staffNameLength - end.length) + end;
}

/** The beginning of a text, in whole characters. */
export function beginningOf(text: string, most: number): string {
  return [...text].slice(0, most).join('').trim();
}
