import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { ListQuery } from '../service/list-query.ts';

/** Most views that a user can save, most that can be shared, and most characters of a name. */
export const viewLimits = { views: 50, shared: 20, name: 64 } as const;

const aside = {
  AccessToken: true,
  TokenEnd: true,
  AfterId: true,
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
