import type { Subscriber } from '../../contract/subscriber.ts';
import { localTime, utcOf } from '../ui/time.ts';
import { isExpired } from './expiry.ts';

export interface Watchable {
  tone: 'ok' | 'warn' | 'bad';
  sentence: string;
}

type Facts = Pick<Subscriber, 'expiresAt' | 'hls' | 'mpegTs' | 'maxConnections'>;

/**
 * Whether a subscriber can watch, and if not why, from the record alone. What a status stops, the service does not
 * say, so one that is not "Active" is named as what may stand in the way.
 *
 * @param now ms since the epoch
 */
export function watchable(subscriber: Facts, statusName: string, now: number): Watchable {
  const expiry = Date.parse(subscriber.expiresAt);
  const reasons: string[] = [];
  if (isExpired(subscriber.expiresAt, now))
    reasons.push(`the subscription expired on ${localTime(expiry)} (${utcOf(expiry)})`);
  if (!subscriber.hls && !subscriber.mpegTs) reasons.push('no delivery format is on');
  if (statusName !== 'Active') reasons.push(`the status is ${statusName}`);
  if (reasons.length > 0) return { tone: 'bad', sentence: `Cannot watch: ${reasons.join(', and ')}.` };
  const limit = subscriber.maxConnections;
  const devices = limit === 1 ? 'one device at a time' : `up to ${limit} devices at once`;
  return { tone: 'ok', sentence: `Can watch on ${devices}, until ${localTime(expiry)}.` };
}
