const steps = [
  ['second', 60, 60],
  ['minute', 60, 60],
  ['hour', 24, 24],
  ['day', 14, 7],
  // So that twelve months are at most 365 days, and a year from now is not "in 11 months".
  ['week', 9, 30.4 / 7],
  ['month', 12, 12],
] as const satisfies readonly [unit: Intl.RelativeTimeFormatUnit, usedBelow: number, inNextUnit: number][];

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const inFigures = new Intl.RelativeTimeFormat(undefined);
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** "3 days ago", "in 2 weeks", "last month". Times in ms since the epoch. */
export function relativeTime(at: number, now: number): string {
  if (Number.isNaN(at)) return unreadable;
  let amount = (at - now) / 1000;
  for (const [unit, usedBelow, inNextUnit] of steps) {
    // "Yesterday" is a day of the calendar, not a stretch of 24 hours.
    const shown = unit === 'day' ? daysBetween(now, at) : Math.trunc(amount);
    if (Math.abs(amount) < usedBelow) return relative.format(shown, unit);
    amount /= inNextUnit;
  }
  // Twelve months on may be the year after next, so no word is used for it.
  return inFigures.format(Math.trunc(amount), 'year');
}

const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/** Shown for a time from another service that cannot be parsed. */
const unreadable = 'an unreadable time';
export const write = (format: Intl.DateTimeFormat, at: number) =>
  Number.isNaN(at) ? unreadable : format.format(at);

/** Midnights between two instants, in the browser's zone. */
function daysBetween(from: number, to: number): number {
  // Rounded, because a day may have 23 or 25 hours.
  return Math.round((midnight(to) - midnight(from)) / 86_400_000);
}

/** "17 Nov 2026", in the browser's zone and language. */
export const dayOf = (at: number): string => write(day, at);

/** "12 Nov 2026, 15:00", in the browser's zone and language. */
export const localTime = (at: number): string => write(local, at);

/** "15:00", in the browser's zone and language; with its date where that is not today. */
export const clockTime = (at: number, now = Date.now()): string =>
  daysBetween(at, now) === 0 ? write(clock, at) : localTime(at);
