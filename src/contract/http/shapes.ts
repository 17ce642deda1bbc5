import * as z from 'zod/mini';
import './zod-config.ts';
import { integerPattern } from './plain-text.ts';
import { characters, plainText } from './text.ts';

// What several operations have in their bodies and answers.

/** The ID of what the BFF stores. @param thing with its article, for the sentence */
export const idOf = (thing: string) =>
  z.string().check(z.regex(/^[\w-]{1,64}$/, `This is not the ID of ${thing}.`));

/** A whole number in a body. */
export function wholeNumber(least: number, most: number) {
  const accepted = `Use a whole number from ${least} to ${most}.`;
  return z.int(accepted).check(z.minimum(least, accepted), z.maximum(most, accepted));
}

/** A staff member's name at the time. With `singleSignOn` the provider chose it, so it may look like someone else’s name. */
export const Person = z.object({ name: z.string(), singleSignOn: z.boolean() });
export type Person = z.infer<typeof Person>;
export const Account = z.object({ ...Person.shape, id: z.string() });

/** One page of a list. */
export const pageOf = <S extends z.ZodMiniType>(item: S) =>
  z.object({
    items: z.array(item),
    page: z.int(),
    pageSize: z.int(),
    totalCount: z.int(),
    totalPages: z.int(),
  });

export const toPage = <T>(
  items: T[],
  { page, pageSize, totalCount }: { page: number; pageSize: number; totalCount: number },
) => ({ items, page, pageSize, totalCount, totalPages: Math.ceil(totalCount / pageSize) });

/**
 * Codecs for values that travel as text in a path or a query. A repeated parameter arrives as an array and is refused.
 */
export const wireOnce = z.string({
  error: (issue) => (Array.isArray(issue.input) ? 'This parameter is repeated. Use it once.' : undefined),
});

export const wireText = (most: number) => wireOnce.check(characters(most), plainText);

export const wireBoolean = z.codec(z.enum(['true', 'false'], 'Use true or false.'), z.boolean(), {
  decode: (word) => word === 'true',
  encode: (value) => (value ? 'true' : 'false'),
});

export const wireInteger = (least: number, most: number) => {
  const accepted = `Use a whole number from ${least} to ${most}.`;
  return z.codec(
    wireOnce.check(z.regex(integerPattern, accepted)),
    z.int(accepted).check(z.minimum(least, accepted), z.maximum(most, accepted)),
    { decode: Number, encode: String },
  );
};

/** A comma-separated list of known names, which may also be repeated. Of unknown ones, only the first are looked at. */
export const wireNames = <const Names extends readonly string[]>(names: Names) =>
  z.codec(
    z.union([z.string(), z.array(z.string())]),
    z.array(z.enum(names, `Choose from: ${names.join(', ')}.`)),
    {
      // One more than there are names has an unknown one. With 8,000 of them, the sentences about each took 38 ms.
      decode: (value) =>
        [...new Set([value].flat().join(',').split(',').filter(Boolean))].slice(
          0,
          names.length + 1,
        ) as Names[number][],
      encode: (list) => list.join(','),
    },
  );
