import type { SubscriberDetail } from '../../../../src/contract/service/subscriber.ts';
import { createDice } from '../../../../src/service/samples/dice.ts';
import { inventUsernames } from '../../../../src/service/samples/people.ts';
import { inventSubscriber } from '../../../../src/service/samples/subscriber.ts';

/** A record of the other service, with what is its own business. */
export type Customer = SubscriberDetail & { internalScore: number; passportNumber: string };

export const states = [
  { Code: 10, Label: 'Active', Colour: 'green' },
  { Code: 20, Label: 'On hold', Colour: 'amber' },
  { Code: 30, Label: 'Closed', Colour: 'red' },
];

/** What a field is where nobody fills it in, on creation and on update alike. */
export const emptyFields = {
  maxConnections: 1,
  isTrial: false,
  note: '',
  hls: false,
  mpegTs: false,
  bundles: [],
  ipAddresses: [],
  userAgents: [],
  countries: [],
};

const own = { internalScore: 7, passportNumber: 'canary-passport' };

/** Made-up customers, the same for the same number of them. */
export function inventCustomers(count: number, now: number): Map<number, Customer> {
  const dice = createDice(2);
  const all = inventUsernames(dice, count).map((username, index): [number, Customer] => [
    index + 1,
    {
      id: index + 1,
      accessToken: newToken(dice.bytes(32)),
      ...inventSubscriber(dice, username, now),
      status: dice.one(states).Code,
      ...own,
    },
  ]);
  return new Map(all);
}

export function newCustomer(id: number, input: object, token: string): Customer {
  const asked = { username: '', email: '', expiresAt: '', ...emptyFields, ...input };
  return { id, accessToken: token, ...asked, status: 10, ...own };
}

export const newToken = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** The record as it is shown: lists only where they are asked for. */
export function show(customer: Customer, include: string | undefined): object {
  const { bundles, ipAddresses, userAgents, countries, ...rest } = customer;
  const lists = { bundles, ipAddresses, userAgents, countries };
  const asked = Object.entries(lists).filter(([name]) => include?.split(',').includes(name));
  return { ...rest, ...Object.fromEntries(asked) };
}

/** Those that match a query of the seed's parameters, in its sort order. */
export function search(
  customers: Iterable<Customer>,
  query: Record<string, string>,
  now: number,
): Customer[] {
  const { Username = '', Email = '', AccessToken, StatusId, Expired, SortBy = '' } = query;
  const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
  const found = [...customers].filter(
    (one) =>
      contains(one.username, Username) &&
      contains(one.email, Email) &&
      (AccessToken === undefined || one.accessToken === AccessToken) &&
      (StatusId === undefined || one.status === Number(StatusId)) &&
      (Expired !== 'true' || Date.parse(one.expiresAt) <= now),
  );
  const [field = '', down] = SortBy.split('_');
  const keyOf = (one: Customer) =>
    field === 'username'
      ? one.username.toUpperCase().toLowerCase()
      : field === 'expiresAt'
        ? one.expiresAt
        : '';
  const sorted = found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.id - b.id));
  return down ? sorted.toReversed() : sorted;
}
