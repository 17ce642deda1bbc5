import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { ListQuery } from '../service/list-query.ts';
import { tokenInText } from './access-token.ts';

/** How many views a user can save, how many can be shared, and how many characters a name can have. */
export const viewLimits = { views: 50, shared: 20, name: 64 } as const;

/** Refuses a text with an access token: views are stored, and their names are on the screen all day. */
export const holdsNoToken = z.refine<string | undefined>(
  (text) => tokenInText(text ?? '') === null,
  'This contains an access token, which is secret. Remove it.',
);

const { Username, Email, StatusId, Expired, IsTrial, ExpiresFrom, ExpiresTo, SortBy } = ListQuery.shape;

/** The filters and the order of a view: a list query without its page. */
export const ViewQuery = z.strictObject({
  Username: Username.check(holdsNoToken),
  Email: Email.check(holdsNoToken),
  StatusId,
  Expired,
  IsTrial,
  ExpiresFrom,
  ExpiresTo,
  SortBy,
});
export type ViewQuery = z.infer<typeof ViewQuery>;

/** A list query that a user saved under a name. Everybody has the shared ones. */
export const View = z.object({ id: z.string(), name: z.string(), query: ViewQuery, shared: z.boolean() });
export type View = z.infer<typeof View>;
