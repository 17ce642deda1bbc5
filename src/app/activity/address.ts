import { useNavigate, useSearch } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { isTokenLike, tokenInText } from '../../contract/bff/access-token.ts';
import { ActivityQuery, kindOf, outcomes, type EntryKind, type Outcome } from '../../contract/bff/journal.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import { SubscriberId } from '../../contract/service/subscriber.ts';
import { defineAddress, type AddressChange, type AddressOf } from '../components/address.ts';
import { localDay, startOfDay } from '../components/exact-time.tsx';

/** Number of days in each period, of which today is the last. */
const periods = { today: 1, '7-days': 7, '30-days': 30 } as const;
export type Period = keyof typeof periods;
export const periodNames = Object.keys(periods) as Period[];

const { staff, kind, operation, outcome, username, page } = ActivityQuery.shape;

/** Reads a part as a schema does. */
const readBy =
  <S extends z.ZodMiniType>(schema: S) =>
  (text: string): z.output<S> | undefined =>
    z.safeParse(schema, text).data;

/** Days are local, such as `2026-06-01`, and both are included. */
const readDay = (text: string) => (text >= '1970' && startOfDay(text) !== null ? text : undefined);

const shape = {
  /** The author's account, by its ID. */
  person: readBy(staff),
  /** The account that it was done to. */
  about: readBy(staff),
  kind: readBy(kind),
  operation: readBy(operation),
  outcome: readBy(outcome),
  period: (text: string) => periodNames.find((name) => name === text),
  from: readDay,
  to: readDay,
  /** A part of a name, or an ID, such as `#7`. */
  subscriber: String,
  /** True if the totals are open. */
  totals: (text: string) => (text === 'true' ? true : undefined),
  page: readBy(page),
};
export type ActivityAddress = AddressOf<typeof shape>;

const activityAddress = defineAddress(shape, (read) => {
  const kind = kindIn(read);
  return {
    ...read,
    about: canBeAbout(kind) ? read.about : undefined,
    // The kind of an operation need not be said, and another one would match nothing.
    kind: read.operation === undefined ? read.kind : undefined,
    outcome: read.outcome && outcomesOf(kind).includes(read.outcome) ? read.outcome : undefined,
    // A period wins over days.
    ...(read.period && { from: undefined, to: undefined }),
    subscriber: readSubscriberText(read.subscriber ?? '').word || undefined,
  };
});
export const readActivityAddress = activityAddress.read;

/** The address of the page, and the ways to change it. */
export function useActivityAddress() {
  const address = useSearch({ from: '/app/activity', select: readActivityAddress });
  const navigate = useNavigate();
  const go = (search: ActivityAddress, replace = false) =>
    void navigate({ to: '/activity', search, replace, resetScroll: false });
  return {
    address,
    /** Sets another filter, and goes to the first page. `replace` adds no step to the history. */
    filter: (change: AddressChange<ActivityAddress>, replace = false) =>
      go(activityAddress.change(address, change), replace),
    showTotals: (isOpen: boolean) => go(readActivityAddress({ ...address, totals: isOpen || undefined })),
    turnTo: (page: number) => go(readActivityAddress({ ...address, page })),
    clear: () => go(address.totals ? { totals: true } : {}),
  };
}

/**
 * The correct form of an address, or null if it is correct. The order of its parts does not count: for the router
 * another order is the same address, so it would redirect for ever.
 */
export function correctActivityAddress(raw: Readonly<Record<string, unknown>>): ActivityAddress | null {
  const read: Readonly<Record<string, unknown>> = { ...readActivityAddress(raw) };
  const names = new Set([...Object.keys(read), ...Object.keys(raw)]);
  const isSame = [...names].every((name) => String(read[name]) === String(raw[name]));
  return isSame ? null : read;
}

/** The kind that an address asks for, also by an operation. */
export const kindIn = ({ kind, operation }: AddressChange<ActivityAddress>) =>
  operation === undefined ? kind : kindOf(operation);

/** Only entries of staff are about an account. */
const canBeAbout = (kind: EntryKind | undefined) => kind === undefined || kind === 'staff';

/** Outcomes that entries of a kind can have; empty if each was done. */
export function outcomesOf(kind: EntryKind | undefined): readonly Outcome[] {
  if (kind === undefined || kind === 'change') return outcomes;
  return kind === 'sign-in' ? ['done', 'refused'] : [];
}

/**
 * Reads what is typed to find a subscriber.
 *
 * @returns `word`: the text for the address, without anything that is secret; `problem`: why there is none
 */
export function readSubscriberText(text: string): { word: string; problem: string } {
  const word = text.trim();
  if (tokenInText(word) !== null || isTokenLike(word))
    return { word: '', problem: 'This looks like an access token. Find its subscriber on the list first.' };
  const refused = z.safeParse(username, word).error?.issues[0]?.message;
  return refused === undefined
    ? { word, problem: '' }
    : { word: '', problem: `Can’t search for this. ${refused}` };
}

/** `#7` asks for the subscriber with this ID, any other text for a part of a name. */
function subscriberIn(text: string): Pick<ActivityQuery, 'subscriberId' | 'username'> {
  const id = text.startsWith('#') ? z.safeDecode(SubscriberId, { id: text.slice(1) }) : null;
  return id?.success ? { subscriberId: id.data.id } : { username: text };
}

/** True if the last day is before the first. Such days filter nothing until one of them is changed. */
export const isReversed = ({ from, to }: Pick<ActivityAddress, 'from' | 'to'>): boolean =>
  Boolean(from && to && to < from);

/** The query of an address. @param now in ms since the epoch */
export function toActivityQuery(address: ActivityAddress, now: number): ActivityQuery {
  const { person, about, period, subscriber } = address;
  const days = isReversed(address) ? {} : address;
  const begin = period ? startOfDay(localDay(now), 1 - periods[period]) : startOfDay(days.from ?? '');
  const end = startOfDay(days.to ?? '', 1);
  const { kind, operation, page: number } = address;
  return {
    ...(subscriber !== undefined && subscriberIn(subscriber)),
    ...(person !== undefined && { staff: person }),
    ...(about !== undefined && { account: about }),
    ...(address.outcome !== undefined && { outcome: address.outcome }),
    ...(kind !== undefined && { kind }),
    ...(operation !== undefined && { operation }),
    ...(begin && { from: begin.toISOString() }),
    ...(end && { to: end.toISOString() }),
    ...(number !== undefined && { page: number }),
    pageSize: pageSizes.usual,
  };
}

/** The ID of the subscriber that an address asks for; undefined if it asks for none, or by a name. */
export const subscriberIdIn = ({ subscriber = '' }: ActivityAddress): number | undefined =>
  subscriberIn(subscriber).subscriberId;

export const hasActivityFilter = (address: ActivityAddress): boolean =>
  Object.keys(address).some((name) => name !== 'page' && name !== 'totals');
