import './zod-config.ts';
import * as z from 'zod/mini';
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
