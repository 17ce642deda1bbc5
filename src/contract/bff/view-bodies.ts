import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { characters } from '../service/characters.ts';
import { plainText } from '../http/endpoint.ts';
import { tokenInText } from './access-token.ts';
import { ViewFilters, viewLimits } from './view.ts';

/** Refuses a text with an access token: views are stored, and their names are on the screen all day. */
export const holdsNoToken = z.refine<string | undefined>(
  (text) => tokenInText(text ?? '') === null,
  'This contains an access token, which is secret. Remove it.',
);

/** The filters and the order of a view that is to be stored, or of another list that is not one page. */
export const ViewQuery = z.strictObject({
  ...ViewFilters.shape,
  Username: ViewFilters.shape.Username.check(holdsNoToken),
  Email: ViewFilters.shape.Email.check(holdsNoToken),
});

export const ViewId = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,64}$/, 'This is not the ID of a view.')),
});

const name = z
  .string('Enter a name.')
  .check(z.trim(), z.minLength(1, 'Enter a name.'), characters(viewLimits.name), plainText, holdsNoToken);

/** A shared view needs the permission `shareViews`. */
export const AddViewBody = z.strictObject({ name, query: ViewQuery, shared: z.optional(z.boolean()) });
export type AddViewBody = z.input<typeof AddViewBody>;

const wantsPlace = `Use a whole number from 0 to ${viewLimits.views}.`;

/**
 * Fields that are left out stay as they are. `place` is the index among the shared or among your own views; past the end
 * means the end. `shared` shares a view of yours, or makes a shared one yours alone.
 */
export const ChangeViewBody = z.partial(
  z.strictObject({
    name,
    query: ViewQuery,
    shared: z.boolean(),
    place: z.int(wantsPlace).check(z.minimum(0, wantsPlace), z.maximum(viewLimits.views, wantsPlace)),
  }),
);
export type ChangeViewBody = z.input<typeof ChangeViewBody>;
