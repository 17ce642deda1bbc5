/** Expired means `expiresAt <= now`, as in the service. Times in ms since the epoch. */
export function isExpired(expiresAt: string, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}

export const extensions = [
  { label: '+7 days', days: 7 },
  { label: '+1 month', months: 1 },
  { label: '+1 year', months: 12 },
] as const;
type Extension = (typeof extensions)[number];

/** Where an extension starts. */
export type ExtensionStart = 'now' | 'expiry';

/**
 * The later of the two, so that nobody loses days they paid for, or gets days that have passed.
 *
 * @param expiry the current one in ms since the epoch, NaN if there is none
 */
export function usualStart(expiry: number, now: number): ExtensionStart {
  return expiry > now ? 'expiry' : 'now';
}

/**
 * The expiry after an extension, in the local calendar: the time of day stays, and 31 January plus a month is the last
 * day of February.
 *
 * @param expiry the current one in ms since the epoch, NaN if there is none
 */
export function extend(
  expiry: number,
  extension: Extension,
  now: number,
  from: ExtensionStart = usualStart(expiry, now),
): Date {
  const date = new Date(from === 'expiry' ? expiry : now);
  if ('days' in extension) {
    date.setDate(date.getDate() + extension.days);
    return date;
  }
  const day = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() + extension.months);
  const lastDay = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  date.setDate(Math.min(day, lastDay));
  return date;
}
