import type { Page } from 'playwright-core';
import type { Change, ChangeEntry } from '../../../src/contract/bff/journal.ts';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { person } from '../people.ts';
import { senderOf } from './roles.ts';

/** Reads and creates by direct requests, which the faults between page and server do not touch. */
export function lookBehind(page: Page, url: string) {
  const send = senderOf(page, url);
  // The tests of the BFF hold its answers against the contract.
  const read = async (path: string) => ((await send('GET', path)) as { items: unknown[] }).items;
  return {
    create: async (username: string): Promise<SubscriberDetail> =>
      (await send(
        'POST',
        '/api/subscribers',
        person(username, { expiresAt: '2027-01-31T12:00:00.000Z' }),
      )) as SubscriberDetail,
    /** The subscribers of exactly this name. */
    named: async (username: string) =>
      (await read(`/api/subscribers?Username=${username}`)) as SubscriberDetail[],
    /** The journal's word on an operation on the subscriber of a name. */
    journal: async (operation: Change, username: string) =>
      ((await read(`/bff/activity?operation=${operation}`)) as ChangeEntry[]).filter(
        (entry) => entry.username === username,
      ),
  };
}
