import { useNow } from './app-context.ts';
import { locale } from './locale.ts';
import { dayOf, localTime, relativeTime, write } from './format.ts';

const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const utcTime = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });

/** "14:00 UTC", with the date if UTC has another day; null if that is the local time, or no time at all. */
export function utcOf(at: number): string | null {
  if (!new Date(at).getTimezoneOffset()) return null;
  const date = write(utcDay, at);
  return `${date === dayOf(at) ? '' : `${date}, `}${write(utcTime, at)} UTC`;
}

/** "12 Nov 2026, 15:00 (14:00 UTC)"; without UTC where it is the same. */
export function exactTime(at: number): string {
  const utc = utcOf(at);
  return utc === null ? localTime(at) : `${localTime(at)} (${utc})`;
}

/** "2026-06-01", in the browser's zone: for file names and date inputs. */
export function localDay(at: number): string {
  const date = new Date(at);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}`;
}

/** The beginning of a day such as "2026-06-01" in the browser's zone, or of one some days later; null if there is no such day. */
export function startOfDay(day: string, later = 0): Date | null {
  const start = new Date(`${day}T00:00`);
  if (localDay(start.getTime()) !== day) return null;
  return new Date(start.getFullYear(), start.getMonth(), start.getDate() + later);
}

/** A past instant relative to now; the exact time appears on hover and is read by screen readers. */
export function RelativeTime({ at: instant }: { at: string }) {
  const now = useNow();
  const at = Date.parse(instant);
  const exact = exactTime(at);
  return (
    <time dateTime={instant} title={exact}>
      {/* A slow clock must not show it as future. */}
      {relativeTime(at, Math.max(now, at))}
      <span className="visually-hidden">, {exact}</span>
    </time>
  );
}
