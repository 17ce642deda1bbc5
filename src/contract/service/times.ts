const isoTime =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** True for an ISO 8601 date-time with a time zone, in the years 0001 to 9999. */
export function isInstant(text: string): boolean {
  const date = isoTime.exec(text)?.[1];
  const at = Date.parse(text);
  // Date.parse takes 30 February for 2 March.
  return date !== undefined && at >= first && at <= last && new Date(date).toISOString().startsWith(date);
}

/** An instant in UTC, such as `2026-12-31T22:00:00.000Z`; another text stays as it is. */
export const inUtc = (text: string): string => (isInstant(text) ? new Date(text).toISOString() : text);

const daysFromNow = /^(-?[1-9]\d{0,3})d$/;

/** True for an instant, and for a time relative to now: `now`, `7d` (in seven days of 24 hours) or `-30d`. */
export const isTime = (text: string): boolean => text === 'now' || daysFromNow.test(text) || isInstant(text);

/**
 * A time in ms since 1970. Relative ones begin one ms after now, because a subscriber whose expiry is this ms has expired:
 * so those from now on and those up to now are everybody, and nobody twice.
 *
 * @param now in ms since 1970
 */
export function resolveTime(time: string, now: number): number {
  if (time === 'now') return now + 1;
  const days = daysFromNow.exec(time)?.[1];
  return days === undefined ? Date.parse(time) : now + 1 + Number(days) * 24 * 60 * 60_000;
}

/** A query whose times are instants, so that all its pages are of one time. @param now in ms since 1970 */
export function resolveTimes<Q extends { ExpiresFrom?: string | undefined; ExpiresTo?: string | undefined }>(
  query: Q,
  now: number,
): Q {
  const resolved = { ...query };
  for (const name of ['ExpiresFrom', 'ExpiresTo'] as const)
    if (resolved[name] !== undefined)
      resolved[name] = new Date(resolveTime(resolved[name], now)).toISOString();
  return resolved;
}
