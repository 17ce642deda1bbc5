import type { Config } from './config/config.ts';
import type { TraceOptions, Traces } from './traces.ts';

/** Loads OpenTelemetry's SDK only if there is a collector to send to. */
export async function openTraces({ collector }: Config, options: TraceOptions): Promise<Traces> {
  if (collector === null) return untraced;
  const { createTraces } = await import('./opentelemetry.ts');
  return createTraces({ ...options, headers: collector.headers });
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
