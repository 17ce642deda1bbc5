import { useMemo } from 'react';
import type { Control } from 'react-hook-form';
import type { ListName } from '../../../contract/service/subscriber.ts';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { countryName, countryNames } from '../fields/countries.ts';
import { containedRanges } from './contained-ranges.ts';
import { ListField } from './list-field.tsx';
import { readBundle, readCountry, readIpAddress, readUserAgent } from './read-piece.ts';

const perLine = /[\r\n]+/;
/** Names of countries hold blanks. */
const perComma = /[,;]+/;

/** The four lists. What an empty one means the service does not say, so the hints promise nothing. */
export function ListFields(props: {
  control: Control<SubscriberInput>;
  onLeftover: (name: ListName, text: string) => void;
}) {
  const countries = useMemo(() => countryNames(), []);
  return (
    <>
      <ListField
        name="bundles"
        {...props}
        read={readBundle}
        placeholder="Add a bundle id…"
        hint="Numbers; several at once by comma."
      />
      <ListField
        name="countries"
        {...props}
        read={readCountry}
        show={countryName}
        separator={perComma}
        suggestions={countries}
        placeholder="Add a country…"
        hint="By name or two-letter code."
      />
      <ListField
        name="ipAddresses"
        {...props}
        read={readIpAddress}
        warn={warnOfContained}
        placeholder="Add an address or range…"
        hint="IPv4 or IPv6, or a range such as 192.0.2.0/24."
      />
      <ListField
        name="userAgents"
        {...props}
        read={readUserAgent}
        separator={perLine}
        placeholder="Add a user agent…"
        hint="One per line when pasted."
      />
    </>
  );
}

function warnOfContained(addresses: readonly string[]): string | undefined {
  const sentences = containedRanges(addresses).map(({ inner, outer }) => `${inner} is part of ${outer}.`);
  return sentences.length > 0 ? `${sentences.join(' ')} It can be left out.` : undefined;
}
