import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { idOf, wholeNumber } from '../http/shapes.ts';
import { visibleName } from '../http/text.ts';
import { ListQuery } from '../service/list-query.ts';
import { holdsNoToken } from './access-token.ts';

/** How many views a user can save, how many can be shared, and how many characters a name can have. */
export const viewLimits = { views: 50, shared: 20, name: 64 } as const;

const aside = { AccessToken: true, AfterId: true, Page: true, PageSize: true } as const;
const { Username, Email, ...others } = z.omit(ListQuery, aside).shape;

/** A list query that a user saved under a name. Everybody has the shared ones. */
export const View = z.object({
  id: z.string(),
  name: z.string(),
  query: z.strictObject({ Username, Email, ...others }),
  shared: z.boolean(),
});
export type View = z.infer<typeof View>;

/** The filters and the order of a view that is to be stored, or of another list that is not one page. */
export const ViewQuery = z.strictObject({
  Username: Username.check(holdsNoToken),
  Email: Email.check(holdsNoToken),
  ...others,
});
export type ViewQuery = z.infer<typeof ViewQuery>;

export const ViewId = z.object({ id: idOf('a view') });

const name = visibleName('Enter a name.', viewLimits.name).check(holdsNoToken);

/** A shared view needs the permission `shareViews`. */
export const AddViewBody = z.strictObject({ name, query: ViewQuery, shared: z.optional(z.boolean()) });
export type AddViewBody = z.input<typeof AddViewBody>;

/**
 * Fields that are left out stay as they are. `place` is the index among the shared or among your own views; past the end
 * means the end. `shared` shares a view of yours, or makes a shared one yours alone.
 */
export const ChangeViewBody = z.partial(
  z.strictObject({ name, query: ViewQuery, shared: z.boolean(), place: wholeNumber(0, viewLimits.views) }),
);
export type ChangeViewBody = z.input<typeof ChangeViewBody>;
