import { maskedToken } from '../../src/contract/bff/access-token.ts';
import { createDefaults, type SubscriberInput } from '../../src/contract/service/subscriber-input.ts';

/** A subscriber with a year to go, but for what a test says about it. */
export function person(username: string, change: Partial<SubscriberInput> = {}): SubscriberInput {
  const email = `${username}@example.com`;
  return { ...createDefaults, username, email, expiresAt: '2027-06-01T12:00:00.000Z', ...change };
}

/** Somebody with something in every field. */
export const anna = person('anna', {
  expiresAt: '2026-12-31T22:00:00.000Z',
  maxConnections: 3,
  isTrial: true,
  note: 'Calls on Mondays.',
  bundles: [30, 7],
  ipAddresses: ['192.0.2.0/24'],
  userAgents: ['VLC/3.0'],
  countries: ['NO', 'SE'],
});

/** So many people, with names in the order of their numbers. */
export const crowd = (count: number, change: Partial<SubscriberInput> = {}) =>
  Array.from({ length: count }, (_, index) => person(`p${String(index + 1).padStart(3, '0')}`, change));

/** The subscriber that tests of changes enter. */
export const entered = person('ann', { bundles: [1, 2], countries: ['NO'] });

/** A record as the BFF answers it: with its token masked. */
export const asAnswered = <T extends { accessToken: string }>(record: T): T => ({
  ...record,
  accessToken: maskedToken(record.accessToken),
});
