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
/** A change as staff make it, up to the button that sends it, and what is true once it is done. */
export interface Step {
  operation: Change;
  /** The request that does it. */
  request: { method: string; path: RegExp };
  /** The result of a success, in the words of the page. */
  done: string;
  /** Fills in everything, up to the button. */
  prepare: (page: Page, url: string, subscriber: { id: number; username: string }) => Promise<void>;
  send: (page: Page) => Promise<void>;
  /** Everything that a person typed, as the page holds it. */
  typed: (page: Page) => Promise<string[]>;
  wrote: (username: string) => string[];
  /** Why it is done, as the journal has it. */
  reason: string | null;
  /** True if it was done exactly once. */
  isTrue: (before: SubscriberDetail | undefined, after: readonly SubscriberDetail[]) => boolean;
  /** The page's words at the end. */
  told: (page: Page, username: string) => Promise<void>;
}

const note = 'First line, then\na second one: æøå ✓';
const why = 'Asked for by phone — twice.';
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const outcome = (page: Page, text: string | RegExp) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text).waitFor();

async function openPane(page: Page, url: string, { id }: { id: number }): Promise<void> {
  await page.goto(`${url}/subscribers/${id}`);
  // The whole record is there when its lists are.
  await button(page, 'Regenerate token…').and(page.locator(':not([aria-disabled])')).waitFor();
}
const typedReason = async (page: Page) => [await field(page, 'Reason (optional)').inputValue()];

/** Every change of a subscriber that the dashboard offers. */
export const steps: Readonly<Record<string, Step>> = {
  create: {
    operation: 'createSubscriber',
    request: { method: 'POST', path: /\/api\/subscribers$/ },
    done: 'the subscriber was created',
    async prepare(page, url, { username }) {
      await page.goto(`${url}/subscribers/new`);
      await field(page, 'Username').fill(username);
      await field(page, 'Email').fill(`${username}@example.com`);
      await button(page, '+1 month').click();
      await field(page, 'Note').fill(note);
    },
    send: (page) => button(page, 'Create subscriber').click(),
    typed: (page) =>
      Promise.all(['Username', 'Email', 'Note'].map((label) => field(page, label).inputValue())),
    wrote: (username) => [username, `${username}@example.com`, note],
    reason: null,
    isTrue: (_before, after) => after.length === 1 && after[0]?.note === note,
    told: (page, username) => outcome(page, `${username} was created.`),
  },
  edit: {
    operation: 'updateSubscriber',
    request: { method: 'PUT', path: /\/api\/subscribers\/\d+$/ },
    done: 'the changes were saved',
    async prepare(page, url, { id }) {
      await page.goto(`${url}/subscribers/${id}/edit`);
      await field(page, 'Note').fill(note);
      await field(page, 'Reason (optional)').fill(why);
    },
    send: (page) => button(page, 'Save changes').click(),
    typed: async (page) => [await field(page, 'Note').inputValue(), ...(await typedReason(page))],
    wrote: () => [note, why],
    reason: why,
    isTrue: (_before, after) => after.length === 1 && after[0]?.note === note,
    told: (page, username) => outcome(page, `Changes to ${username} were saved.`),
  },
  extend: {
    operation: 'updateSubscriber',
    request: { method: 'PUT', path: /\/api\/subscribers\/\d+$/ },
    done: 'the expiry was changed',
    prepare: openPane,
    send: (page) => page.getByRole('button', { name: /^\+1 year/ }).click(),
    typed: async () => [],
    wrote: () => [],
    reason: null,
    isTrue: (_before, after) => after[0]?.expiresAt === '2028-01-31T12:00:00.000Z',
    told: (page, username) => outcome(page, new RegExp(`^${username} now expires on 31 Jan 2028`)),
  },
  regenerate: {
    operation: 'regenerateToken',
    request: { method: 'POST', path: /\/regenerate-token$/ },
    done: 'the token was replaced',
    async prepare(page, url, subscriber) {
      await openPane(page, url, subscriber);
      await button(page, 'Regenerate token…').click();
      await field(page, 'Reason (optional)').fill(why);
    },
    send: (page) => button(page, 'Regenerate token').click(),
    typed: typedReason,
    wrote: () => [why],
    reason: why,
    isTrue: (before, after) => after.length === 1 && after[0]?.accessToken !== before?.accessToken,
    told: (page) => button(page, 'Copy token').last().waitFor(),
  },
  delete: {
    operation: 'deleteSubscriber',
    request: { method: 'DELETE', path: /\/api\/subscribers\/\d+$/ },
    done: 'the subscriber was deleted',
    async prepare(page, url, subscriber) {
      await openPane(page, url, subscriber);
      await button(page, 'Delete…').click();
      await field(page, 'Reason (optional)').fill(why);
    },
    send: (page) => button(page, 'Delete subscriber').click(),
    typed: typedReason,
    wrote: () => [why],
    reason: why,
    isTrue: (_before, after) => after.length === 0,
    told: (page, username) => outcome(page, `${username} was deleted.`),
  },
};
