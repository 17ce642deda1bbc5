import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { ListQuery } from '../service/list-query.ts';

/** How many views a user can save, how many can be shared, and how many characters a name can have. */
export const viewLimits = { views: 50, shared: 20, name: 64 } as const;

const { Username, Email, StatusId, Expired, IsTrial, ExpiresFrom, ExpiresTo, SortBy } = ListQuery.shape;

/** The filters and the order of a view, as they are answered: a list query without its page. */
export const ViewFilters = z.strictObject({
  Username,
  Email,
  StatusId,
  Expired,
  IsTrial,
  ExpiresFrom,
  ExpiresTo,
  SortBy,
});
export type ViewQuery = z.infer<typeof ViewFilters>;

/** A list query that a user saved under a name. Everybody has the shared ones. */
export const View = z.object({ id: z.string(), name: z.string(), query: ViewFilters, shared: z.boolean() });
export type View = z.infer<typeof View>;
