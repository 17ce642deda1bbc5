import type { Logger } from 'kysely';
import type { Passwords, Upstream } from '../bff/http/bff.ts';
import type { RunTraced } from '../bff/deps.ts';
import type { Log } from '../lib/log.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import type { Config } from './config/config.ts';

/** Records what a request waits for. Each function wraps a part of the program, which then works as before. */
export interface Traces {
  /** Answers a request as a step of its caller's trace, or of a new one; `answer` gets the place of this step. */
  serve: (
    request: Request,
    caller: TraceContext | undefined,
    answer: (context: TraceContext | undefined) => Promise<Response>,
  ) => Promise<Response>;
  /** The same log, whose line of a request also describes the request's step: no code has to report anything twice. */
  described: (log: Log) => Log;
  /** The same service; each request to it is a step, which the service can go on from. */
  upstream: (upstream: Upstream) => Upstream;
  passwords: (passwords: Passwords) => Passwords;
  run: RunTraced;
  /** Makes each statement of Kysely a step; undefined where nothing is recorded. */
  statements: (system: 'sqlite' | 'postgresql') => Logger | undefined;
  /** Sends what is not sent yet, for a short while. */
  close: () => Promise<void>;
}

export interface TraceOptions {
  /** The name that `OTEL_SERVICE_NAME` replaces. */
  service: 'subscriber-desk' | 'subscriber-service';
  /** The address that clients know this server by. */
  url: string;
  /** For failures to send. */
  log: Log;
}

/** Loads OpenTelemetry's SDK only if there is a collector to send to. */
export async function openTraces(config: Config, options: TraceOptions): Promise<Traces> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return untraced;
  const { createTraces } = await import('./opentelemetry.ts');
  return createTraces({ ...options, headers: config.OTEL_EXPORTER_OTLP_HEADERS });
}

/** For a server that records nothing. */
const untraced: Traces = {
  serve: (_, caller, answer) => answer(caller),
  described: (log) => log,
  upstream: (upstream) => upstream,
  passwords: (passwords) => passwords,
  run: (_name, _job, work) => work(),
  statements: () => undefined,
  close: async () => {},
};
