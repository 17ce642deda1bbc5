import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { pageOf, wireBoolean, wireInteger, wireOnce, wireText } from '../http/shapes.ts';
import { wireRelativeTime } from './instant.ts';
import { limits } from './limits.ts';
import { idsPattern, leastOfNote, pageSizes, sortOrders } from './list-rules.ts';
import { Include, SubscriberWithLists } from './subscriber.ts';

/** The parameters of listSubscribers, named as on the wire. */
export const ListQuery = z.object({
  Username: z.optional(wireText(limits.username)),
  Email: z.optional(wireText(limits.email)),
  AccessToken: z.optional(wireText(limits.accessToken)),
  StatusId: z.optional(wireInteger(0, Number.MAX_SAFE_INTEGER)),
  /** Instead of `StatusId`: the ids of several, with commas. `statusIdsOf` in `scan.ts` reads them. */
  StatusIds: z.optional(wireOnce.check(z.regex(idsPattern, 'Use IDs, with commas.'))),
  Expired: z.optional(wireBoolean),
  IsTrial: z.optional(wireBoolean),
  Bundle: z.optional(wireInteger(1, Number.MAX_SAFE_INTEGER)),
  /** A two-letter code. */
  Country: z.optional(wireText(2)),
  /** Those who may use an address; or with a range, also those who have an address or a range within it. */
  IpAddress: z.optional(wireText(limits.ipAddress)),
  /** Those with a user agent that contains this text. */
  UserAgent: z.optional(wireText(limits.userAgent)),
  /** Only those who expire at this time or later. */
  ExpiresFrom: z.optional(wireRelativeTime),
  /** Only those who expire before this time. */
  ExpiresTo: z.optional(wireRelativeTime),
  /**
   * Instead of a page number and an order: the next subscribers by id, after this one. Nothing else is counted, so
   * `totalCount` is that of the answer, and an answer that is not full is the last.
   */
  AfterId: z.optional(wireInteger(0, Number.MAX_SAFE_INTEGER)),
  /** Alone, with `PageSize` at most: those whose names are most like this text. `totalCount` is that of the answer. */
  Near: z.optional(wireText(limits.email)),
  /** Those whose note contains this text. */
  Note: z.optional(wireText(limits.username).check(z.minLength(leastOfNote))),
  /** Those whose access token ends with these four characters, in any case. */
  TokenEnd: z.optional(wireOnce.check(z.regex(/^[\w-]{4}$/))),
  SortBy: z.optional(z.enum(sortOrders, `Choose one of: ${sortOrders.join(', ')}.`)),
  Page: z.optional(wireInteger(1, Number.MAX_SAFE_INTEGER)),
  PageSize: z.optional(wireInteger(pageSizes.least, pageSizes.most)),
  /** Lists of each subscriber. */
  ...Include.shape,
});
export type ListQuery = z.infer<typeof ListQuery>;

export const SubscriberPage = pageOf(SubscriberWithLists);
export type SubscriberPage = z.infer<typeof SubscriberPage>;
