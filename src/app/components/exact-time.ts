import { dayOf, localTime, write } from './time.ts';

const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const utcTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: 'UTC' });

/** "14:00 UTC", with its date where that is another day there. */
export function utcOf(at: number): string {
  const date = write(utcDay, at);
  return `${date === dayOf(at) ? '' : `${date}, `}${write(utcTime, at)} UTC`;
}

/** "12 Nov 2026, 15:00 (14:00 UTC)". */
export const exactTime = (at: number): string => `${localTime(at)} (${utcOf(at)})`;

/** "2026-06-01", in the browser's zone: for names of files and for date inputs. */
export function localDay(at: number): string {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
