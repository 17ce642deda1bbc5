import type { Config } from './config/config.ts';
import type { TraceOptions, Traces } from './traces.ts';

/** Loads OpenTelemetry's SDK only if there is a collector to send to. */
export async function openTraces(config: Config, options: TraceOptions): Promise<Traces> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return untraced;
  const { createTraces } = await import('./opentelemetry.ts');
  return createTraces({ ...options, headers: config.OTEL_EXPORTER_OTLP_HEADERS });
}

/** For a server that records nothing. */
const untraced: Traces = {
  serve: (_, answer) => answer(undefined),
  described: (log) => log,
  upstream: (upstream) => upstream,
  passwords: (passwords) => passwords,
  run: (_name, _job, work) => work(),
  statements: () => undefined,
  close: async () => {},
};
