import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import {
  createMetricsHandler,
  metricsPath,
  requestOf,
  type AnsweredRequest,
  type BffMetrics,
  type MetricsWriter,
} from '../bff/metrics.ts';
import { problemAnswer, toResponse } from '../contract/http/answer.ts';
import { Problem } from '../contract/http/problem.ts';
import type { Log } from '../lib/log.ts';
import { clock } from './runtime.ts';

/** The BFF's metrics, in Prometheus' own library. `counted` gives the same log, which also counts what it warns of. */
export function createBffMetrics(): BffMetrics & { counted: (log: Log) => Log } {
  const registry = openRegistry();
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
    counted: countFaults(registry, 'desk', serverFaults),
    upstreamCalled: countUpstream(registry),
    signInEnded: (outcome) => signIns.inc({ outcome }),
    breakerTurned: (isOpen) => breaker.set(Number(isOpen)),
  };
}

/**
 * The metrics of the service that runs alone. `counted` gives the same log, which also counts its lines; `answer` gives
 * null to requests for anything else.
 */
export function createServiceMetrics(token: string) {
  const registry = openRegistry();
  const countRequest = countRequests(registry, 'service');
  const countedFaults = countFaults(registry, 'service', ['request-failed']);
  const handle = createMetricsHandler({ token, figures: expositionOf(registry) });
  return {
    counted(log: Log): Log {
      const faults = countedFaults(log);
      return (level, event, fields = {}) => {
        if (event === 'request') countRequest(requestOf(fields));
        faults(level, event, fields);
      };
    },
    answer: async ({ url, method, headers }: Request): Promise<Response | null> => {
      if (new URL(url).pathname !== metricsPath || !['GET', 'HEAD'].includes(method)) return null;
      const answer = await handle(headers).catch((error: unknown) => {
        if (error instanceof Problem) return problemAnswer(error, crypto.randomUUID());
        throw error;
      });
      return toResponse(answer);
    },
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
const serverFaults = [
  'database-not-writable',
  'job-failed',
  'job-row-failed',
  'jobs-not-found',
  'journal-entry-stays-open',
  'request-failed',
];

/** Upper ends of the buckets, in seconds; the last is the longest that a call may take. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/**
 * A registry with the metrics of the process, under the names that Prometheus' clients give them. The library's own set
 * has some whose values are "Nan" at first, which is no number of the text format.
 */
function openRegistry(): Registry {
  const registry = new Registry();
  const families = [
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Resident memory.',
      registers: [],
      collect() {
        this.set(process.memoryUsage.rss());
      },
    }),
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'Time on processors.',
      registers: [],
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / 1e6);
      },
    }),
    new Gauge({
      name: 'process_start_time_seconds',
      help: 'When the process began, since 1970.',
      registers: [],
      collect() {
        this.set(clock() / 1000 - process.uptime());
      },
    }),
  ];
  for (const family of families) registry.registerMetric(family);
  return registry;
}

function expositionOf(registry: Registry): MetricsWriter {
  return { write: () => registry.metrics(), contentType: registry.contentType };
}

/** @param prefix what the metrics' names begin with */
function countRequests(registry: Registry, prefix: 'desk' | 'service') {
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
function countFaults(registry: Registry, prefix: 'desk' | 'service', known: readonly string[]) {
  const faults = new Counter({
    name: `${prefix}_faults_total`,
    help: 'What the log warns of, by its event.',
    labelNames: ['event'],
    registers: [registry],
  });
  for (const event of known) faults.inc({ event }, 0);
  return (log: Log): Log =>
    (level, event, fields) => {
      if (level !== 'info') faults.inc({ event });
      log(level, event, fields);
    };
}
