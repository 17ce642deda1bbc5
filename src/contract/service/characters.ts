import * as z from 'zod/mini';

/** What JSON Schema can say about a rule that is only a function for zod. */
interface Sayable {
  maximum?: number;
  format?: 'email' | 'datetime';
  patterns?: ReadonlySet<RegExp>;
  uniqueItems?: true;
}

/** Adds a rule to the JSON Schema of its schema, in the way of zod's own checks: in the schema's bag. */
export function saying<T>(check: z.core.$ZodCheck<T>, says: Sayable): z.core.$ZodCheck<T> {
  check._zod.onattach.push((schema) => void Object.assign(schema._zod.bag, says));
  return check;
}

/** The sentence for too many of something, such as `114 entries, limit 100: remove 14.` */
export const sayExcess = (count: number, most: number, things: 'characters' | 'entries') =>
  `${count} ${things}, limit ${most}: remove ${count - most}.`;

/** At most `most` characters, counted as code points as JSON Schema does: "é" and an emoji are one each. */
export const characters = (most: number) =>
  saying(
    z.refine<string>((text) => text.length <= most || [...text].length <= most, {
      error: ({ input }) => sayExcess([...String(input)].length, most, 'characters'),
    }),
    { maximum: most },
  );
