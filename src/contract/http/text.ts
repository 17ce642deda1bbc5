import * as z from 'zod/mini';
import './zod-config.ts';
import { isPlainText, isWithin, tooMany } from './plain-text.ts';

// The rules of texts that people enter and read.

/** The part of a rule that JSON Schema can express, where zod only has a function. */
interface JsonRule {
  maximum?: number;
  format?: 'email' | 'datetime';
  patterns?: ReadonlySet<RegExp>;
  uniqueItems?: true;
}

/** Adds a rule to the JSON Schema of its schema, in the way of zod's own checks: in the schema's bag. */
export function withJsonRule<T>(check: z.core.$ZodCheck<T>, rule: JsonRule): z.core.$ZodCheck<T> {
  check._zod.onattach.push((schema) => void Object.assign(schema._zod.bag, rule));
  return check;
}

/** At most `most` characters. */
export const characters = (most: number) =>
  withJsonRule(
    z.refine<string>((text) => isWithin(text, most), {
      error: ({ input }) => tooMany([...String(input)].length, most, 'characters'),
    }),
    { maximum: most },
  );

/** `isPlainText` as a check of a schema. */
export const plainText = z.refine<string>(isPlainText, 'Remove line breaks and control characters.');

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
