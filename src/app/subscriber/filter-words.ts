import type { Bundle } from '../../contract/bff/bundle.ts';
import type { ViewQuery } from '../../contract/bff/view.ts';
import { statusIdsOf } from '../../contract/service/scan.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { locale } from '../components/locale.ts';
import { dayOf, localTime } from '../components/format.ts';
import { bundleText } from './bundles.ts';
import { countryName } from './countries.ts';
import { expiryFilters } from './expiry.ts';
import { nameOfStatus } from './status-badge.tsx';

/**
 * The filters of a list in words, such as "username “anna”" and "expired".
 *
 * @param statuses all that there are; undefined while they load
 * @param bundles those with a name
 */
export function filterWords(
  query: ViewQuery,
  statuses: readonly Status[] | undefined,
  bundles: readonly Bundle[] = [],
): string[] {
  const { Username, Email, Expired, IsTrial, Bundle, Country, IpAddress, UserAgent, Note } = query;
  return [
    Username && `username “${Username}”`,
    Email && `email “${Email}”`,
    statusWords(query, statuses),
    Expired && 'expired',
    expiryWords(query),
    IsTrial !== undefined && (IsTrial ? 'trial' : 'paid'),
    Bundle !== undefined && `bundle ${bundleText(Bundle, bundles)}`,
    Country && `country ${countryName(Country)}`,
    IpAddress && `address ${IpAddress}`,
    UserAgent && `player “${UserAgent}”`,
    Note && `note “${Note}”`,
  ].filter((filter) => typeof filter === 'string');
}

const disjunction = new Intl.ListFormat(locale, { type: 'disjunction' });

/** "status Suspended", "status Suspended or Blocked"; "status not Suspended" for all but one of many. */
function statusWords(query: ViewQuery, statuses: readonly Status[] | undefined): string | undefined {
  const ids = statusIdsOf(query);
  const others = statuses?.filter(({ id }) => !ids?.includes(id)) ?? [];
  if (ids && ids.length > 1 && others.length === 1) return `status not ${others[0]?.name}`;
  return ids && `status ${disjunction.format(ids.map((id) => nameOfStatus(id, statuses) ?? String(id)))}`;
}

/** The statuses of a list, as a choice: "Status: not Suspended". */
export const statusFilterWords = (query: ViewQuery, statuses: readonly Status[] | undefined): string =>
  statusWords(query, statuses)?.replace('status', 'Status:') ?? '';

/** A range in words, such as "expires from 1 Nov 2026 to 30 Nov 2026"; undefined if there is none. */
export function expiryWords({ ExpiresFrom: from, ExpiresTo: to }: ViewQuery): string | undefined {
  if (from === 'now' && to === undefined) return 'not expired';
  const known = expiryFilters.find(({ expiresFrom, expiresTo }) => expiresFrom === from && expiresTo === to);
  if (to !== undefined && known)
    return `${from === 'now' ? 'expires' : 'expired'} in the ${known.label.toLowerCase()}`;
  if (from === undefined && to === undefined) return undefined;
  return [
    'expires',
    from && `from ${timeWords(from)}`,
    to && `${isDay(to) ? 'to' : 'before'} ${timeWords(to, 1)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param back how many ms to go back from a midnight, for the last day of a range */
function timeWords(time: string, back = 0): string {
  if (time === 'now') return time;
  const days = /^(-?)(\d+)d$/.exec(time);
  if (days) return days[1] ? `${days[2]} days ago` : `${days[2]} days from now`;
  const at = Date.parse(time);
  return isDay(time) ? dayOf(at - back) : localTime(at);
}

/** True if an instant is a midnight of the browser's zone, and so the beginning of a day. */
const isDay = (time: string) => new Date(time).setHours(0, 0, 0, 0) === Date.parse(time);

/** All that a list filters by expiry, as a choice: "Expires from 1 Nov 2026 to 30 Nov 2026". */
export function expiryFilterWords(query: ViewQuery): string {
  const words = [query.Expired && 'expired', expiryWords(query)].filter(Boolean).join('; ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
