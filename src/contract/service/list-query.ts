import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { pageOf } from '../http/shapes.ts';
import { wireBoolean, wireInteger, wireOnce, wireText } from '../http/endpoint.ts';
import { wireRelativeTime } from './instant.ts';
import { Include, limits, SubscriberWithLists } from './subscriber.ts';

export const sortOrders = ['username', 'username_desc', 'expiresAt', 'expiresAt_desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export const pageSizes = { least: 1, most: 200, usual: 25 } as const;

/** Filters that not every service has, which can be tested of each subscriber instead. */
export const scannedFilters = [
  'IsTrial',
  'StatusIds',
  'Bundle',
  'Country',
  'IpAddress',
  'UserAgent',
  'ExpiresFrom',
  'ExpiresTo',
] as const;
/** Parameters that not every service has. A client may use one only if the session declares it. */
export const filterExtensions = [
  ...scannedFilters,
  'AfterId',
  'include',
  'Near',
  'Note',
  'TokenEnd',
] as const;
/** Those, and the operation that not every service has. */
export const extensionNames = [...filterExtensions, 'getStatistics'] as const;
export type ExtensionName = (typeof extensionNames)[number];

/** The parameters of listSubscribers, named as on the wire. */
export const ListQuery = z.object({
  Username: z.optional(wireText(limits.username)),
  Email: z.optional(wireText(limits.email)),
  AccessToken: z.optional(wireText(limits.accessToken)),
  StatusId: z.optional(wireInteger(0, Number.MAX_SAFE_INTEGER)),
  /** Instead of `StatusId`: the ids of several, with commas. `statusIdsOf` in `scan.ts` reads them. */
  StatusIds: z.optional(wireOnce.check(z.regex(/^\d{1,15}(,\d{1,15}){0,49}$/, 'Use IDs, with commas.'))),
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
  Note: z.optional(wireText(limits.username).check(z.minLength(3))),
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

type Filters = Partial<Record<(typeof filterExtensions)[number], unknown>>;

/** True if a list needs filters that not every service has. */
export const needsExtension = (query: Filters): boolean =>
  filterExtensions.some((name) => query[name] !== undefined);

/**
 * True if the BFF has to read all subscribers for a list. A service without a filter by expiry can still answer a range
 * in the order of the expiry.
 */
export function needsScan(
  query: Filters & { SortBy?: SortOrder | undefined },
  extensions: readonly string[],
): boolean {
  const isByName = query.SortBy?.startsWith('username') === true;
  return scannedFilters.some(
    (name) =>
      query[name] !== undefined && !extensions.includes(name) && (isByName || !name.startsWith('Expires')),
  );
}
