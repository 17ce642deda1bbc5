import type * as z from 'zod/mini';
import type { ListName } from '../../contract/service/subscriber.ts';
import { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { locale } from '../components/locale.ts';
import { Chips, type ChipReading, type ChipsProps } from '../components/chips.tsx';
import { countriesBeginning, countryCode } from './country-code.ts';
import { countryName } from './countries.ts';
import { fieldLabels } from '../../contract/service/field-labels.ts';

export const listHints: Readonly<Record<ListName, string>> = {
  bundles: 'Bundle numbers, separated by commas.',
  countries: 'Names or two-letter codes, separated by commas. The beginning of a name is enough.',
  ipAddresses: 'IPv4 or IPv6 addresses, or ranges such as 192.0.2.0/24.',
  userAgents: 'To add several, paste one per line.',
};

type Value = string | number;

/** The values of one of the four lists, entered one by one. */
export function ListChips(
  props: { name: ListName } & Pick<
    ChipsProps<Value>,
    'values' | 'onChange' | 'onBlur' | 'onPendingText' | 'parts' | 'inputRef' | 'offerBox'
  > & { placeholder?: string },
) {
  const { name, ...rest } = props;
  return <Chips<Value> {...kinds[name]} {...rest} label={fieldLabels[name]} />;
}

const lineBreaks = /[\r\n]+/;
/** Not spaces: names of countries contain them. */
const commas = /[,;]+/;

const { bundles, ipAddresses, userAgents } = SubscriberInput.shape;

/** Checks one typed piece by the contract's rule for an element of its list. */
function readAs<T extends string | number>(
  element: z.ZodMiniType<T>,
  value: unknown,
  typed: string,
): ChipReading<T> {
  const read = element.safeParse(value);
  if (read.success) return { value: read.data };
  return { refused: `“${typed}”: ${read.error.issues[0]?.message ?? 'This can’t be used.'}` };
}

const readBundle = (piece: string) =>
  readAs(bundles.def.element, /^\d+$/.test(piece) ? Number(piece) : Number.NaN, piece);

/** By a code, a name, or the beginning of a name that no other country has. */
function readCountry(piece: string): ChipReading<string> {
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

const kinds: Readonly<
  Record<ListName, Pick<ChipsProps<Value>, 'read' | 'show' | 'separator' | 'placeholder'>>
> = {
  bundles: { read: readBundle, placeholder: 'Add a bundle number…' },
  countries: {
    read: readCountry,
    show: (code) => countryName(String(code)),
    separator: commas,
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
};
