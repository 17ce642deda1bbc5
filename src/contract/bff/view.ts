import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { idOf, wholeNumber } from '../http/shapes.ts';
import { visibleName } from '../http/text.ts';
import { ListQuery } from '../service/list-query.ts';
import { holdsNoToken } from './access-token.ts';
import { bffBase, firstReads } from './paths.ts';
import type { BffEndpoint } from './permission.ts';

/** Most views that a user can save, most that can be shared, and most characters of a name. */
export const viewLimits = { views: 50, shared: 20, name: 64 } as const;

const aside = {
  AccessToken: true,
  TokenEnd: true,
  AfterId: true,
  include: true,
  Near: true,
  Page: true,
  PageSize: true,
} as const;

/** A list query that a user saved under a name. Everybody has the shared ones. */
export const View = z.object({
  id: z.string(),
  name: z.string(),
  query: z.strictObject(z.omit(ListQuery, aside).shape),
  shared: z.boolean(),
  /** The names of the columns that the list hides, and of those that an export has; without them, as each person likes. */
  hidden: z.optional(z.string()),
  exported: z.optional(z.string()),
});
export type View = z.infer<typeof View>;

const { Username, Email, Note, ...others } = View.shape.query.shape;

/** The filters and the order of a view that is to be stored, or of another list that is not one page. */
export const ViewQuery = z.strictObject({
  Username: Username.check(holdsNoToken),
  Email: Email.check(holdsNoToken),
  Note: Note.check(holdsNoToken),
  ...others,
});
export type ViewQuery = z.infer<typeof ViewQuery>;

const ViewId = z.object({ id: idOf('a view') });

const name = visibleName('Enter a name.', viewLimits.name).check(holdsNoToken);

/** Names of columns, with blanks between them; null for none of its own. */
const columnNames = z.nullish(z.string().check(z.regex(/^[\w ]{0,200}$/, 'Use the names of columns.')));
const columns = { hidden: columnNames, exported: columnNames };

/** A shared view needs the permission `shareViews`. */
export const AddViewBody = z.strictObject({
  name,
  query: ViewQuery,
  shared: z.optional(z.boolean()),
  ...columns,
});
export type AddViewBody = z.input<typeof AddViewBody>;

/**
 * Fields that are left out stay as they are. `place` is the index among the shared or among your own views; past the end
 * means the end. `shared` shares a view of yours, or makes a shared one yours alone.
 */
export const ChangeViewBody = z.partial(
  z.strictObject({
    name,
    query: ViewQuery,
    shared: z.boolean(),
    place: wholeNumber(0, viewLimits.views),
    ...columns,
  }),
);
export type ChangeViewBody = z.input<typeof ChangeViewBody>;

/** The rows of `bffApi` about views. */
export const viewApi = {
  /** The shared ones, then your own, both in their order. */
  listViews: {
    ...firstReads.bff.listViews,
    access: 'signed-in',
    answer: z.array(View),
  },
  /** Managers can share it with everybody. */
  addView: {
    method: 'POST',
    path: `${bffBase}/views`,
    access: 'signed-in',
    body: AddViewBody,
    answer: View,
  },
  /** Only managers change and delete any of the shared ones. */
  changeView: {
    method: 'PUT',
    path: `${bffBase}/views/{id}`,
    access: 'signed-in',
    params: ViewId,
    body: ChangeViewBody,
    answer: View,
  },
  deleteView: {
    method: 'DELETE',
    path: `${bffBase}/views/{id}`,
    access: 'signed-in',
    params: ViewId,
    answer: z.undefined(),
  },
} as const satisfies Record<string, BffEndpoint>;
