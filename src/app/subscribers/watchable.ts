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
 * say: one with another name than "Active" may stand in the way, and one whose name is not known says nothing.
 *
 * @param now ms since the epoch
 */
export function watchable(subscriber: Facts, statusName: string | undefined, now: number): Watchable {
  const expiry = Date.parse(subscriber.expiresAt);
  const until = `${localTime(expiry)} (${utcOf(expiry)})`;
  const reasons: string[] = [];
  if (isExpired(subscriber.expiresAt, now)) reasons.push(`the subscription expired on ${until}`);
  if (!subscriber.hls && !subscriber.mpegTs) reasons.push('no delivery format is on');
  const doubt = statusName === undefined || statusName === 'Active' ? null : `the status is ${statusName}`;
  if (reasons.length > 0)
    return { tone: 'bad', sentence: `Cannot watch: ${[...reasons, doubt].filter(Boolean).join(', and ')}.` };
  if (doubt) return { tone: 'warn', sentence: `May not be able to watch: ${doubt}.` };
  const limit = subscriber.maxConnections;
  const devices = limit === 1 ? 'one device at a time' : `up to ${limit} devices at once`;
  return { tone: 'ok', sentence: `Can watch on ${devices}, until ${until}.` };
}
