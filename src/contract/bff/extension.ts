/** Distance by which an expiry is moved: whole days of the calendar, months or years. */
export type Extension = { days: number } | { months: number } | { years: number };

/** Where an extension starts. */
export type ExtensionStart = 'now' | 'expiry';

/**
 * The later of the two, so that nobody loses days they paid for, or gets days that have passed.
 *
 * @param expiry the current one in ms since 1970, NaN if there is none
 */
export function usualStart(expiry: number, now: number): ExtensionStart {
  return expiry > now ? 'expiry' : 'now';
}

/**
 * The expiry after an extension, by the calendar and the clock of a time zone; 31 January plus a month is the last day of
 * February. Counted from the old expiry, its time of day stays. Counted from now, it is the end of the day: when somebody
 * extends says nothing about when the subscription should end.
 *
 * @param expiry the current one in ms since 1970, NaN if there is none
 * @param zone an IANA name, such as `Europe/Oslo`
 * @returns ms since 1970
 */
export function extendExpiry(
  expiry: number,
  extension: Extension,
  options: { now: number; zone: string; from?: ExtensionStart },
): number {
  const { now, zone, from = usualStart(expiry, now) } = options;
  const wall = from === 'expiry' ? wallTime(expiry, zone) : endOfDay(wallTime(now, zone));
  return fromWallTime(add(wall, extension), zone);
}

/** 23:59:59, which is still on the day that the screen shows: when a day ends that has no time. @param wall of that day */
export const endOfDay = (wall: number) => new Date(wall).setUTCHours(23, 59, 59, 0);

/** @param wall what a clock shows, as if it were UTC */
function add(wall: number, extension: Extension): number {
  const date = new Date(wall);
  if ('days' in extension) return date.setUTCDate(date.getUTCDate() + extension.days);
  const months = 'months' in extension ? extension.months : extension.years * 12;
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
}

/** True if this environment knows a time zone. */
export function isTimeZone(name: string): boolean {
  if (unknownZones.has(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    if (unknownZones.size >= mostRemembered) unknownZones.clear();
    // Longer ones are refused at once anyway.
    if (name.length <= 64) unknownZones.add(name);
    return false;
  }
}

/** Most zones that are remembered. There are about 600, but each can be written in many ways. */
const mostRemembered = 1000;

/** Kept, because finding out takes as long as making a format: a file may have such a name in each row. */
const unknownZones = new Set<string>();

const formats = new Map<string, Intl.DateTimeFormat>();

/** Kept, because making one takes longer than using it a hundred times. @throws {RangeError} for an unknown zone */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  if (formats.size >= mostRemembered) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** Time on a clock in the zone, as if it were UTC, in ms since 1970. */
export function wallTime(at: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second, new Date(at).getUTCMilliseconds());
  return wall.getTime();
}

const day = 24 * 60 * 60_000;

/**
 * When a clock in the zone shows this. Of two such moments the first; where clocks skip it, as much later as they skip.
 */
export function fromWallTime(wall: number, zone: string): number {
  const byOffsetAt = (at: number) => wall - (wallTime(at, zone) - at);
  const [before, after] = [byOffsetAt(wall - day), byOffsetAt(wall + day)];
  return wallTime(before, zone) !== wall && wallTime(after, zone) === wall ? after : before;
}
