import { isAddressOrRange } from '../../contract/service/subscriber-input.ts';
import { ListQuery } from '../../contract/service/list-query.ts';
import type { Bundle } from '../../contract/bff/bundle.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { startOfDay } from '../components/exact-time.tsx';
import { bundleText } from '../subscriber/bundles.ts';
import { countryName, countriesFor } from '../subscriber/countries.ts';
import { expiryFilters, noRange } from '../subscriber/expiry.ts';
import type { ListAddressChange } from '../subscriber/list-address.ts';
import { listRulesWith } from '../subscriber/list-values.ts';
import type { Term } from './find-text.ts';

/** A filter, or the sentence that says why a typed text is none. */
type Reading = { change: ListAddressChange } | { refused: string };

/** A value that a typed filter may have. */
interface Offer {
  label: string;
  change: ListAddressChange;
}

/** The names that people type for numbers. */
interface KnownNames {
  statuses: readonly Status[];
  bundles: readonly Bundle[];
  /** Extensions of the service beside the contract. */
  extensions: readonly string[];
}

interface Filter {
  read: (value: string, known: KnownNames) => Reading;
  /** The values that the beginning of one may mean, the likeliest first. */
  offers?: (value: string, known: KnownNames) => Offer[];
  /** Advice on what to type, where nothing is offered. */
  hint: string;
}

const plans = [
  { label: 'Trial', change: { trial: true } },
  { label: 'Paid', change: { trial: false } },
];

const filters: Readonly<Record<Term['name'], Filter>> = {
  ip: {
    hint: 'Enter an IPv4 or IPv6 address, or a range such as 192.0.2.0/24.',
    read: (value) =>
      isAddressOrRange(value)
        ? { change: { ip: value } }
        : { refused: `“${value}” isn’t an IP address or a range.` },
  },
  country: {
    hint: 'Enter a name or a two-letter code.',
    read: (value, known) => readFrom('countries', value, known, (country) => ({ country: String(country) })),
    offers: (value) =>
      countriesFor(value).map((country) => ({ label: countryName(country), change: { country } })),
  },
  app: {
    hint: 'Enter a part of a user agent, such as vlc.',
    read(value) {
      const refused = ListQuery.shape.UserAgent.safeParse(value).error?.issues[0]?.message;
      return refused === undefined ? { change: { app: value } } : { refused };
    },
  },
  bundle: {
    hint: 'Enter a name or a number.',
    read: (value, known) => readFrom('bundles', value, known, (bundle) => ({ bundle: Number(bundle) })),
    offers: (value, { bundles }) =>
      (listRulesWith(bundles).bundles.offers?.(value, []) ?? []).map((bundle) => ({
        label: bundleText(Number(bundle), bundles),
        change: { bundle: Number(bundle) },
      })),
  },
  status: {
    hint: 'Enter the name of a status.',
    read: (value, known) => only(value, statusOffers(known), 'status'),
    offers: (value, known) => beginning(value, statusOffers(known)),
  },
  expires: {
    hint: 'Enter <7d for the next 7 days, -7d for the last 7, a day such as 2026-12-31, <2026-12-31 or >30d.',
    read(value) {
      const range = readRange(value);
      if (range) return { change: { ...noRange, ...range } };
      return only(value, expiryOffers, 'expiry');
    },
    offers: (value) => beginning(value, expiryOffers),
  },
  plan: {
    hint: 'Enter trial or paid.',
    read: (value) => only(value, plans, 'plan'),
    offers: (value) => beginning(value, plans),
  },
  note: {
    hint: 'Enter a part of the note, of at least three characters.',
    read: (value, known) => lacking('Note', value, 'notes', known) ?? { change: { note: value } },
  },
  // Who has it is offered at once, since no part of a token goes into the address.
  token: {
    hint: 'Enter the access token, or its last four characters.',
    read: (value, known) =>
      lacking('TokenEnd', value, 'the ends of tokens. Enter the whole token', known) ?? { change: {} },
  },
};

