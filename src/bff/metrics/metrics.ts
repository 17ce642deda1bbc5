import type { Log, ProcessFigures } from '../deps.ts';
import type { UpstreamCall } from '../upstream/measure.ts';
import { addProcess, bounds, countRequests } from './families.ts';
import { createRegistry, type Registry } from './registry.ts';

export interface Metrics {
  /** The same log, counting what goes through it. */
  counted(log: Log): Log;
  upstreamCalled: (call: UpstreamCall) => void;
  write: () => string;
}

/**
 * Figures for whoever watches the desk. Most follow from the log, which says already what happens; so nothing is
 * counted that the log does not know, and no code has to tell twice.
 */
export function createMetrics(figures: () => ProcessFigures): Metrics {
  const registry = createRegistry();
  const requests = countRequests(registry, 'desk');
  const upstream = countUpstream(registry);
  const signIns = registry.counter('desk_sign_ins_total', 'Attempts to sign in, by what came of them.');
  let breakerOpen = false;
  registry.reading(
    'gauge',
    'desk_upstream_breaker_open',
    '1 while the service counts as dark and calls to it fail at once.',
    () => Number(breakerOpen),
  );
  addProcess(registry, figures);
  return {
    counted:
      (log) =>
      (level, event, facts = {}) => {
        if (event === 'request') requests(facts);
        if (event === 'upstream-breaker') breakerOpen = facts['state'] === 'open';
        const outcome = signInOutcomes[event];
        if (outcome !== undefined) signIns.add({ outcome });
        log(level, event, facts);
      },
    upstreamCalled: upstream,
    write: registry.write,
  };
}

/** Events of the log that end an attempt to sign in. */
const signInOutcomes: Readonly<Record<string, string>> = {
  'signed-in': 'done',
  'sign-in-failed': 'refused',
  'sign-in-limited': 'limited',
};

function countUpstream(registry: Registry) {
  const total = registry.counter(
    'desk_upstream_calls_total',
    'Requests to the subscriber service, each attempt, by operation and outcome.',
  );
  const seconds = registry.histogram('desk_upstream_call_seconds', 'How long the service took.', bounds);
  return ({ operation, outcome, ms }: UpstreamCall) => {
    total.add({ operation, outcome });
    seconds.observe({ operation }, ms / 1000);
  };
}
