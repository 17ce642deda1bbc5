import { statusOfActive } from '../../contract/service/limits.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { exactTime } from '../components/exact-time.tsx';
import { countryName } from './countries.ts';
import { isExpired } from './expiry.ts';
import { listWords } from './subscriber-fields.ts';

/** True if a subscriber can watch, in a sentence. */
interface CanWatch {
  /** Never `ok` while something restricts watching, or while it is not known whether something does. */
  tone: 'ok' | 'warn' | 'bad' | 'neutral';
  sentence: string;
  /** "Limited to: Greece"; empty without limits, null while they are unknown. */
  limits: string | null;
}

/** The lists that limit where and with what a subscriber can watch, and what one of their entries is. */
const limitingLists = { countries: '', ipAddresses: 'network', userAgents: 'app' } as const;
type LimitingList = keyof typeof limitingLists;

type Fields = Pick<SubscriberWithLists, 'expiresAt' | 'hls' | 'mpegTs' | 'maxConnections' | LimitingList>;

/**
 * Says whether a subscriber can watch, and if not why, from the record alone. Only a past expiry stops it for sure: the
 * service does not say what a status, a delivery format or a list does. Leaves out what is unknown, such as a status
 * without a name.
 *
 * @param now ms since the epoch
 * @param statusHelp where a status is set, which is said where the status is a reason
 */
export function describeCanWatch(
  subscriber: Fields,
  statusName: string | undefined,
  now: number,
  statusHelp?: string,
): CanWatch {
  const limits = limitsOf(subscriber);
  const expiry = Date.parse(subscriber.expiresAt);
  const until = exactTime(expiry);
  const possible: string[] = [];
  if (!subscriber.hls && !subscriber.mpegTs) possible.push('HLS and MPEG-TS are both off');
  const isHeld = statusName !== undefined && statusName !== statusOfActive;
  if (isHeld) possible.push(`status ${statusName}`);
  const help = isHeld && statusHelp !== undefined ? ` ${statusHelp}` : '';
  if (isExpired(subscriber.expiresAt, now)) {
    const reasons = [`expired on ${until}`, ...possible];
    return { tone: 'bad', sentence: `Can’t watch: ${reasons.join('; ')}.${help}`, limits };
  }
  if (possible.length > 0)
    return { tone: 'warn', sentence: `Probably can’t watch: ${possible.join('; ')}.${help}`, limits };
  if (Number.isNaN(expiry))
    return { tone: 'warn', sentence: 'May not be able to watch: the expiry can’t be read.', limits };
  const most = subscriber.maxConnections;
  // Of another service, where it may mean that there is no limit.
  if (most < 1)
    return {
      tone: 'warn',
      sentence: `May not be able to watch: the connection limit is ${most}.`,
      limits,
    };
  const devices = most === 1 ? 'one device at a time' : `up to ${most} devices at once`;
  const tone = limits === '' && statusName !== undefined ? 'ok' : 'neutral';
  return { tone, sentence: `Can watch on ${devices} until ${until}.`, limits };
}

/** More entries of a list than this are counted, and longer ones are cut: the fields below name all. */
const [fewEntries, longest] = [3, 40];

function limitsOf(subscriber: Fields): string | null {
  const names = Object.keys(limitingLists) as LimitingList[];
  if (names.some((name) => subscriber[name] === undefined)) return null;
  const limits = names.flatMap((name) => entryWords(name, subscriber[name] ?? []));
  // The dots of a text that was cut end the sentence.
  return limits.length > 0 ? `Limited to: ${limits.join('; ')}.`.replace('….', '…') : '';
}

/** "networks 192.0.2.0/24 and 198.51.100.7"; nothing for an empty list. */
function entryWords(name: LimitingList, values: readonly string[]): string[] {
  if (values.length === 0) return [];
  const texts = values.map((value) => (name === 'countries' ? countryName(value) : shorten(value)));
  const more = texts.length - fewEntries;
  const words = listWords(more > 0 ? [...texts.slice(0, fewEntries), `${more} more`] : texts);
  const kind = limitingLists[name] && `${limitingLists[name]}${values.length === 1 ? '' : 's'} `;
  return [kind + words];
}

const shorten = (text: string) => (text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text);
