import './zod-sentences.ts';
import * as z from 'zod/mini';
import { isPlainText } from './plain-text.ts';
import { characters, plainText } from './text.ts';

// The rules of texts that people enter in forms; apart from `text.ts`, because the first view has no form.

/** A check that a text has no control characters but line breaks and tabs. */
export const plainLines = z.refine<string>(
  // A blank for each line break: removing it could join two lone surrogates into a well-formed pair.
  (text) => isPlainText(text.replace(/[\n\r\t]/g, ' ')),
  'Remove control characters.',
);

/**
 * A name that other people read on the screen: on one line, with something visible.
 *
 * @param empty the sentence for a missing name
 * @param most in characters
 */
export const visibleName = (empty: string, most: number) =>
  z.string(empty).check(
    z.trim(),
    z.minLength(1, empty),
    characters(most),
    plainText,
    z.refine((name) => name === '' || isVisible(name), 'Use at least one visible character.'),
    z.refine((name) => !movesText(name), 'Remove line breaks and marks that change the direction of text.'),
  );

/** True if a text shows anything: fillers and joiners alone leave an empty spot on the screen. */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** True if a text can break its line or turn the direction of the text beside it. */
export function movesText(text: string): boolean {
  return /[\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text);
}
