import type * as z from 'zod/mini';
import type { OperationName } from './api.ts';
import { pageSizes, sortOrders } from './list-rules.ts';
import type { ListQuery } from './list-query.ts';
import { listNames } from './limits.ts';
import type { SubscriberDetail } from './subscriber.ts';
import { createDefaults, type CreateBody } from './subscriber-input.ts';

const times = 'A date-time with a zone; or relative: now, 7d (in seven days), -30d (30 days ago).';

/** By the parameter's name; a parameter without an entry does not compile. */
export const parameterWords: Readonly<
  Record<
    keyof ListQuery | 'Limits' | 'id' | 'accessToken' | 'include' | 'If-Match' | 'Idempotency-Key',
    string
  >
> = {
  Username: 'Only subscribers whose username contains each word of this text. Case and accents are ignored.',
  Email:
    'Only subscribers whose email address contains each word of this text. Case and accents are ignored.',
  AccessToken: 'Only the subscriber with exactly this access token.',
  StatusId: 'Only subscribers with this status. See listStatuses.',
  StatusIds:
    'Instead of StatusId: only subscribers with one of these statuses, with commas. See listStatuses.',
  Expired: 'true: only subscribers that have expired. false: no restriction.',
  IsTrial: 'true: only trials. false: no trials.',
  Bundle: 'Only subscribers with this bundle.',
  Country: 'Only subscribers whose countries have this two-letter code.',
  IpAddress:
    'An address: only subscribers whose addresses and ranges contain it. A range: also those that have an address or a range within it. Subscribers without addresses, who may use any, are not among them.',
  UserAgent: 'Only subscribers with a user agent that contains this text. The case of A to Z is ignored.',
  ExpiresFrom: `Only subscribers that expire at this time or later. ${times}`,
  ExpiresTo: `Only subscribers that expire before this time. ${times}`,
  AfterId:
    'Instead of Page and SortBy: the next subscribers by ID, after this one. Then totalCount counts only those in the answer, and an answer with fewer than PageSize is the last. Start with 0.',
  Near: 'Alone, with PageSize at most: the subscribers whose username or email address is most like this text, the most alike first. Letters may be wrong or missing, and separators do not count. totalCount counts only those in the answer.',
  Note: 'Only subscribers whose note contains this text, of at least three characters. Case and the accents of Latin letters are ignored.',
  TokenEnd: 'Only subscribers whose access token ends with these four characters. Case is ignored.',
  SortBy: `One of: ${sortOrders.join(', ')}. Without it, and for equal values, sorted by id.`,
  Limits:
    'Date-times, with commas, each later than the one before. Subscribers are counted between them: from a limit, which is included, up to the next.',
  Page: 'The first page is 1. A page after the last one has no items; it is not an error.',
  PageSize: 'Subscribers per page.',
  id: 'The ID of a subscriber.',
  accessToken: 'The access token of a subscriber. Case matters.',
  include: `Lists to add to the answer: ${listNames.join(', ')}. Separate several with commas, or repeat the parameter.`,
  'Idempotency-Key':
    'Makes it safe to send a change again. Requests with the same key and the same change make the change once, and get ' +
    'the same answer for 24 hours. The same key with another change is refused with 422. After a refusal you can use ' +
    'the key again.',
  'If-Match':
    'ETags of the versions that may be changed. If the current version is not among them, nothing is changed and the answer is 412.',
};

/** Additions to the schema of a field, by the field's name in bodies and answers. */
export const fieldWords: Readonly<Partial<Record<keyof SubscriberDetail, string>>> = {
  accessToken: '32 random bytes in base64url. Anyone who has the token can watch.',
  username: 'Unique, ignoring case. Leading and trailing spaces are removed. No control characters.',
  email: 'An address such as name@example.com. Leading and trailing spaces are removed.',
  expiresAt:
    'A date and time with a time zone; answered in UTC. The subscriber has expired from this time on.',
  note: 'Line breaks are kept.',
  ipAddresses: 'IPv4 or IPv6 addresses or CIDR ranges. No duplicates, however they are written.',
  userAgents: 'No line breaks or control characters.',
  countries: 'Two-letter country codes (ISO 3166-1 alpha-2) in capitals.',
  status: 'See listStatuses.',
};

const entered = {
  ...createDefaults,
  username: 'Ørjan.Åsen',
  email: 'orjan@example.com',
  expiresAt: '2026-12-31T22:00:00.000Z',
  maxConnections: 2,
  bundles: [3, 17],
  ipAddresses: ['203.0.113.7', '2001:db8::/32'],
  userAgents: ['ExamplePlayer/3.0'],
  countries: ['NO', 'SE'],
} satisfies z.input<typeof CreateBody>;
const { bundles, ipAddresses, userAgents, countries, ...summary } = entered;
const lists = { bundles, ipAddresses, userAgents, countries };
const accessToken = 'ThisIsMadeUpAndOpensNothingAnywhere_0123456';
const subscriber = { id: 12, accessToken, ...summary, status: 1 };
const whole = { ...subscriber, ...lists };
const statuses = [
  { id: 1, name: 'Active' },
  { id: 2, name: 'Suspended' },
];

/** A made-up body and answer for each operation. */
export const examples: Readonly<Record<OperationName, { body?: unknown; answer: unknown }>> = {
  issueToken: {
    body: { grant_type: 'client_credentials', scope: 'subscribers:read' },
    answer: { access_token: 'eyJ…', token_type: 'Bearer', expires_in: 3600, scope: 'subscribers:read' },
  },
  listSubscribers: {
    answer: { items: [subscriber], page: 1, pageSize: pageSizes.usual, totalCount: 1, totalPages: 1 },
  },
  createSubscriber: { body: entered, answer: whole },
  getSubscriber: { answer: { ...subscriber, bundles } },
  updateSubscriber: { body: { note: 'Asked for a longer trial.' }, answer: whole },
  deleteSubscriber: { answer: whole },
  getStatistics: {
    answer: {
      statuses,
      groups: [{ status: 1, isTrial: false, from: '2026-12-31T22:00:00.000Z', count: 12 }],
      values: {
        bundles: { most: [{ value: 3, count: 7 }], others: { values: 0, count: 0 } },
        countries: { most: [{ value: 'NO', count: 9 }], others: { values: 0, count: 0 } },
      },
    },
  },
  getSubscriberByToken: { answer: subscriber },
  regenerateToken: { answer: subscriber },
  listStatuses: { answer: statuses },
};
