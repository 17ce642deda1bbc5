import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { characters, saying } from './characters.ts';
import { countryCodes } from './countries.ts';
import { isPlainText, plainText } from '../http/endpoint.ts';
import { canonicalAddress, eachOnce, isAddressOrRange, isMailbox, visibleName } from './rules.ts';
import { instant } from './instant.ts';
import { limits } from './subscriber.ts';

const username = visibleName('Enter a username.', limits.username);

const email = z
  .string('Enter an email address.')
  .check(
    z.trim(),
    characters(limits.email),
    saying(z.refine(isMailbox, 'Enter a full email address, such as name@example.com.'), { format: 'email' }),
  );

const connections = `Enter a whole number from 1 to ${limits.connections}.`;

const note = z.string('Enter text, or leave it empty.').check(
  characters(limits.note),
  // A blank for each line break: removing it could join two lone surrogates into a well-formed pair.
  z.refine((text) => isPlainText(text.replace(/[\n\r\t]/g, ' ')), 'Remove control characters.'),
);

const bundle = 'Use whole numbers, 1 or higher.';

const fields = {
  username,
  email,
  expiresAt: instant,
  maxConnections: z
    .int(connections)
    .check(z.minimum(1, connections), z.maximum(limits.connections, connections)),
  isTrial: z.boolean(),
  note,
  hls: z.boolean(),
  mpegTs: z.boolean(),
  bundles: eachOnce(z.int(bundle).check(z.minimum(1, bundle)), limits.bundles),
  ipAddresses: eachOnce(
    z
      .string()
      .check(
        z.trim(),
        z.refine(isAddressOrRange, 'Enter an IPv4 or IPv6 address, or a range such as 192.0.2.0/24.'),
      ),
    limits.ipAddresses,
    canonicalAddress,
  ),
  userAgents: eachOnce(
    z.string().check(z.minLength(1, 'Enter a user agent.'), characters(limits.userAgent), plainText),
    limits.userAgents,
  ),
  countries: eachOnce(
    z.string().check(
      saying(
        z.refine(
          (code: string) => countryCodes.has(code),
          'Use a two-letter country code in capitals, such as NO.',
        ),
        { patterns: new Set([/^[A-Z]{2}$/]) },
      ),
    ),
    limits.countries,
  ),
} as const;

/** All fields that people enter. A form has them all, and our client sends them all in each update. */
export const SubscriberInput = z.strictObject(fields);
export type SubscriberInput = z.infer<typeof SubscriberInput>;

/** The names of the fields that people enter. The service adds the others. */
export const enteredFields = Object.keys(fields) as (keyof SubscriberInput)[];

/** Defaults of a new subscriber. */
export const createDefaults = {
  maxConnections: 1,
  isTrial: false,
  note: '',
  hls: true,
  mpegTs: true,
  bundles: [],
  ipAddresses: [],
  userAgents: [],
  countries: [],
} satisfies Partial<SubscriberInput>;

/** The body of createSubscriber: three fields are required, the others have defaults. */
export const CreateBody = z.strictObject({
  ...fields,
  maxConnections: z._default(fields.maxConnections, createDefaults.maxConnections),
  isTrial: z._default(fields.isTrial, createDefaults.isTrial),
  note: z._default(fields.note, createDefaults.note),
  hls: z._default(fields.hls, createDefaults.hls),
  mpegTs: z._default(fields.mpegTs, createDefaults.mpegTs),
  bundles: z._default(fields.bundles, createDefaults.bundles),
  ipAddresses: z._default(fields.ipAddresses, createDefaults.ipAddresses),
  userAgents: z._default(fields.userAgents, createDefaults.userAgents),
  countries: z._default(fields.countries, createDefaults.countries),
});

/** The body of updateSubscriber. A field that is left out keeps its value. */
export const UpdateBody = z.partial(SubscriberInput);
export type UpdateBody = z.infer<typeof UpdateBody>;
