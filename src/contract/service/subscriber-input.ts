import * as z from 'zod/mini';
import '../http/zod-config.ts';
import { countryCodes } from './countries.ts';
import { tooMany } from '../http/plain-text.ts';
import { characters, plainText, withJsonRule, plainLines, visibleName } from '../http/text.ts';
import { Instant } from './instant.ts';
import { limits } from './limits.ts';

/**
 * A list without repeated values. The error of a repeated value has its index.
 *
 * @param sameAs makes a value that is the same for all spellings of an element
 */
function eachOnce<T extends z.ZodMiniType<string | number>>(
  element: T,
  most: number,
  sameAs: (value: z.output<T>) => unknown = (value) => value,
) {
  return z.array(element).check(
    z.maxLength(most, { error: ({ input }) => tooMany([input].flat().length, most, 'entries') }),
    withJsonRule(
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

/** True for an address like `name@example.com`: a local part and a domain with a dot, no quotes or comments. */
function isMailbox(text: string): boolean {
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

const username = visibleName('Enter a username.', limits.username);

const email = z.string('Enter an email address.').check(
  z.trim(),
  characters(limits.email),
  withJsonRule(z.refine(isMailbox, 'Enter a full address, such as name@example.com.'), {
    format: 'email',
  }),
);

const note = z.string('Enter text, or leave it empty.').check(characters(limits.note), plainLines);

const connections = `Enter a whole number from 1 to ${limits.connections}.`;

const bundle = 'Use whole numbers, 1 or higher.';

/** The fields of a new subscriber that have no default. */
const required = { username, email, expiresAt: Instant };

/** The other fields, each with its default in a new subscriber. */
const optional = {
  maxConnections: z._default(
    z.int(connections).check(z.minimum(1, connections), z.maximum(limits.connections, connections)),
    1,
  ),
  isTrial: z._default(z.boolean(), false),
  note: z._default(note, ''),
  hls: z._default(z.boolean(), true),
  mpegTs: z._default(z.boolean(), true),
  bundles: z._default(eachOnce(z.int(bundle).check(z.minimum(1, bundle)), limits.bundles), []),
  ipAddresses: z._default(
    eachOnce(
      z
        .string()
        .check(
          z.trim(),
          z.refine(isAddressOrRange, 'Enter an IPv4 or IPv6 address, or a range such as 192.0.2.0/24.'),
        ),
      limits.ipAddresses,
      canonicalAddress,
    ),
    [],
  ),
  userAgents: z._default(
    eachOnce(
      z.string().check(z.minLength(1, 'Enter a user agent.'), characters(limits.userAgent), plainText),
      limits.userAgents,
    ),
    [],
  ),
  countries: z._default(
    eachOnce(
      z.string().check(
        withJsonRule(
          z.refine(
            (code: string) => countryCodes.has(code),
            'Use a two-letter country code in capitals, such as NO.',
          ),
          { patterns: new Set([/^[A-Z]{2}$/]) },
        ),
      ),
      limits.countries,
    ),
    [],
  ),
};

type Optional = typeof optional;
const optionalFields = Object.entries(optional);
// TypeScript cannot follow a name from a rule to its parts.
const rules = Object.fromEntries(optionalFields.map(([name, { def }]) => [name, def.innerType])) as {
  [N in keyof Optional]: Optional[N]['def']['innerType'];
};

/** All fields that people enter. A form has them all, and the BFF sends them all in an update that is bound to a version. */
export const SubscriberInput = z.strictObject({ ...required, ...rules });
export type SubscriberInput = z.infer<typeof SubscriberInput>;

/** The names of the fields that people enter. The service adds the others. */
export const enteredFields = Object.keys(SubscriberInput.shape) as (keyof SubscriberInput)[];

/** Defaults of a new subscriber. */
export const createDefaults = Object.fromEntries(
  optionalFields.map(([name, { def }]) => [name, def.defaultValue]),
) as Pick<SubscriberInput, keyof Optional>;

/** The fields that may be empty, texts and lists, each with its empty value. */
export const emptyValues = Object.fromEntries(
  Object.entries<unknown>(createDefaults).filter(([, value]) => value === '' || Array.isArray(value)),
);

/** The body of createSubscriber: three fields are required, the others have defaults. */
export const CreateBody = z.strictObject({ ...required, ...optional });

/** The body of updateSubscriber. A field that is left out keeps its value. */
export const UpdateBody = z.partial(SubscriberInput);
export type UpdateBody = z.infer<typeof UpdateBody>;

/** The labels of the fields that people enter, in the order of the form; also the headings of files. */
export const fieldLabels: Readonly<Record<keyof SubscriberInput, string>> = {
  username: 'Username',
  email: 'Email',
  expiresAt: 'Expires',
  maxConnections: 'Connection limit',
  isTrial: 'Trial',
  note: 'Note',
  hls: 'HLS',
  mpegTs: 'MPEG-TS',
  bundles: 'Bundles',
  ipAddresses: 'IP addresses',
  userAgents: 'User agents',
  countries: 'Countries',
};
