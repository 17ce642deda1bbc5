import type { StaffOperation } from '../../contract/bff/permission.ts';
import { readIfMatch } from '../../contract/http/change-headers.ts';
import { listNames, Subscriber, SubscriberDetail, type ListName } from '../../contract/service/subscriber.ts';
import type { Mac } from '../journal/chain.ts';
import { readJson } from './answer.ts';
import type { Caller } from './call.ts';
import { GivenUp } from './failures.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** Reads that may share the answer of the same read that is running. */
const shareable: readonly StaffOperation[] = ['listSubscribers', 'getSubscriber', 'listStatuses'];

// The search by token is never shared: after a token is regenerated, no later request may find the old one, but a
// running request may have begun before.

/** A running read, and how many requests wait for it. */
interface Flight {
  answer: Promise<UpstreamAnswer>;
  waiting: number;
  controller: AbortController;
}

/**
 * Makes one call to the service for all requests that read the same at the same time with the same role. Each gets its
 * own copy of the answer. The call ends early only if all its clients have disconnected.
 */
export function shareReads(caller: Caller): Caller {
  const flights = new Map<string, Flight>();
  const start = (key: string, call: (signal: AbortSignal) => Promise<UpstreamAnswer>) => {
    const controller = new AbortController();
    const answer = call(controller.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    const flight: Flight = { answer, waiting: 0, controller };
    flights.set(key, flight);
    return flight;
  };
  const join = async (key: string, flight: Flight, signal: AbortSignal | undefined) => {
    if (!signal) {
      // A caller without a signal waits for the answer, so the call runs to its end.
      flight.waiting = Number.POSITIVE_INFINITY;
      return flight.answer;
    }
    flight.waiting += 1;
    const leave = () => {
      flight.waiting -= 1;
      if (flight.waiting > 0) return;
      if (flights.get(key) === flight) flights.delete(key);
      flight.controller.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await waitFor(flight.answer, signal);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
  return {
    ...caller,
    async call(operation, input, context) {
      if (context.fresh) return caller.call(operation, input, context);
      if (!shareable.includes(operation)) {
        const done = caller.call(operation, input, context);
        // A read that began before the change may not show it, so no later read joins it.
        return done.finally(() => flights.clear());
      }
      const key = JSON.stringify([context.role, operation, input]);
      const known = flights.get(key);
      if (known) return copyOf(await join(key, known, context.signal));
      const flight = start(key, (signal) => caller.call(operation, input, { ...context, signal }));
      return join(key, flight, context.signal);
    },
  };
}

/** @throws {GivenUp} when the signal aborts first */
function waitFor<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new GivenUp();
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(new GivenUp());
  signal.addEventListener('abort', end, { once: true });
  return Promise.race([answer, promise]).finally(() => signal.removeEventListener('abort', end));
}

/** A copy with its own bytes. The headers are shared, because nobody changes them. */
function copyOf({ status, headers, bytes }: UpstreamAnswer): UpstreamAnswer {
  return { status, headers, bytes: bytes.slice() };
}

/**
 * The version of a record if the service has no versions: a MAC of all fields of the contract. A plain digest would let
 * viewers, who get it and all fields but the token, guess short tokens without asking anybody. The order within a list
 * is ignored, because a service may not keep it.
 */
export async function versionOf(record: SubscriberDetail, mac: Mac): Promise<string> {
  const values = fields.map((field) => {
    const value = record[field];
    return Array.isArray(value) ? value.map(String).toSorted() : value;
  });
  return `"${ours}${await mac('version', JSON.stringify(values))}"`;
}

const fields = Object.keys(SubscriberDetail.shape) as (keyof SubscriberDetail)[];
const ours = 'desk-';

/**
 * Gives every subscriber that is read a version. For a service without versions it reads all four lists to compute one,
 * and drops the lists that the caller did not ask for. Our own version is never sent in `If-Match`: the service would
 * not know it, and the journal has compared it already.
 */
export function addVersions(caller: Caller, mac: Mac): Caller {
  let lacking = false;
  return {
    ...caller,
    async call(operation, input, given) {
      const context = readIfMatch(given.ifMatch)?.some((tag) => tag.startsWith(`"${ours}`))
        ? { ...given, ifMatch: null }
        : given;
      const asked = askedIn(operation, input);
      if (asked === null) return caller.call(operation, input, context);
      const whole = { ...input, query: { include: [...listNames] } };
      let isWhole = lacking || asked.length === listNames.length;
      let answer = await caller.call(operation, isWhole ? whole : input, context);
      if (answer.status !== 200) return answer;
      if (answer.headers.get('ETag') === null && !isWhole && isRecord(answer)) {
        answer = await caller.call(operation, whole, context);
        isWhole = true;
      }
      lacking = isWhole && answer.headers.get('ETag') === null;
      return isWhole ? withVersion(answer, asked, mac) : answer;
    },
  };
}

function isRecord(answer: UpstreamAnswer): boolean {
  const json = readJson(answer);
  return json.ok && Subscriber.safeParse(json.value).success;
}

/** The lists that a read of one subscriber asks for; null for any other operation. */
function askedIn(operation: string, input: object): ListName[] | null {
  if (operation !== 'getSubscriber' && operation !== 'getSubscriberByToken') return null;
  // Both operations have this input.
  const { query } = input as { query: { include?: ListName[] } };
  return [...new Set(query.include)];
}

async function withVersion(
  answer: UpstreamAnswer,
  asked: readonly ListName[],
  mac: Mac,
): Promise<UpstreamAnswer> {
  const json = readJson(answer);
  const record = json.ok ? SubscriberDetail.safeParse(json.value).data : undefined;
  // Whoever parses the answer reports what is wrong with it.
  if (answer.status !== 200 || !record) return answer;
  const etag = answer.headers.get('ETag') ?? (await versionOf(record, mac));
  const headers = {
    get: (name: string) => (name.toLowerCase() === 'etag' ? etag : answer.headers.get(name)),
  };
  if (asked.length === listNames.length) return { ...answer, headers };
  const dropped = listNames.filter((name) => !asked.includes(name));
  const rest = Object.fromEntries(
    Object.entries(Object(json.ok && json.value)).filter(([name]) => !dropped.some((one) => one === name)),
  );
  return { ...answer, headers, bytes: new TextEncoder().encode(JSON.stringify(rest)) };
}
