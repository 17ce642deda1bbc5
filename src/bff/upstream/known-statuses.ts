import type { Status } from '../../contract/service/subscriber.ts';
import type { BffDeps } from '../deps.ts';

export type KnownStatuses = ReturnType<typeof createKnownStatuses>;

/**
 * Remembers the statuses from answers to other requests, so that they can be part of the session and the first screen
 * needs no request for them. It sends nothing to the service itself.
 */
export function createKnownStatuses({ clock }: Pick<BffDeps, 'clock'>) {
  let known: { statuses: Status[]; at: number } | null = null;
  return {
    /** The statuses as the service last answered them; undefined if that is too long ago. */
    get: () => (known && clock() - known.at < lifetime ? known.statuses : undefined),
    /** Takes the statuses from an answer of listStatuses. */
    learn: (statuses: Status[]) => void (known = { statuses, at: clock() }),
  };
}

/** Time that the statuses are kept, in ms. */
const lifetime = 15 * 60 * 1000;
