import type { SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import { exactTime } from '../../components/exact-time.tsx';
import { isExpired } from './expiry.ts';

/** Whether a subscriber can watch, in a sentence. */
interface CanWatch {
  tone: 'ok' | 'warn' | 'bad';
  sentence: string;
}

/** The lists that may limit where and with what a subscriber can watch. */
const limitingLists = {
  countries: 'countries',
  ipAddresses: 'IP addresses',
  userAgents: 'user agents',
} as const;
type LimitingList = keyof typeof limitingLists;

type Facts = Pick<SubscriberWithLists, 'expiresAt' | 'hls' | 'mpegTs' | 'maxConnections' | LimitingList>;

/**
 * Says whether a subscriber can watch, and if not why, from the record alone. Only a past expiry stops it for sure: the
 * service does not say what a status, a delivery format or a list does. What is not known, as a status without a name
 * or a list that was not sent, is left out.
 *
 * @param now ms since the epoch
 */
export function describeCanWatch(subscriber: Facts, statusName: string | undefined, now: number): CanWatch {
  const until = exactTime(Date.parse(subscriber.expiresAt));
  const possible: string[] = [];
  if (!subscriber.hls && !subscriber.mpegTs) possible.push('no delivery format is on');
  if (statusName !== undefined && statusName !== 'Active') possible.push(`the status is ${statusName}`);
  if (isExpired(subscriber.expiresAt, now)) {
    const reasons = [`the subscription expired on ${until}`, ...possible];
    return { tone: 'bad', sentence: `Cannot watch: ${reasons.join(', and ')}.` };
  }
  if (possible.length > 0)
    return { tone: 'warn', sentence: `May not be able to watch: ${possible.join(', and ')}.` };
  const limit = subscriber.maxConnections;
  const devices = limit === 1 ? 'one device at a time' : `up to ${limit} devices at once`;
  return { tone: 'ok', sentence: `Can watch on ${devices}, until ${until}.${limitsOf(subscriber)}` };
}

const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function limitsOf(subscriber: Facts): string {
  const names = (Object.keys(limitingLists) as LimitingList[]).filter(
    (name) => (subscriber[name]?.length ?? 0) > 0,
  );
  if (names.length === 0) return '';
  const words = conjunction.format(names.map((name) => limitingLists[name]));
  return ` The record lists ${words}, which may narrow that: what they mean, the service does not say.`;
}
