import { limits, statusOfActive } from '../../../contract/service/limits.ts';
import type { SubscriberDetail } from '../../../contract/service/subscriber.ts';
import { counted } from '../../components/format.ts';
import { exactTime } from '../../components/exact-time.tsx';
import { countryName } from '../../subscriber/countries.ts';
import { isExpired } from '../../subscriber/expiry.ts';
import { fieldLabels } from '../../../contract/service/subscriber-input.ts';
import { partLabels } from '../../subscriber/subscriber-fields.ts';
import { turnOn, type OfferedEdit } from '../edit-record.tsx';
import { readIpRange, type IpRange } from '../../../contract/service/ip-range.ts';
import {
  contains,
  isAddress,
  isInside,
  neighbourhoodOf,
  rangeText,
  appPattern,
  type Connection,
} from './read-connection.ts';

/** The answer of one rule of a record about a connection. */
export interface RuleAnswer {
  rule: string;
  answer: 'yes' | 'no' | 'probably not' | 'unknown';
  /** Why, with the entry that decides. */
  because: string;
  /** Edits that would make it a yes. */
  offers: OfferedEdit[];
}

type Rules = Omit<SubscriberDetail, 'id' | 'accessToken' | 'email' | 'note' | 'isTrial' | 'bundles'>;

/**
 * Holds a connection against a record, rule by rule; what stops it comes first. What neither of them says stays unknown.
 *
 * @param statusName undefined while it is unknown
 * @param now ms since the epoch
 */
export function checkConnection(
  subscriber: Rules,
  statusName: string | undefined,
  now: number,
  connection: Connection,
): RuleAnswer[] {
  const answers: RuleAnswer[] = [
    expiryAnswer(subscriber, now),
    statusAnswer(statusName),
    ...formatAnswers(subscriber, connection),
    ...countryAnswers(subscriber, connection),
    ...addressAnswers(subscriber, connection),
    ...appAnswers(subscriber, connection),
    {
      rule: fieldLabels.maxConnections,
      answer: 'unknown',
      because: `${counted(subscriber.maxConnections, 'device')} at once. How many are connected isn’t known.`,
      offers: [],
    },
  ];
  return [
    ...answers.filter(({ answer }) => answer === 'no'),
    ...answers.filter(({ answer }) => answer === 'probably not'),
    ...answers.filter((answer) => !isStop(answer)),
  ];
}

/** True if a rule stops the connection, or probably does. */
export const isStop = ({ answer }: RuleAnswer): boolean => answer === 'no' || answer === 'probably not';

function answerOf(rule: string) {
  type Answer = (because: string, offers?: OfferedEdit[]) => RuleAnswer;
  const yes: Answer = (because, offers = []) => ({ rule, answer: 'yes', because, offers });
  const no: Answer = (...about) => ({ ...yes(...about), answer: 'no' });
  const probablyNot: Answer = (...about) => ({ ...yes(...about), answer: 'probably not' });
  const unknown: Answer = (...about) => ({ ...yes(...about), answer: 'unknown' });
  return { yes, no, probablyNot, unknown };
}

function expiryAnswer({ expiresAt }: Rules, now: number): RuleAnswer {
  const { yes, no, unknown } = answerOf(fieldLabels.expiresAt);
  const at = Date.parse(expiresAt);
  if (Number.isNaN(at)) return unknown('The expiry can’t be read.');
  return isExpired(expiresAt, now) ? no(`Expired on ${exactTime(at)}.`) : yes(`Expires on ${exactTime(at)}.`);
}

function statusAnswer(statusName: string | undefined): RuleAnswer {
  const { yes, probablyNot, unknown } = answerOf(partLabels.status);
  if (statusName === statusOfActive) return yes(`${statusOfActive}.`);
  if (statusName === undefined) return unknown('The status isn’t known.');
  return probablyNot(`${statusName}. That probably stops it.`);
}

function formatAnswers(subscriber: Rules, { formats }: Connection): RuleAnswer[] {
  const { yes, no, unknown } = answerOf('Format');
  const offer = (format: 'hls' | 'mpegTs') => turnOn(format, subscriber.username);
  const isOn = (format: 'hls' | 'mpegTs') => subscriber[format];
  if (formats.length === 0 && !isOn('hls') && !isOn('mpegTs'))
    return [no('HLS and MPEG-TS are both off.', [offer('hls'), offer('mpegTs')])];
  if (formats.length === 0 && isOn('hls') && isOn('mpegTs')) return [yes('HLS and MPEG-TS are both on.')];
  if (formats.length === 0) return [unknown('The text names no format, such as .m3u8 or .ts.')];
  return formats.map((format) => {
    if (format !== 'ts')
      return isOn(format)
        ? yes(`${fieldLabels[format]} is on.`)
        : no(`${fieldLabels[format]} is off.`, [offer(format)]);
    if (isOn('mpegTs')) return yes('MPEG-TS is on.');
    if (isOn('hls')) return unknown('MPEG-TS is off, but HLS also sends .ts files.', [offer('mpegTs')]);
    return no('HLS and MPEG-TS are both off.', [offer('mpegTs'), offer('hls')]);
  });
}

