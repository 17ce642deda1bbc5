import './zod-config.ts';
import * as z from 'zod/mini';

// The rules of texts that people enter and read.

/** What JSON Schema can say about a rule that is only a function for zod. */
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

/** The sentence for too many of something, such as `114 entries, limit 100: remove 14.` */
export const tooMany = (count: number, most: number, things: 'characters' | 'entries') =>
  `${count} ${things}, limit ${most}: remove ${count - most}.`;

/** At most `most` characters, counted as code points as JSON Schema does: "é" and an emoji are one each. */
export const characters = (most: number) =>
  withJsonRule(
    z.refine<string>((text) => text.length <= most || [...text].length <= most, {
      error: ({ input }) => tooMany([...String(input)].length, most, 'characters'),
    }),
    { maximum: most },
  );

/** Whether text is well-formed and has no control characters (C0, DEL, C1). No name, address or token has any. */
export function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** The same as a check of a schema. */
export const plainText = z.refine<string>(isPlainText, 'Remove line breaks and control characters.');

/** The same for a text with line breaks and tabs. */
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

/** Whether a text shows anything: fillers and joiners alone leave an empty spot on the screen. */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** Whether a text can break its line or turn the direction of the text beside it. */
export function movesText(text: string): boolean {
  return /[\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text);
}