/** Why a service or the contract has no such filter; null if it has. */
function lacking(
  name: 'Note' | 'TokenEnd',
  value: string,
  what: string,
  { extensions }: KnownNames,
): Reading | null {
  if (!extensions.includes(name)) return { refused: `The subscriber service can’t search ${what}.` };
  const { hint } = filters[name === 'Note' ? 'note' : 'token'];
  return ListQuery.shape[name].safeParse(value).success ? null : { refused: hint };
}

const expiryOffers = expiryFilters.map(({ label, ...range }) => ({
  label,
  change: { ...noRange, ...range },
}));

const statusOffers = ({ statuses }: KnownNames): Offer[] =>
  statuses.map(({ id, name }) => ({ label: name, change: { statuses: undefined, status: id } }));

/** By the rules of a subscriber's lists, which know names. */
function readFrom(
  list: 'countries' | 'bundles',
  value: string,
  { bundles }: KnownNames,
  changeOf: (value: string | number) => ListAddressChange,
): Reading {
  const reading = listRulesWith(bundles)[list].read(value);
  return 'refused' in reading ? reading : { change: changeOf(reading.value) };
}

const beginning = (value: string, offers: readonly Offer[]): Offer[] =>
  offers.filter(({ label }) => label.toLowerCase().startsWith(value.toLowerCase()));

/** The one that is called so, or the only one that begins so. */
function only(value: string, offers: readonly Offer[], what: string): Reading {
  const found = beginning(value, offers);
  const exact =
    found.find(({ label }) => label.length === value.length) ?? (found.length === 1 ? found[0] : undefined);
  if (exact) return exact;
  return found.length > 1
    ? { refused: `“${value}” may be ${found.map(({ label }) => label).join(', ')}. Enter more of it.` }
    : {
        refused: `No ${what} is called “${value}”. There are ${offers.map(({ label }) => label).join(', ')}.`,
      };
}

/** `<7d`, `>30d`, `-7d`, `2026-12-31`: a range of days from now, or of a day in the browser's zone. */
function readRange(value: string): ListAddressChange | null {
  const [, sign, time = ''] = /^([<>]?)(-?[1-9]\d{0,3}d|\d{4}-\d\d-\d\d)$/.exec(value) ?? [];
  if (time === '') return null;
  const isRelative = time.endsWith('d');
  const from = isRelative ? time : startOfDay(time)?.toISOString();
  const after = isRelative ? time : startOfDay(time, 1)?.toISOString();
  if (from === undefined) return null;
  const isPast = time.startsWith('-');
  if (sign === '>') return { expiresFrom: isRelative ? from : after };
  // Within the next days, or before a day that is gone.
  if (sign === '<')
    return isRelative && !isPast ? { expiresFrom: 'now', expiresTo: time } : { expiresTo: from };
  if (!isRelative) return { expiresFrom: from, expiresTo: after };
  return isPast ? { expiresFrom: time, expiresTo: 'now' } : { expiresFrom: 'now', expiresTo: time };
}

/** The most values that are offered. */
const mostOffers = 8;

/**
 * Reads the filters that are typed into the find box.
 *
 * @returns the change of the address by all of them; the sentence to show instead, if one is not understood or has no value
 *   yet; and values for the last one
 */
export function readTerms(
  terms: readonly Term[],
  known: KnownNames,
): { change: ListAddressChange; sentence: string | null; offers: readonly Offer[] } {
  const read = terms.map(({ name, value }): Reading =>
    value === '' ? { refused: filters[name].hint } : filters[name].read(value, known),
  );
  const change: ListAddressChange = Object.assign(
    {},
    ...read.map((one) => ('change' in one ? one.change : {})),
  );
  const last = terms.at(-1);
  const offers = last ? (filters[last.name].offers?.(last.value, known) ?? []) : [];
  const refused = read.find((one) => 'refused' in one);
  return {
    change,
    sentence: refused && 'refused' in refused ? refused.refused : null,
    offers: offers
      .slice(0, mostOffers)
      .map((offer) => ({ ...offer, change: { ...change, ...offer.change } })),
  };
}
