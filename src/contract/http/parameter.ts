import './zod-config.ts';
import * as z from 'zod/mini';
import { characters } from '../service/characters.ts';

/** Codecs for what travels as text in a path or a query. A repeated single-valued parameter is an array: refused. */
export const wireOnce = z.string({
  error: (issue) => (Array.isArray(issue.input) ? 'Give this parameter once.' : undefined),
});

export const wireText = (most: number) =>
  wireOnce.check(characters(most), z.refine(isPlainText, 'Remove the control characters.'));

export const wireBoolean = z.codec(z.enum(['true', 'false'], 'Use true or false.'), z.boolean(), {
  decode: (word) => word === 'true',
  encode: (value) => (value ? 'true' : 'false'),
});

export const wireInteger = (least: number, most: number) => {
  const tooSmall = `Use a whole number of at least ${least}.`;
  const tooBig = `Use a whole number of at most ${most}.`;
  return z.codec(
    wireOnce.check(z.regex(/^(0|-?[1-9]\d{0,15})$/, 'Use a whole number.')),
    z
      .int({
        // zod has bounds of its own here: those within which a number is exact.
        error: ({ code }) =>
          code === 'too_big' ? tooBig : code === 'too_small' ? tooSmall : 'Use a whole number.',
      })
      .check(z.minimum(least, tooSmall), z.maximum(most, tooBig)),
    { decode: Number, encode: String },
  );
};

/** A comma-separated, repeatable list of known names. */
export const wireNames = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.codec(
    z.union([z.string(), z.array(z.string())]),
    z.array(z.enum(names, `Choose from: ${names.join(', ')}.`)),
    {
      decode: (value) =>
        [value]
          .flat()
          .flatMap((part) => part.split(','))
          .filter((name) => name !== '') as Names[number][],
      encode: (list) => list.join(','),
    },
  );

/** Well-formed text without control characters (C0, DEL, C1), which no name, address or token holds. */
export function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}
