import type * as z from 'zod/mini';
import type { ListName } from '../../contract/service/limits.ts';
import { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { isSameName, type Bundle } from '../../contract/bff/bundle.ts';
import { foldText } from '../../contract/service/search-text.ts';
import { locale } from '../components/locale.ts';
import { bundleText } from './bundles.ts';
import { countriesBeginning, countriesFor, countryCode, countryName } from './countries.ts';

export const listHints: Readonly<Record<ListName, string>> = {
  bundles: 'Names or numbers, separated by commas.',
  countries: 'Names or two-letter codes, separated by commas. The beginning of a name is enough.',
  ipAddresses: 'IPv4 or IPv6 addresses, or ranges such as 192.0.2.0/24.',
  userAgents: 'To add several, paste one per line.',
};

export type Value = string | number;
type Bundles = readonly Bundle[];

/** The value of a typed piece, or why it is refused. */
type Reading = { value: Value } | { refused: string };

/** The rules by which the values of a list are entered. */
interface ListRules {
  /** Reads one typed or pasted piece. */
  read: (piece: string) => Reading;
  placeholder: string;
  /** The text of a value; `String` by default. */
  show?: (value: Value) => string;
  /** Separates pieces, in addition to line breaks. User agents contain commas and spaces, so they need their own. */
  separator?: RegExp;
  /** The values that a text may mean, the likeliest first. */
  offers?: (text: string, values: readonly Value[]) => Value[];
}

const lineBreaks = /[\r\n]+/;
/** Not spaces: names of countries contain them. */
const commas = /[,;]+/;
/** And blanks between numbers; names contain them, too. */
const commasOrNumbers = /[,;]+|(?<=\d)\s+(?=\d)/;

const { bundles, ipAddresses, userAgents } = SubscriberInput.shape;

/** Checks one typed piece by the contract's rule for an element of its list. */
function readAs(element: z.ZodMiniType<Value>, value: unknown, typed: string): Reading {
  const read = element.safeParse(value);
  if (read.success) return { value: read.data };
  return { refused: `“${typed}”: ${read.error.issues[0]?.message ?? 'This can’t be used.'}` };
}

/** By number, by name, or by the beginning of a name that no other has. */
function readBundle(piece: string, known: Bundles): Reading {
  const found = bundlesBeginning(piece, known);
  const named =
    found.find(({ name }) => isSameName(name, piece)) ?? (found.length === 1 ? found[0] : undefined);
  if (/^\d+$/.test(piece) || known.length === 0)
    return readAs(bundles.def.element, /^\d+$/.test(piece) ? Number(piece) : Number.NaN, piece);
  if (named) return { value: named.number };
  return {
    refused:
      found.length > 1
        ? `“${piece}” may be ${found.map(({ name }) => name).join(', ')}. Enter more of the name.`
        : `No bundle is called “${piece}”. Enter a name or a number.`,
  };
}

const bundlesBeginning = (text: string, known: Bundles): Bundle[] =>
  known.filter(({ name }) => foldText(name).startsWith(foldText(text.trim())));

/** Those that the text may mean, and that are not chosen yet: what is sold comes first. */
function offerBundles(text: string, values: readonly Value[], known: Bundles): Value[] {
  const beginning = bundlesBeginning(text, known);
  const others = known.filter(
    (bundle) =>
      !beginning.includes(bundle) && ` ${foldText(bundle.name)}`.includes(` ${foldText(text.trim())}`),
  );
  const byNumber = known.filter(({ number }) => String(number) === text.trim());
  return [...new Set([...byNumber, ...beginning, ...others])]
    .toSorted((one, other) => Number(other.isSold) - Number(one.isSold))
    .map(({ number }) => number)
    .filter((number) => !values.includes(number));
}

/** By a code, a name, or the beginning of a name that no other country has. */
function readCountry(piece: string): Reading {
  const code = countryCode(piece);
  const beginning = code ? [code] : countriesBeginning(piece);
  const [only] = beginning;
  if (only !== undefined && beginning.length === 1) return { value: only };
  const names = beginning.map(countryName).toSorted((a, b) => a.localeCompare(b, locale));
  return {
    refused:
      names.length > 0
        ? `“${piece}” may be ${names.join(', ')}. Enter more of the name.`
        : `“${piece}” isn’t a country. Enter a name or a two-letter code.`,
  };
}

function offerCountries(text: string, values: readonly Value[]): string[] {
  const exact = countryCode(text);
  // Enter must not add Nigeria where somebody means Niger, which is in the list already.
  if (exact && values.includes(exact)) return [];
  return countriesFor(text).filter((code) => !values.includes(code));
}

/** @param known the bundles that have a name */
export const listRulesWith = (known: Bundles): Readonly<Record<ListName, ListRules>> => ({
  bundles: {
    read: (piece) => readBundle(piece, known),
    placeholder: known.length > 0 ? 'Add a bundle…' : 'Add a bundle number…',
    show: (number) => bundleText(Number(number), known),
    ...(known.length > 0 && {
      separator: commasOrNumbers,
      offers: (text: string, values: readonly Value[]) => offerBundles(text, values, known),
    }),
  },
  countries: {
    read: readCountry,
    show: (code) => countryName(String(code)),
    separator: commas,
    offers: offerCountries,
    placeholder: 'Add a country…',
  },
  ipAddresses: {
    read: (piece) => readAs(ipAddresses.def.element, piece, piece),
    placeholder: 'Add an address or range…',
  },
  userAgents: {
    read: (piece) => readAs(userAgents.def.element, piece, piece),
    separator: lineBreaks,
    placeholder: 'Add a user agent…',
  },
});
