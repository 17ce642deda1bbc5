import '../http/zod-sentences.ts';
import * as z from 'zod/mini';
import { idOf, wholeNumber } from '../http/shapes.ts';
import { visibleName } from '../http/visible-text.ts';
import { holdsNoToken } from './access-token.ts';
import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';
import { View, viewLimits } from './view.ts';

// Apart from `view.ts`, because the first view reads views and stores none.

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

/** The rows of `bffApi` that store views. */
export const viewApi = {
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
