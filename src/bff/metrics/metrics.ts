import type { Log, ProcessFigures } from '../deps.ts';
import type { UpstreamCall } from '../upstream/measure.ts';
import { createRegistry } from './registry.ts';

export interface Metrics {
  /** The same log, counting what goes through it. */
  counted(log: Log): Log;
  upstreamCalled: (call: UpstreamCall) => void;
  write: () => string;
}

/** Upper ends of the buckets, in seconds; the last is the longest that a call may take. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/**
 * Figures for whoever watches the desk. Most follow from the log, which says already what happens; so nothing is
 * counted that the log does not know, and no code has to tell twice.
 */
export function createMetrics(figures: () => ProcessFigures): Metrics {
  const registry = createRegistry();
  const requests = countRequests(registry);
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

type Registry = ReturnType<typeof createRegistry>;

function countRequests(registry: Registry) {
  const total = registry.counter('desk_requests_total', 'Requests answered, by route, method and status.');
  const seconds = registry.histogram('desk_request_seconds', 'How long answers took.', bounds);
  return (facts: Readonly<Record<string, unknown>>) => {
    const route = String(facts['route']);
    const method = usualMethods.find((name) => name === facts['method']) ?? 'other';
    total.add({ route, method, status: `${Math.floor(Number(facts['status']) / 100)}xx` });
    seconds.observe({ route, method }, Number(facts['ms']) / 1000);
  };
}

/** A client may make up methods, and each would become a series. */
const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

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

/** Under the names that Prometheus' own client libraries give them. */
function addProcess(registry: Registry, figures: () => ProcessFigures): void {
  registry.reading(
    'gauge',
    'process_resident_memory_bytes',
    'Resident memory.',
    () => figures().residentBytes,
  );
  registry.reading('counter', 'process_cpu_seconds_total', 'Time on processors.', () => figures().cpuSeconds);
  registry.reading(
    'gauge',
    'process_start_time_seconds',
    'When the process began, since 1970.',
    () => figures().startedAt,
  );
}
