/** Expired means `expiresAt <= now`, as in the service. Times in ms since the epoch. */
export function isExpired(expiresAt: string, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}

/** The filters of the list by expiry, as in an address. */
interface ExpiryFilter {
  expired?: boolean | undefined;
  expiresFrom?: string | undefined;
  expiresTo?: string | undefined;
}

/** Takes any of them away. */
export const noRange = { expired: undefined, expiresFrom: undefined, expiresTo: undefined };

/** The usual choices. */
export const expiryFilters: readonly (ExpiryFilter & { label: string })[] = [
  { label: 'Expired', expired: true },
  { label: 'Not expired', expired: false },
  { label: 'Last 7 days', expiresFrom: '-7d', expiresTo: 'now' },
  { label: 'Last 30 days', expiresFrom: '-30d', expiresTo: 'now' },
  { label: 'Next 7 days', expiresFrom: 'now', expiresTo: '7d' },
  { label: 'Next 14 days', expiresFrom: 'now', expiresTo: '14d' },
  { label: 'Next 30 days', expiresFrom: 'now', expiresTo: '30d' },
];

export const isSameExpiry = (one: ExpiryFilter, other: ExpiryFilter): boolean =>
  one.expired === other.expired && one.expiresFrom === other.expiresFrom && one.expiresTo === other.expiresTo;
