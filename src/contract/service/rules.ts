import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { isPlainText } from '../http/endpoint.ts';
import { characters, saying } from './characters.ts';

/**
 * A list without repeated values; a repeated one is named by its index.
 *
 * @param sameAs what two spellings of one value have in common
 */
export function eachOnce<T extends z.ZodMiniType<string | number>>(
  element: T,
  most: number,
  sameAs: (value: z.output<T>) => unknown = (value) => value,
) {
  return z.array(element).check(
    z.maxLength(most, `Enter at most ${most}.`),
    saying(
      z.check<z.output<T>[]>((list) => {
        const seen = new Set<unknown>();
        list.value.forEach((value, index) => {
          const key = sameAs(value);
          if (seen.has(key)) {
            const message = `${value} stands in the list twice. Remove one.`;
            list.issues.push({ code: 'custom', input: value, path: [index], message });
          }
          seen.add(key);
        });
      }),
      { uniqueItems: true },
    ),
  );
}

// No label begins or ends with a hyphen or has more than 63 characters (RFC 1123 section 2.1). The last one is of
// letters, or the ASCII form of an international name.
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const lastLabel = '(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])';
const mailbox = new RegExp(`^(?=.{1,64}@)[\\w'+-]+(?:\\.[\\w'+-]+)*@(?:${label}\\.)+${lastLabel}$`, 'i');

/** `name@example.com`: a local part and a domain with a dot, without quotes or comments. */
export function isMailbox(text: string): boolean {
  return mailbox.test(text);
}

const addressOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

export function isAddressOrRange(text: string): boolean {
  return addressOrRange.safeParse(text).success;
}

/** One spelling for each address or range: IPv6 has many (RFC 5952), IPv4 in the form accepted has one. */
export function canonicalAddress(text: string): string {
  if (!text.includes(':') || !isAddressOrRange(text)) return text;
  const [address = '', ...range] = text.split('/');
  return [URL.parse(`http://[${address}]`)?.hostname ?? address, ...range].join('/');
}

/**
 * A name that others read on the screen: of one line, with something to see.
 *
 * @param empty what to say where there is none
 * @param most characters
 */
export const visibleName = (empty: string, most: number) =>
  z.string(empty).check(
    z.trim(),
    z.minLength(1, empty),
    characters(most),
    z.refine(isPlainText, 'Use no line breaks or control characters.'),
    z.refine((name) => name === '' || isVisible(name), 'Use at least one character that can be seen.'),
    z.refine((name) => !movesText(name), 'Use no line breaks and no marks that turn the direction of text.'),
  );

/** Whether there is anything to see; fillers and joiners alone leave an empty spot on the screen. */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** Whether a text could break its line, or turn the direction of the text beside it. */
export function movesText(text: string): boolean {
  return /[\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text);
}
