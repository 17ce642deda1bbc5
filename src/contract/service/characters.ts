import * as z from 'zod/mini';

/** What JSON Schema can say of a rule that zod knows only as a function. */
interface Sayable {
  maximum?: number;
  format?: 'email' | 'datetime';
  patterns?: ReadonlySet<RegExp>;
  uniqueItems?: true;
}

/** Has a schema tell its own JSON Schema of a rule: zod's own checks leave the same in the schema's bag. */
export function saying<T>(check: z.core.$ZodCheck<T>, says: Sayable): z.core.$ZodCheck<T> {
  check._zod.onattach.push((schema) => void Object.assign(schema._zod.bag, says));
  return check;
}

/** At most so many characters, counted as code points (as JSON Schema counts): "é" and an emoji are one each. */
export const characters = (most: number) =>
  saying(
    z.refine<string>(
      (text) => text.length <= most || [...text].length <= most,
      `Use at most ${most} characters.`,
    ),
    { maximum: most },
  );
