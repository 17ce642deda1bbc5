import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { BffMetrics } from '../../bff/metrics.ts';
import type { ProcessFigures } from './process-figures.ts';
import { buckets, countRequests, expositionOf, openRegistry } from './registry.ts';

/** The desk's figures, kept and written by Prometheus' own library. */
export function createBffMetrics(process: () => ProcessFigures): BffMetrics {
  const registry = openRegistry(process);
  const signIns = new Counter({
    name: 'desk_sign_ins_total',
    help: 'Attempts to sign in, by what came of them.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const breaker = new Gauge({
    name: 'desk_upstream_breaker_open',
    help: '1 while the service counts as dark and calls to it fail at once.',
    registers: [registry],
  });
  return {
    ...expositionOf(registry),
    requestAnswered: countRequests(registry, 'desk'),
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
