import type { UpstreamOperation } from '../../contract/bff/permission.ts';
import { readIfMatch } from '../../contract/http/change-headers.ts';
import type { Reply } from '../../contract/http/client.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { OperationInput } from '../../contract/service/api.ts';
import { listNames, type ListName } from '../../contract/service/limits.ts';
import { SubscriberDetail, type SubscriberWithLists } from '../../contract/service/subscriber.ts';
import type { Mac } from '../journal/chain.ts';
import type { CallContext, Caller, ReplyTo } from './call.ts';
import { rethrow, within } from './exchange.ts';

/** Reads that may share the answer of the same read that is running. */
const shareable: readonly UpstreamOperation[] = ['listSubscribers', 'getSubscriber', 'listStatuses'];

// The search by token is never shared: after a token is regenerated, no later request may find the old one, but a
// running request may have begun before.

/** A running read, and how many requests wait for it. */
interface Flight {
  reply: Promise<unknown>;
  waiting: number;
  controller: AbortController;
}

const over = Promise.resolve();

/**
 * Makes one call to the service for all requests that read the same at the same time with the same role. The call ends
 * early only if all its clients have disconnected.
 */
export function shareReads(caller: Caller): Caller {
  const flights = new Map<string, Flight>();
  const start = (key: string, call: (signal: AbortSignal) => Promise<unknown>) => {
    const controller = new AbortController();
    const reply = call(controller.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
      // V8 keeps what was in a Map when it grew until it collects old objects. Copying answers that nobody needs any more
      // took a fifth to a third of the processor time of a list.
      flight.reply = over;
    });
    // Each who waits hears of a failure; nobody may be left who does.
    reply.catch(() => undefined);
    const flight: Flight = { reply, waiting: 0, controller };
    flights.set(key, flight);
    return flight;
  };
  const join = async (key: string, flight: Flight, signal: AbortSignal | undefined) => {
    if (!signal) {
      // A caller without a signal waits for the answer, so the call runs to its end.
      flight.waiting = Number.POSITIVE_INFINITY;
      return flight.reply;
    }
    flight.waiting += 1;
    const leave = () => {
      flight.waiting -= 1;
      if (flight.waiting > 0) return;
      if (flights.get(key) === flight) flights.delete(key);
      // With the reason, because a service that took too long counts for the breaker, and clients that left do not.
      flight.controller.abort(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await within(signal, flight.reply, rethrow);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
  return {
    ...caller,
    async call<N extends UpstreamOperation>(operation: N, input: OperationInput<N>, context: CallContext) {
      if (context.fresh) return caller.call(operation, input, context);
      if (!shareable.includes(operation)) {
        const done = caller.call(operation, input, context);
        // A read that began before the change may not show it, so no later read joins it.
        return done.finally(() => flights.clear());
      }
      const key = JSON.stringify([context.role, operation, input]);
      const flight =
        flights.get(key) ?? start(key, (signal) => caller.call(operation, input, { ...context, signal }));
      // The key has the operation.
      return join(key, flight, context.signal) as Promise<ReplyTo<N>>;
    },
  };
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

/** A tag as it was before a proxy packed its answer: nginx and CDNs then weaken it, Caddy and Apache add the packing. */
export const unpacked = (tag: string): string => tag.replace(/^W\//, '').replace(/-(?:gzip|br|zstd)"$/, '"');

/** True for a version that we made for a service, as `versionOf`. */
export const isOurVersion = (tag: string): boolean => unpacked(tag).startsWith(`"${ours}`);

/**
 * Gives every subscriber that is read a version. For a service without versions it reads all four lists to compute one,
 * and drops the lists that the caller did not ask for. Our own version is never sent in `If-Match`: the service would
 * not know it, and the journal has compared it already.
 */
export function addVersions(caller: Caller, mac: Mac): Caller {
  let lacking = false;
  return {
    ...caller,
    async call<N extends UpstreamOperation>(operation: N, input: OperationInput<N>, given: CallContext) {
      const isOurs = readIfMatch(given.ifMatch ?? null)?.some(isOurVersion);
      const context = isOurs ? { ...given, ifMatch: null } : given;
      const requested = requestedLists(operation, input);
      if (requested === null) return callUnpacked(caller, operation, input, context);
      const whole = { ...input, query: { include: [...listNames] } };
      let isWhole = lacking || requested.length === listNames.length;
      let reply = await caller.call(operation, isWhole ? whole : input, context);
      if (reply.etag === null && !isWhole) {
        reply = await caller.call(operation, whole, context);
        isWhole = true;
      }
      lacking = isWhole && reply.etag === null;
      if (!isWhole) return reply;
      // Only reads of one subscriber request lists.
      return withVersion(reply as Reply<SubscriberWithLists>, requested, mac) as Promise<ReplyTo<N>>;
    },
  };
}

/**
 * Makes a change with the version that a read has answered. Where a proxy packed that answer, the service knows it only as it was
 * before, and refuses the change. A service may also have such a version of its own, so it gets first what it has answered.
 */
async function callUnpacked<N extends UpstreamOperation>(
  caller: Caller,
  operation: N,
  input: OperationInput<N>,
  context: CallContext,
): Promise<ReplyTo<N>> {
  const { ifMatch = null } = context;
  try {
    return await caller.call(operation, input, context);
  } catch (error) {
    const isRefused = error instanceof Problem && error.code === 'changed-meanwhile';
    if (!isRefused || ifMatch === null || unpacked(ifMatch) === ifMatch) throw error;
    return caller.call(operation, input, { ...context, ifMatch: unpacked(ifMatch) });
  }
}

/** The lists that a read of one subscriber requests; null for any other operation. */
function requestedLists(operation: string, input: object): ListName[] | null {
  if (operation !== 'getSubscriber' && operation !== 'getSubscriberByToken') return null;
  // Both operations have this input.
  const { query } = input as { query: { include?: ListName[] } };
  return [...new Set(query.include)];
}

async function withVersion(
  { data, etag }: Reply<SubscriberWithLists>,
  requested: readonly ListName[],
  mac: Mac,
): Promise<Reply<SubscriberWithLists>> {
  const whole = SubscriberDetail.safeParse(data).data;
  const version = etag ?? (whole ? await versionOf(whole, mac) : null);
  const rest = { ...data };
  for (const name of listNames) if (!requested.includes(name)) delete rest[name];
  return { data: rest, etag: version };
}
