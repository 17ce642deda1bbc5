import type { StaffOperation } from '../../contract/bff/permission.ts';
import type { Caller } from './call.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** Reads that may be answered by one under way already. */
const shareable: readonly StaffOperation[] = ['listSubscribers', 'getSubscriber', 'listStatuses'];

// Finding by token is never shared: a regenerated token must find nothing from the next question on, on every
// replica, and an answer under way may be older than that.

/**
 * One call upstream for all who ask the same at the same time with the same role. Each has an answer of its own, and
 * none who goes away takes it from the others.
 */
export function shareReads(caller: Caller): Caller {
  const flights = new Map<string, Promise<UpstreamAnswer>>();
  return {
    ...caller,
    async call(operation, input, errand) {
      if (errand.fresh) return caller.call(operation, input, errand);
      if (!shareable.includes(operation)) {
        const done = caller.call(operation, input, errand);
        // What was asked before a change was done may not show it, so nobody joins it any more.
        return done.finally(() => flights.clear());
      }
      const key = JSON.stringify([errand.role, operation, input]);
      const joined = flights.get(key);
      if (joined) return copyOf(await joined);
      const flight = caller.call(operation, input, errand).finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      });
      flights.set(key, flight);
      return flight;
    },
  };
}

/** Whoever joined has bytes of their own; headers are only ever read. */
function copyOf({ status, headers, bytes }: UpstreamAnswer): UpstreamAnswer {
  return { status, headers, bytes: bytes.slice() };
}
