import type { SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import { exactTime } from '../../components/exact-time.tsx';
import { countryName } from './countries.ts';
import { isExpired } from './expiry.ts';
import { listWords } from './field-text.ts';

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
 * service does not say what a status, a delivery format or a list does. Leaves out what is unknown, such as a status
 * without a name.
 *
 * @param now ms since the epoch
 * @param statusHelp where a status is set, which is said where the status is a reason
 */
export function describeCanWatch(
  subscriber: Facts,
  statusName: string | undefined,
  now: number,
  statusHelp?: string,
): CanWatch {
  const until = exactTime(Date.parse(subscriber.expiresAt));
  const possible: string[] = [];
  if (!subscriber.hls && !subscriber.mpegTs) possible.push('HLS and MPEG-TS are both off');
  const isHeld = statusName !== undefined && statusName !== 'Active';
  if (isHeld) possible.push(`status ${statusName}`);
  const help = isHeld && statusHelp !== undefined ? ` ${statusHelp}` : '';
  if (isExpired(subscriber.expiresAt, now)) {
    const reasons = [`expired on ${until}`, ...possible];
    return { tone: 'bad', sentence: `Can’t watch: ${reasons.join('; ')}.${help}` };
  }
  if (possible.length > 0)
    return { tone: 'warn', sentence: `Probably can’t watch: ${possible.join('; ')}.${help}` };
  const limit = subscriber.maxConnections;
  const devices = limit === 1 ? 'one device at a time' : `up to ${limit} devices at once`;
  return { tone: 'ok', sentence: `Can watch on ${devices} until ${until}.${limitsOf(subscriber)}` };
}

/** More countries than this are not named. */
const fewCountries = 3;

function limitsOf(subscriber: Facts): string {
  const names = (Object.keys(limitingLists) as LimitingList[]).filter(
    (name) => (subscriber[name]?.length ?? 0) > 0,
  );
  if (names.length === 0) return '';
  const { countries = [] } = subscriber;
  const named = countries.length <= fewCountries ? ` (${countries.map(countryName).join(', ')})` : '';
  const words = names.map((name) => `${limitingLists[name]}${name === 'countries' ? named : ''}`);
  return ` Limits on ${listWords(words)} may also apply.`;
}
