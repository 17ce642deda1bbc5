import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { plainText } from '../http/endpoint.ts';
import { characters, sayExcess, saying } from './characters.ts';

/**
 * A list without repeated values. The error of a repeated value has its index.
 *
 * @param sameAs makes a value that is the same for all spellings of an element
 */
export function eachOnce<T extends z.ZodMiniType<string | number>>(
  element: T,
  most: number,
  sameAs: (value: z.output<T>) => unknown = (value) => value,
) {
  return z.array(element).check(
    z.maxLength(most, { error: ({ input }) => sayExcess([input].flat().length, most, 'entries') }),
    saying(
      z.check<z.output<T>[]>((list) => {
        const seen = new Set<unknown>();
        list.value.forEach((value, index) => {
          const key = sameAs(value);
          if (seen.has(key)) {
            const message = `${value} is in the list twice. Remove one.`;
            list.issues.push({ code: 'custom', input: value, path: [index], message });
          }
          seen.add(key);
        });
      }),
      { uniqueItems: true },
    ),
  );
}

// A label does not begin or end with a hyphen, and has at most 63 characters (RFC 1123 section 2.1). The last label is
// letters, or the ASCII form of an international name.
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const lastLabel = '(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])';
const mailbox = new RegExp(`^(?=.{1,64}@)[\\w'+-]+(?:\\.[\\w'+-]+)*@(?:${label}\\.)+${lastLabel}$`, 'i');

/** Whether this is an address like `name@example.com`: a local part and a domain with a dot, no quotes or comments. */
export function isMailbox(text: string): boolean {
  return mailbox.test(text);
}

const addressOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

export function isAddressOrRange(text: string): boolean {
  return addressOrRange.safeParse(text).success;
}

/** One spelling for each address or range. IPv6 has many (RFC 5952); IPv4, as accepted here, has one. */
export function canonicalAddress(text: string): string {
  if (!text.includes(':') || !isAddressOrRange(text)) return text;
  const [address = '', ...range] = text.split('/');
  return [URL.parse(`http://[${address}]`)?.hostname ?? address, ...range].join('/');
}

/**
 * A name that other people read on the screen: on one line, with something visible.
 *
 * @param empty the sentence for a missing name
 * @param most in characters
 */
export const visibleName = (empty: string, most: number) =>
  z.string(empty).check(
    z.trim(),
    z.minLength(1, empty),
    characters(most),
    plainText,
    z.refine((name) => name === '' || isVisible(name), 'Use at least one visible character.'),
    z.refine((name) => !movesText(name), 'Remove line breaks and marks that change the direction of text.'),
  );

/** Whether a text shows anything: fillers and joiners alone leave an empty spot on the screen. */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** Whether a text can break its line or turn the direction of the text beside it. */
export function movesText(text: string): boolean {
  return /[\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text);
}
