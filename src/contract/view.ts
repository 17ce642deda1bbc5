import './zod-config.ts';
import * as z from 'zod/mini';
import { ListQuery } from './list-query.ts';
import { isPlainText } from './parameter.ts';
import { characters } from './rules.ts';
import { tokenInText } from './token-in-text.ts';

/** How many views one person keeps, and how many characters a name has. */
export const viewLimits = { views: 50, name: 64 } as const;

/** Views are kept, and names are on the screen all day: no place for a secret. */
const holdsNoToken = z.refine<string | undefined>(
  (text) => tokenInText(text ?? '') === null,
  'This holds an access token, which is a secret. Leave it out.',
);

const { Username, Email, StatusId, Expired, IsTrial, SortBy } = ListQuery.shape;

/** What a view narrows and orders by: a list query without its page, each value written as in an address. */
export const ViewQuery = z.strictObject({
  Username: Username.check(holdsNoToken),
  Email: Email.check(holdsNoToken),
  StatusId,
  Expired,
  IsTrial,
  SortBy,
});
export type ViewQuery = z.infer<typeof ViewQuery>;

const name = z
  .string('Enter a name.')
  .check(
    z.trim(),
    z.minLength(1, 'Enter a name.'),
    characters(viewLimits.name),
    z.refine(isPlainText, 'Use no line breaks or control characters.'),
    holdsNoToken,
  );

/** A list that somebody looks at often, kept under a name of their own. */
export const View = z.object({ id: z.string(), name: z.string(), query: ViewQuery });
export type View = z.infer<typeof View>;

export const ViewId = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,64}$/, 'No view has this id.')),
});

export const AddViewBody = z.strictObject({ name, query: ViewQuery });
export type AddViewBody = z.input<typeof AddViewBody>;

/** What is left out stays as it is. `place` counts from 0; past the end is the end. */
export const ChangeViewBody = z.partial(
  z.strictObject({
    name,
    place: z
      .int('Use a whole number.')
      .check(
        z.minimum(0, 'Use a whole number of at least 0.'),
        z.maximum(viewLimits.views, 'Use a smaller number.'),
      ),
  }),
);
export type ChangeViewBody = z.infer<typeof ChangeViewBody>;
