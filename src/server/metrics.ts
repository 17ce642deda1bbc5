import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { AnsweredRequest, BffMetrics, MetricsWriter } from '../bff/metrics.ts';
import type { Log } from '../lib/log.ts';
import type { ProcessFigures } from './runtime.ts';

/** The BFF's metrics, in Prometheus' own library. `counted` gives the same log, which also counts what it warns of. */
export function createBffMetrics(process: () => ProcessFigures): BffMetrics & { counted: (log: Log) => Log } {
  const registry = openRegistry(process);
  const signIns = new Counter({
    name: 'desk_sign_ins_total',
    help: 'Attempts to sign in, by what came of them.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['done', 'refused', 'limited']) signIns.inc({ outcome }, 0);
  const breaker = new Gauge({
    name: 'desk_upstream_breaker_open',
    help: '1 while the service counts as dark and calls to it fail at once.',
    registers: [registry],
  });
  return {
    ...expositionOf(registry),
    requestAnswered: countRequests(registry, 'desk'),
    counted: countFaults(registry, 'desk', deskFaults),
    upstreamCalled: countUpstream(registry),
    signInEnded: (outcome) => signIns.inc({ outcome }),
    breakerTurned: (isOpen) => breaker.set(Number(isOpen)),
  };
}

function countUpstream(registry: Registry): BffMetrics['upstreamCalled'] {
  const total = new Counter({
    name: 'desk_upstream_calls_total',
    help: 'Requests to the subscriber service, each attempt, by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'desk_upstream_call_seconds',
    help: 'How long the service took.',
    labelNames: ['operation'],
    buckets,
    registers: [registry],
  });
  return ({ operation, outcome, ms }) => {
    total.inc({ operation, outcome });
    seconds.observe({ operation }, ms / 1000);
  };
}

/** Those that `deploy/alerts.yaml` names. */
const deskFaults = [
  'database-not-writable',
  'job-failed',
  'jobs-not-found',
  'journal-entry-stays-open',
  'request-failed',
];

/** Upper ends of the buckets, in seconds; the last is the longest that a call may take. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/**
 * A registry with the metrics of the process, under the names that Prometheus' clients give them. The library's default
 * registry belongs to the whole process, which may run several.
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

/** @param prefix what the metrics' names begin with */
export function countRequests(registry: Registry, prefix: 'desk' | 'service') {
  const total = new Counter({
    name: `${prefix}_requests_total`,
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: `${prefix}_request_seconds`,
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

/**
 * Gives a log that also counts its warnings, by event.
 *
 * @param prefix what the metric's name begins with
 * @param known counted from 0 on: Prometheus sees no increase in a series that begins with 1
 */
export function countFaults(registry: Registry, prefix: 'desk' | 'service', known: readonly string[]) {
  const faults = new Counter({
    name: `${prefix}_faults_total`,
    help: 'What the log warns of, by its event.',
    labelNames: ['event'],
    registers: [registry],
  });
  for (const event of known) faults.inc({ event }, 0);
  return (log: Log): Log =>
    (level, event, facts) => {
      if (level !== 'info') faults.inc({ event });
      log(level, event, facts);
    };
}
