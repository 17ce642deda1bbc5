import type { SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import { exactTime } from '../../components/exact-time.ts';
import { isExpired } from './is-expired.ts';

export interface Watchable {
  tone: 'ok' | 'warn' | 'bad';
  sentence: string;
}

/** The lists that may narrow from where and with what one can watch, in the words for them. */
const narrowing = {
  countries: 'countries',
  ipAddresses: 'IP addresses',
  userAgents: 'user agents',
} as const;
type Narrowing = keyof typeof narrowing;

type Facts = Pick<SubscriberWithLists, 'expiresAt' | 'hls' | 'mpegTs' | 'maxConnections' | Narrowing>;

/**
 * Whether a subscriber can watch, and if not why, from the record alone. Only an expiry that is over stops it for sure.
 * What a status, a delivery format or a list stops, the service does not say: they may stand in the way, and what is
 * not known, as a status without a name or a list that was not sent, says nothing.
 *
 * @param now ms since the epoch
 */
export function watchable(subscriber: Facts, statusName: string | undefined, now: number): Watchable {
  const until = exactTime(Date.parse(subscriber.expiresAt));
  const doubts: string[] = [];
  if (!subscriber.hls && !subscriber.mpegTs) doubts.push('no delivery format is on');
  if (statusName !== undefined && statusName !== 'Active') doubts.push(`the status is ${statusName}`);
  if (isExpired(subscriber.expiresAt, now)) {
    const reasons = [`the subscription expired on ${until}`, ...doubts];
    return { tone: 'bad', sentence: `Cannot watch: ${reasons.join(', and ')}.` };
  }
  if (doubts.length > 0)
    return { tone: 'warn', sentence: `May not be able to watch: ${doubts.join(', and ')}.` };
  const limit = subscriber.maxConnections;
  const devices = limit === 1 ? 'one device at a time' : `up to ${limit} devices at once`;
  return { tone: 'ok', sentence: `Can watch on ${devices}, until ${until}.${narrowed(subscriber)}` };
}

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function narrowed(subscriber: Facts): string {
  const names = (Object.keys(narrowing) as Narrowing[]).filter((name) => (subscriber[name]?.length ?? 0) > 0);
  if (names.length === 0) return '';
  const words = listed.format(names.map((name) => narrowing[name]));
  return ` The record lists ${words}, which may narrow that: what they mean, the service does not say.`;
}
