import './zod-config.ts';
import * as z from 'zod/mini';

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

/** True if text is well-formed and has no control characters (C0, DEL, C1). No name, address or token has any. */
export function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** The same as a check of a schema. */
export const plainText = z.refine<string>(isPlainText, 'Remove line breaks and control characters.');
