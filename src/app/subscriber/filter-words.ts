import type { ViewQuery } from '../../contract/bff/view-bodies.ts';
import { dayOf, localTime } from '../components/time.ts';
import { expiryFilters } from './expiry-range.ts';

/**
 * The filters of a list in words, such as "username “anna”" and "expired".
 *
 * @param status the name of the status that it filters by
 */
export function filterWords(query: ViewQuery, status: string | undefined): string[] {
  const { Username, Email, StatusId, Expired, IsTrial } = query;
  return [
    Username && `username “${Username}”`,
    Email && `email “${Email}”`,
    StatusId !== undefined && `status ${status ?? StatusId}`,
    Expired && 'expired',
    expiryWords(query),
    IsTrial !== undefined && (IsTrial ? 'trial' : 'paid'),
  ].filter((filter) => typeof filter === 'string');
}

/** A range in words, such as "expires from 1 Nov 2026 to 30 Nov 2026"; undefined if there is none. */
export function expiryWords({ ExpiresFrom: from, ExpiresTo: to }: ViewQuery): string | undefined {
  if (from === 'now' && to === undefined) return 'not expired';
  const known = expiryFilters.find(({ expiresFrom, expiresTo }) => expiresFrom === from && expiresTo === to);
  if (to !== undefined && known)
    return `${from === 'now' ? 'expires' : 'expired'} in the ${known.label.toLowerCase()}`;
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

/** True if an instant is a midnight of the browser's zone, and so the beginning of a day. */
const isDay = (moment: string) => new Date(moment).setHours(0, 0, 0, 0) === Date.parse(moment);

/** All that a list filters by expiry, as a choice: "Expires from 1 Nov 2026 to 30 Nov 2026". */
export function expiryFilterWords(query: ViewQuery): string {
  const words = [query.Expired && 'expired', expiryWords(query)].filter(Boolean).join('; ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
