import { locale } from './locale.ts';

const numbers = new Intl.NumberFormat(locale);

/** "1,234 subscribers", "1 subscriber". */
export function counted(amount: number, one: string, many = `${one}s`): string {
  return `${numbers.format(amount)} ${amount === 1 ? one : many}`;
}

export const grouped = (amount: number): string => numbers.format(amount);

const steps = [
  ['second', 60, 60],
  ['minute', 60, 60],
  ['hour', 24, 24],
  ['day', 14, 7],
  // Twelve months are at most 365 days then, or a year from now would be "in 11 months".
  ['week', 9, 30.4 / 7],
  ['month', 12, 12],
] as const satisfies readonly [unit: Intl.RelativeTimeFormatUnit, usedBelow: number, inNextUnit: number][];

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const inFigures = new Intl.RelativeTimeFormat(locale);
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const local = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

/** "3 days ago", "in 2 weeks", "last month". Times in ms since the epoch. */
export function relativeTime(at: number, now: number): string {
  if (Number.isNaN(at)) return unreadable;
  let amount = (at - now) / 1000;
  for (const [unit, usedBelow, inNextUnit] of steps) {
    // "Yesterday" means the calendar day, not the last 24 hours.
    const shown = unit === 'day' ? daysBetween(now, at) : Math.trunc(amount);
    if (Math.abs(amount) < usedBelow) return relative.format(shown, unit);
    amount /= inNextUnit;
  }
  // "Next year" would be wrong: in twelve months it may be the year after next.
  return inFigures.format(Math.trunc(amount), 'year');
}

const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/** Shown for an expiry that another service has and nobody can read. */
const unreadable = 'unknown';
export const write = (format: Intl.DateTimeFormat, at: number) =>
  Number.isNaN(at) ? unreadable : format.format(at);

/** The number of midnights between two times, in the browser's zone. */
function daysBetween(from: number, to: number): number {
  // Rounded, because a day may have 23 or 25 hours.
  return Math.round((midnight(to) - midnight(from)) / 86_400_000);
}

/** "17 Nov 2026", in the browser's zone. */
export const dayOf = (at: number): string => write(day, at);

/** "12 Nov 2026, 15:00", in the browser's zone. */
export const localTime = (at: number): string => write(local, at);

/** "15:00", in the browser's zone; with the date unless it is today. */
export const clockTime = (at: number, now = Date.now()): string =>
  daysBetween(at, now) === 0 ? write(clock, at) : localTime(at);
