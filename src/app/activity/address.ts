import { useNavigate, useSearch } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ActivityQuery } from '../../contract/bff/journal.ts';
import { pageSizes } from '../../contract/service/list-query.ts';

/** How many days each period has, of which today is the last. */
const periods = { today: 1, '7-days': 7, '30-days': 30 } as const;
export type Period = keyof typeof periods;
export const periodNames = Object.keys(periods) as Period[];

/** The state of the page in its address. Days are local, such as `2026-06-01`, and both are included. */
export interface ActivityAddress {
  person?: string;
  kind?: Exclude<ActivityQuery['kind'], undefined>;
  operation?: Exclude<ActivityQuery['operation'], undefined>;
  period?: Period;
  from?: string;
  to?: string;
  subscriber?: number;
  page?: number;
}

const { staff, kind, operation, subscriberId, page } = ActivityQuery.shape;

/** Reads an address leniently: leaves out what makes no sense, so that a bad link still opens. */
export function readActivityAddress(raw: Readonly<Record<string, unknown>>): ActivityAddress {
  const text = (name: string) => wordIn(raw[name]);
  const known = <T>(shape: z.core.$ZodType<T>, name: string): T | undefined => {
    const read = z.safeParse(shape, text(name));
    return read.success ? read.data : undefined;
  };
  const address: { [N in keyof ActivityAddress]: ActivityAddress[N] | undefined } = {
    person: known(staff, 'person'),
    ...readOperation(known(kind, 'kind'), known(operation, 'operation')),
    ...readDays(text('period'), text('from'), text('to')),
    subscriber: known(subscriberId, 'subscriber'),
    page: known(page, 'page'),
  };
  if (address.page === 1) address.page = undefined;
  const given = Object.entries(address).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** The address of the page, and the ways to change it. */
export function useActivityAddress() {
  const address = useSearch({ from: '/app/activity', select: readActivityAddress });
  const navigate = useNavigate();
  const go = (search: ActivityAddress) => void navigate({ to: '/activity', search, resetScroll: false });
  return {
    address,
    /** Sets another filter, and goes to the first page. */
    filter: (change: { [N in keyof ActivityAddress]: ActivityAddress[N] | undefined }) =>
      go(readActivityAddress({ ...address, page: undefined, ...change })),
    turnTo: (page: number) => go(readActivityAddress({ ...address, page })),
    clear: () => go({}),
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

/** A period wins over days; days in the wrong order are swapped. */
function readDays(period = '', from = '', to = '') {
  const known = periodNames.find((name) => name === period);
  if (known) return { period: known };
  const [first, last] = [from, to].map((day) => (startOf(day) === null ? undefined : day));
  return first && last && first > last ? { from: last, to: first } : { from: first, to: last };
}

/** The query of an address. @param now in ms since the epoch */
export function toActivityQuery(address: ActivityAddress, now: number): ActivityQuery {
  const { person, period, from, to, subscriber } = address;
  const begin = period ? midnight(now, 1 - periods[period]) : startOf(from ?? '');
  const end = to === undefined ? null : startOf(to, 1);
  const { kind: wantedKind, operation: wanted, page: number } = address;
  return {
    ...(subscriber !== undefined && { subscriberId: subscriber }),
    ...(person !== undefined && { staff: person }),
    ...(wantedKind !== undefined && { kind: wantedKind }),
    ...(wanted !== undefined && { operation: wanted }),
    ...(begin && { from: begin.toISOString() }),
    ...(end && { to: end.toISOString() }),
    ...(number !== undefined && { page: number }),
    pageSize: pageSizes.usual,
  };
}

export const hasActivityFilter = (address: ActivityAddress): boolean =>
  Object.keys(address).some((name) => name !== 'page');

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
