import type { ListQuery } from '../../../contract/service/list-query.ts';
import { dayOf, localTime } from '../../components/time.ts';

/** The filters of the list by expiry, as in an address. */
export interface ExpiryFilter {
  expired?: boolean | undefined;
  expiresFrom?: string | undefined;
  expiresTo?: string | undefined;
}

/** What can be chosen at once. */
export const expiryFilters: readonly (ExpiryFilter & { label: string })[] = [
  { label: 'Expired', expired: true },
  { label: 'Not expired', expired: false },
  { label: 'Expired: last 7 days', expiresFrom: '-7d', expiresTo: 'now' },
  { label: 'Expired: last 30 days', expiresFrom: '-30d', expiresTo: 'now' },
  { label: 'Expires: next 7 days', expiresFrom: 'now', expiresTo: '7d' },
  { label: 'Expires: next 14 days', expiresFrom: 'now', expiresTo: '14d' },
  { label: 'Expires: next 30 days', expiresFrom: 'now', expiresTo: '30d' },
];

export const isSameExpiry = (one: ExpiryFilter, other: ExpiryFilter): boolean =>
  one.expired === other.expired && one.expiresFrom === other.expiresFrom && one.expiresTo === other.expiresTo;

/** A range in words, such as "expires from 1 Nov 2026 to 30 Nov 2026"; undefined if there is none. */
export function expiryWords({ ExpiresFrom: from, ExpiresTo: to }: ListQuery): string | undefined {
  if (from === 'now' && to === undefined) return 'not expired';
  const known = expiryFilters.find(({ expiresFrom, expiresTo }) => expiresFrom === from && expiresTo === to);
  if (to !== undefined && known) return known.label.toLowerCase().replace(':', ' in the');
  if (from === undefined && to === undefined) return undefined;
  return [
    'expires',
    from && `from ${momentWords(from)}`,
    to && `${isDay(to) ? 'to' : 'before'} ${momentWords(to, 1)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param back how many ms to go back from a midnight, for the last day of a range */
function momentWords(moment: string, back = 0): string {
  if (moment === 'now') return moment;
  const days = /^(-?)(\d+)d$/.exec(moment);
  if (days) return days[1] ? `${days[2]} days ago` : `${days[2]} days from now`;
  const at = Date.parse(moment);
  return isDay(moment) ? dayOf(at - back) : localTime(at);
}

/** Whether an instant is a midnight of the browser's zone, and so the beginning of a day. */
const isDay = (moment: string) => new Date(moment).setHours(0, 0, 0, 0) === Date.parse(moment);
