import './zod-config.ts';
import * as z from 'zod/mini';

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
