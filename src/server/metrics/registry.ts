import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { AnsweredRequest, MetricsWriter } from '../../bff/metrics.ts';
import type { ProcessFigures } from './process-figures.ts';

/** Upper ends of the buckets, in seconds; the last is the longest that a call may take. */
export const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/**
 * A registry of one's own, since the library's usual one is the whole process's, with what the process says of itself
 * under the names that Prometheus' clients give it.
 */
export function openRegistry(read: () => ProcessFigures): Registry {
  const registry = new Registry();
  for (const family of processFamilies(read)) registry.registerMetric(family);
  return registry;
}

function processFamilies(read: () => ProcessFigures) {
  return [
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Resident memory.',
      registers: [],
      collect() {
        this.set(read().residentBytes);
      },
    }),
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'Time on processors.',
      registers: [],
      collect() {
        this.reset();
        this.inc(read().cpuSeconds);
      },
    }),
    new Gauge({
      name: 'process_start_time_seconds',
      help: 'When the process began, since 1970.',
      registers: [],
      collect() {
        this.set(read().startedAt);
      },
    }),
  ];
}

export function expositionOf(registry: Registry): MetricsWriter {
  return { write: () => registry.metrics(), contentType: registry.contentType };
}

/** @param room what the families' names begin with */
export function countRequests(registry: Registry, room: 'desk' | 'service') {
  const total = new Counter({
    name: `${room}_requests_total`,
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: `${room}_request_seconds`,
    help: 'How long answers took.',
    labelNames: ['route', 'method'],
    buckets,
    registers: [registry],
  });
  return ({ route, method, status, ms }: AnsweredRequest) => {
    total.inc({ route, method, status });
    seconds.observe({ route, method }, ms / 1000);
  };
}
