import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { wireInteger, wireNames, wireText } from '../http/shapes.ts';
import { limits, listNames } from './limits.ts';

/** The fields of an answer. Looser than the input, so that a record of a service with other rules is still shown. */
const record = {
  id: z.int(),
  accessToken: z.string(),
  username: z.string(),
  email: z.string(),
  /** In UTC; empty where a service elsewhere has none that can be read. */
  expiresAt: z.string(),
  maxConnections: z.int(),
  isTrial: z.boolean(),
  note: z.string(),
  status: z.int(),
  hls: z.boolean(),
  mpegTs: z.boolean(),
};
const lists = {
  bundles: z.array(z.int()),
  ipAddresses: z.array(z.string()),
  userAgents: z.array(z.string()),
  countries: z.array(z.string()),
};

export const Subscriber = z.object(record);
export type Subscriber = z.infer<typeof Subscriber>;

export const SubscriberDetail = z.object({ ...record, ...lists });
export type SubscriberDetail = z.infer<typeof SubscriberDetail>;

/** A subscriber with the lists that `include` named. */
export const SubscriberWithLists = z.object({ ...record, ...z.partial(z.object(lists)).shape });
export type SubscriberWithLists = z.infer<typeof SubscriberWithLists>;

export const Status = z.object({ id: z.int(), name: z.string() });
export type Status = z.infer<typeof Status>;

export const SubscriberId = z.object({ id: wireInteger(1, Number.MAX_SAFE_INTEGER) });
export const AccessToken = z.object({
  accessToken: wireText(limits.accessToken).check(
    // In a URL these two are steps in a path, even percent-encoded, so no request can send them.
    z.refine((text) => text !== '.' && text !== '..', 'This is not an access token.'),
  ),
});
export const Include = z.object({ include: z.optional(wireNames(listNames)) });
