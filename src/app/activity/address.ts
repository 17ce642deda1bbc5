import { useNavigate, useSearch } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { isTokenLike, tokenInText } from '../../contract/bff/access-token.ts';
import { ActivityQuery, kindOf, outcomes, type EntryKind, type Outcome } from '../../contract/bff/journal.ts';
import { pageSizes } from '../../contract/service/list-query.ts';
import { SubscriberId } from '../../contract/service/subscriber.ts';

/** How many days each period has, of which today is the last. */
const periods = { today: 1, '7-days': 7, '30-days': 30 } as const;
export type Period = keyof typeof periods;
export const periodNames = Object.keys(periods) as Period[];

/** The state of the page in its address. Days are local, such as `2026-06-01`, and both are included. */
export interface ActivityAddress {
  /** Who did it, by the ID of the account. */
  person?: string;
  /** The account that it was done to. */
  about?: string;
  kind?: Exclude<ActivityQuery['kind'], undefined>;
  operation?: Exclude<ActivityQuery['operation'], undefined>;
  period?: Period;
  from?: string;
  to?: string;
  outcome?: Outcome;
  /** A part of a name, or an ID, such as `#7`. */
  subscriber?: string;
  /** Whether the totals are open. */
  totals?: true;
  page?: number;
}

const { staff, kind, operation, outcome, username, page } = ActivityQuery.shape;

/** Reads an address leniently: leaves out what makes no sense, so that a bad link still opens. */
export function readActivityAddress(raw: Readonly<Record<string, unknown>>): ActivityAddress {
  const text = (name: string) => wordIn(raw[name]);
  const known = <T>(shape: z.core.$ZodType<T>, name: string): T | undefined => {
    const read = z.safeParse(shape, text(name));
    return read.success ? read.data : undefined;
  };
  const what = readOperation(known(kind, 'kind'), known(operation, 'operation'));
  const wanted = kindIn({ kind: undefined, operation: undefined, ...what });
  const result = known(outcome, 'outcome');
  const subscriber = readSubscriberText(text('subscriber') ?? '').wanted;
  const address: { [N in keyof ActivityAddress]: ActivityAddress[N] | undefined } = {
    person: known(staff, 'person'),
    about: canBeAbout(wanted) ? known(staff, 'about') : undefined,
    ...what,
    outcome: result && outcomesOf(wanted).includes(result) ? result : undefined,
    ...readDays(text('period'), text('from'), text('to')),
    subscriber: subscriber || undefined,
    totals: String(raw['totals']) === 'true' || undefined,
    page: known(page, 'page'),
  };
  if (address.page === 1) address.page = undefined;
  const given = Object.entries(address).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

type Change = { [N in keyof ActivityAddress]: ActivityAddress[N] | undefined };

/** The address of the page, and the ways to change it. */
export function useActivityAddress() {
  const address = useSearch({ from: '/app/activity', select: readActivityAddress });
  const navigate = useNavigate();
  const go = (search: ActivityAddress, replace = false) =>
    void navigate({ to: '/activity', search, replace, resetScroll: false });
  return {
    address,
    /** Sets another filter, and goes to the first page. `replace` adds no step to the history. */
    filter: (change: Change, replace = false) =>
      go(readActivityAddress({ ...address, page: undefined, ...change }), replace),
    /** Opens and closes the totals. */
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

function wordIn(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

/** The kind of an operation need not be said, and another one would match nothing. */
function readOperation(kind: ActivityQuery['kind'], operation: ActivityQuery['operation']) {
  return operation === undefined ? { kind } : { operation };
}

/** The kind that an address asks for, also by an operation. */
export const kindIn = ({ kind, operation }: Change) => (operation === undefined ? kind : kindOf(operation));

/** Only entries of staff are about an account. */
export const canBeAbout = (kind: EntryKind | undefined) => kind === undefined || kind === 'staff';

/** How entries of a kind can end; empty if each was done. */
export function outcomesOf(kind: EntryKind | undefined): readonly Outcome[] {
  if (kind === undefined || kind === 'change') return outcomes;
  return kind === 'sign-in' ? ['done', 'refused'] : [];
}

/**
 * Reads what is typed to find a subscriber.
 *
 * @returns `wanted`: the text for the address, without anything that is secret; `problem`: why there is none
 */
export function readSubscriberText(text: string): { wanted: string; problem: string } {
  const word = text.trim();
  if (tokenInText(word) !== null || isTokenLike(word))
    return { wanted: '', problem: 'This looks like an access token. Find its subscriber on the list first.' };
  const refused = z.safeParse(username, word).error?.issues[0]?.message;
  return refused === undefined
    ? { wanted: word, problem: '' }
    : { wanted: '', problem: `Can’t search for this. ${refused}` };
}

/** `#7` asks for the subscriber with this ID, any other text for a part of a name. */
function subscriberIn(text: string): Pick<ActivityQuery, 'subscriberId' | 'username'> {
  const id = text.startsWith('#') ? z.safeDecode(SubscriberId, { id: text.slice(1) }) : null;
  return id?.success ? { subscriberId: id.data.id } : { username: text };
}

/** A period wins over days. */
function readDays(period = '', from = '', to = '') {
  const known = periodNames.find((name) => name === period);
  if (known) return { period: known };
  const [first, last] = [from, to].map((day) => (startOf(day) === null ? undefined : day));
  return { from: first, to: last };
}

/** Whether the last day is before the first. Such days filter nothing until one of them is changed. */
export const isReversed = ({ from, to }: Pick<ActivityAddress, 'from' | 'to'>): boolean =>
  Boolean(from && to && to < from);

/** The query of an address. @param now in ms since the epoch */
export function toActivityQuery(address: ActivityAddress, now: number): ActivityQuery {
  const { person, about, period, subscriber } = address;
  const days = isReversed(address) ? {} : address;
  const begin = period ? midnight(now, 1 - periods[period]) : startOf(days.from ?? '');
  const end = days.to === undefined ? null : startOf(days.to, 1);
  const { kind: wantedKind, operation: wanted, page: number } = address;
  return {
    ...(subscriber !== undefined && subscriberIn(subscriber)),
    ...(person !== undefined && { staff: person }),
    ...(about !== undefined && { account: about }),
    ...(address.outcome !== undefined && { outcome: address.outcome }),
    ...(wantedKind !== undefined && { kind: wantedKind }),
    ...(wanted !== undefined && { operation: wanted }),
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

/** The start of a local day, or of the day `later` days after it; null if there is no such day. */
function startOf(day: string, later = 0): Date | null {
  const [year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.slice(1).map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined || year < 1970) return null;
  const start = new Date(year, month - 1, date);
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return null;
  return new Date(year, month - 1, date + later);
}

function midnight(now: number, later: number): Date {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later);
}