type AddedList = 'countries' | 'ipAddresses' | 'userAgents';

/** The offer to add an entry to a list; none if it has no room. */
function adding(subscriber: Rules, list: AddedList, value: string, name = value): OfferedEdit[] {
  if (subscriber[list].length >= limits[list]) return [];
  return [
    {
      title: `Add to ${fieldLabels[list]} of ${subscriber.username}?`,
      action: `Add ${name}`,
      change: (values) => ({ [list]: [...values[list].filter((entry) => entry !== value), value] }),
      text: `${name} was added for ${subscriber.username}.`,
    },
  ];
}

const fullList = (subscriber: Rules, list: AddedList) =>
  subscriber[list].length < limits[list] ? '' : ` The list is full (${limits[list]} entries).`;

function countryAnswers(subscriber: Rules, connection: Connection): RuleAnswer[] {
  const { yes, no, unknown } = answerOf(fieldLabels.countries);
  if (subscriber.countries.length === 0) return [yes('No limit.')];
  const places = connection.places.map((place) => unknown(unknownPlace(place)));
  if (connection.countries.length + places.length === 0)
    return [unknown('The text names no country, and an IP address alone doesn’t tell it.')];
  const known = connection.countries.map((code) => {
    const name = countryName(code);
    if (subscriber.countries.includes(code)) return yes(`${name} is in the list.`);
    return no(
      `${name} isn’t in the list.${fullList(subscriber, 'countries')}`,
      adding(subscriber, 'countries', code, name),
    );
  });
  return [...known, ...places];
}

export const unknownPlace = (place: string) =>
  `“${place}” isn’t known as a country or a town. Ask for the country.`;

function addressAnswers(subscriber: Rules, connection: Connection): RuleAnswer[] {
  const { yes, no, unknown } = answerOf(fieldLabels.ipAddresses);
  const entries = subscriber.ipAddresses.flatMap((entry) => {
    const range = readIpRange(entry);
    return range ? [{ entry, range }] : [];
  });
  if (subscriber.ipAddresses.length === 0) return [yes('No limit.')];
  if (connection.addresses.length === 0) return [unknown('The text has no IP address.')];
  return connection.addresses.flatMap((text): RuleAnswer[] => {
    const range = readIpRange(text);
    if (!range) return [];
    const within = entries.find((entry) => contains(entry.range, range));
    if (within)
      return [yes(within.entry === text ? `${text} is in the list.` : `${text} is in ${within.entry}.`)];
    if (isInside(range))
      return [
        unknown(`${text} is an address inside a home. Ask for the one that a “what is my IP” page shows.`),
      ];
    const part = entries.find((entry) => contains(range, entry.range));
    if (part) return [unknown(`Only a part of ${text} is in the list: ${part.entry}.`)];
    if (entries.length < subscriber.ipAddresses.length)
      return [unknown(`${text} isn’t in the list, but some of its entries can’t be read.`)];
    return [
      no(
        `${text} isn’t in the list.${fullList(subscriber, 'ipAddresses')}`,
        addressOffers(subscriber, range),
      ),
    ];
  });
}

/** This address, or the addresses around it. */
const addressOffers = (subscriber: Rules, range: IpRange) =>
  [range, ...(isAddress(range) ? [neighbourhoodOf(range)] : [])].flatMap((offered) =>
    adding(subscriber, 'ipAddresses', rangeText(offered)),
  );

function appAnswers(subscriber: Rules, connection: Connection): RuleAnswer[] {
  const { yes, probablyNot, unknown } = answerOf(fieldLabels.userAgents);
  if (subscriber.userAgents.length === 0) return [yes('No limit.')];
  if (connection.userAgents.length + connection.apps.length === 0)
    return [unknown('The text names no app, such as VLC or Samsung TV.')];
  const agents = connection.userAgents.map((agent) => {
    const entry = subscriber.userAgents.find((one) => one === agent || agent.includes(one));
    if (entry !== undefined)
      return yes(entry === agent ? `${agent} is in the list.` : `${agent} has the entry ${entry} in it.`);
    const isTooLong = [...agent].length > limits.userAgent;
    return probablyNot(
      `No entry is a part of ${agent}. How the subscriber service compares them isn’t known.${fullList(subscriber, 'userAgents')}`,
      isTooLong ? [] : adding(subscriber, 'userAgents', agent, 'this app'),
    );
  });
  const apps = connection.apps.map((app) => {
    const entry = subscriber.userAgents.find((one) => appPattern(app).test(one));
    return entry === undefined
      ? probablyNot(`No entry names ${app}. A line of the log would show the entry to add.`)
      : yes(`${app} is in the list, as ${entry}.`);
  });
  return [...agents, ...apps];
}
