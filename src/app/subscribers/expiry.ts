/** Expired means `expiresAt <= now`, as the service has it. Times in ms since the epoch. */
export function isExpired(expiresAt: string, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}

export const extensions = [
  { label: '+7 days', days: 7 },
  { label: '+1 month', months: 1 },
  { label: '+1 year', months: 12 },
] as const;
export type Extension = (typeof extensions)[number];

/**
 * A later expiry, counted from now or from the old expiry, whichever is later, on the local calendar: the time of
 * day stays, and a month that is too short ends it on its last day.
 *
 * @param from the present expiry in ms since the epoch, NaN where there is none
 */
export function extend(from: number, extension: Extension, now: number): Date {
  const start = new Date(Number.isNaN(from) ? now : Math.max(from, now));
  if ('days' in extension) {
    start.setDate(start.getDate() + extension.days);
    return start;
  }
  const day = start.getDate();
  start.setDate(1);
  start.setMonth(start.getMonth() + extension.months);
  const lastDay = new Date(start.getFullYear(), start.getMonth() + 1, 0).getDate();
  start.setDate(Math.min(day, lastDay));
  return start;
}
