import type { StaffOperation } from '../../contract/bff/permission.ts';
import type { Caller } from './call.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** Reads that may share the answer of one that is running. */
const shareable: readonly StaffOperation[] = ['listSubscribers', 'getSubscriber', 'listStatuses'];

// Finding by token is never shared: once a token is regenerated, no later request may find by the old one, on any
// replica, and a running one may have begun before.

/**
 * One call upstream for all requests that ask the same at the same time with the same role. Each gets its own copy of
 * the answer, and a client that disconnects does not cancel the others.
 */
export function shareReads(caller: Caller): Caller {
  const flights = new Map<string, Promise<UpstreamAnswer>>();
  return {
    ...caller,
    async call(operation, input, context) {
      if (context.fresh) return caller.call(operation, input, context);
      if (!shareable.includes(operation)) {
        const done = caller.call(operation, input, context);
        // A read that began before the change may not show it, so no later one joins it.
        return done.finally(() => flights.clear());
      }
      const key = JSON.stringify([context.role, operation, input]);
      const joined = flights.get(key);
      if (joined) return copyOf(await joined);
      const flight = caller.call(operation, input, context).finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      });
      flights.set(key, flight);
      return flight;
    },
  };
}

/** Own bytes for each caller; headers are only read. */
function copyOf({ status, headers, bytes }: UpstreamAnswer): UpstreamAnswer {
  return { status, headers, bytes: bytes.slice() };
}
