import type * as z from 'zod/mini';
import type { OperationName } from './api.ts';
import { pageSizes, sortOrders, type ListQuery } from './list-query.ts';
import { listNames, type SubscriberDetail } from './subscriber.ts';
import type { CreateBody } from './subscriber-input.ts';

/** What the description of the service says of a parameter beside its schema. */
type Words = Readonly<{ description: string; default?: number }>;

/** By name; a parameter without an entry does not compile. */
export const parameterWords: Readonly<
  Record<keyof ListQuery | 'id' | 'accessToken' | 'include' | 'If-Match' | 'Idempotency-Key', Words>
> = {
  Username: { description: 'Those whose username contains this, without regard to case.' },
  Email: { description: 'Those whose email address contains this, without regard to case.' },
  AccessToken: { description: 'The one with just this access token.' },
  StatusId: { description: 'Those of this status; see listStatuses.' },
  Expired: { description: 'true: those whose expiry is not in the future. false restricts nothing.' },
  IsTrial: { description: 'Those that are trials, or those that are none.' },
  SortBy: { description: `One of ${sortOrders.join(', ')}; by id without it. Ties are broken by id.` },
  Page: {
    description: 'Counted from 1. Past the last page items are empty, which is no error.',
    default: 1,
  },
  PageSize: { description: 'How many subscribers a page holds.', default: pageSizes.usual },
  id: { description: 'The id of a subscriber.' },
  accessToken: { description: 'The access token of a subscriber, to the letter.' },
  include: { description: `Lists to answer as well: ${listNames.join(', ')}. May be repeated.` },
  'Idempotency-Key': {
    description:
      'Makes it safe to send a change again: with the same key it is done once, and answered the same for a day. ' +
      'With another change the key is refused with 422. A change that was refused may be sent again with its key.',
  },
  'If-Match': {
    description: 'ETags of the versions that may be changed. If none of them is current: 412, and no change.',
  },
};

/** What a field's schema cannot say, by its name in a body and in an answer alike. */
export const fieldWords: Readonly<Partial<Record<keyof SubscriberDetail, string>>> = {
  accessToken: '32 random bytes as base64url. Anyone who has it can watch.',
  username: 'Unique without regard to case. Trimmed; no control characters.',
  email: 'A mailbox address with a domain. Trimmed.',
  expiresAt: 'With a zone; kept and answered in UTC. Expired from that very moment.',
  note: 'Line breaks are kept.',
  ipAddresses: 'IPv4 or IPv6 addresses or CIDR ranges, each once however it is written.',
  userAgents: 'Without line breaks or control characters.',
  countries: 'ISO 3166-1 alpha-2 codes.',
  status: 'See listStatuses.',
};

const entered = {
  username: 'Ørjan.Åsen',
  email: 'orjan@example.com',
  expiresAt: '2026-12-31T22:00:00.000Z',
  maxConnections: 2,
  isTrial: false,
  note: '',
  hls: true,
  mpegTs: true,
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

/** A made-up body and answer of each operation. */
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
  getSubscriberByToken: { answer: subscriber },
  regenerateToken: { answer: subscriber },
  listStatuses: {
    answer: [
      { id: 1, name: 'Active' },
      { id: 2, name: 'Suspended' },
    ],
  },
};
