import type { ProcessFigures } from '../deps.ts';
import type { Registry } from './registry.ts';

/** Upper ends of the buckets, in seconds; the last is the longest that a call may take. */
export const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/**
 * Counts the lines of the log that are a request's.
 *
 * @param room what the families' names begin with
 */
export function countRequests(registry: Registry, room: 'desk' | 'service') {
  const total = registry.counter(`${room}_requests_total`, 'Requests answered, by route, method and status.');
  const seconds = registry.histogram(`${room}_request_seconds`, 'How long answers took.', bounds);
  return (facts: Readonly<Record<string, unknown>>) => {
    const route = String(facts['route']);
    const method = usualMethods.find((name) => name === facts['method']) ?? 'other';
    total.add({ route, method, status: `${Math.floor(Number(facts['status']) / 100)}xx` });
    seconds.observe({ route, method }, Number(facts['ms']) / 1000);
  };
}

/** A client may make up methods, and each would become a series. */
const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Under the names that Prometheus' own client libraries give them. */
export function addProcess(registry: Registry, figures: () => ProcessFigures): void {
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
