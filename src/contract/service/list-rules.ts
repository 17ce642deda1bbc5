import { integerPattern, isPlainText, isWithin } from '../http/plain-text.ts';
import { limits } from './limits.ts';
import { inUtc, isTime } from './times.ts';

export const sortOrders = ['username', 'username_desc', 'expiresAt', 'expiresAt_desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export const pageSizes = { least: 1, most: 200, usual: 25 } as const;

/** Several ids, with commas. */
export const idsPattern = /^\d{1,15}(,\d{1,15}){0,49}$/;
/** Fewest characters of a text that notes are searched for. */
export const leastOfNote = 3;

/** Reads a value from its text; undefined if it is refused. */
export type Reader<T> = (text: string) => T | undefined;

export const readInteger =
  (least: number, most: number = Number.MAX_SAFE_INTEGER): Reader<number> =>
  (text) =>
    integerPattern.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;
const readText =
  (most: number, least = 0): Reader<string> =>
  (text) =>
    isWithin(text, most) && !isWithin(text, least - 1) && isPlainText(text) ? text : undefined;
const readBoolean: Reader<boolean> = (text) =>
  text === 'true' || text === 'false' ? text === 'true' : undefined;
const readTime: Reader<string> = (text) => (isTime(text) ? inUtc(text) : undefined);

/** Readers of the list's parameters in an address, by the rules of `ListQuery` but without zod: the first view loads none. */
export const listReaders = {
  Username: readText(limits.username),
  Email: readText(limits.email),
  StatusId: readInteger(0),
  StatusIds: (text: string) => (idsPattern.test(text) ? text : undefined),
  Expired: readBoolean,
  IsTrial: readBoolean,
  Bundle: readInteger(1),
  Country: readText(2),
  IpAddress: readText(limits.ipAddress),
  UserAgent: readText(limits.userAgent),
  Note: readText(limits.username, leastOfNote),
  ExpiresFrom: readTime,
  ExpiresTo: readTime,
  SortBy: (text: string) => sortOrders.find((order) => order === text),
  Page: readInteger(1),
  PageSize: readInteger(pageSizes.least, pageSizes.most),
} as const;

/** The values of a query in texts, as saved views travel. */
export const readQuery = (texts: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(listReaders).flatMap(([name, read]) => {
      const text = texts[name];
      const value = typeof text === 'string' ? read(text) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );

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
