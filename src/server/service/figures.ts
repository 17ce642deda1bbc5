import type { Log } from '../../lib/log.ts';
import { createMetricsHandler, metricsPath, requestOf } from '../../bff/metrics.ts';
import { toResponse, problemAnswer } from '../../contract/http/answer.ts';
import { Problem } from '../../contract/http/problem.ts';
import { countFaults, countRequests, expositionOf, openRegistry } from '../metrics.ts';
import type { ProcessFigures } from '../runtime.ts';

/** The service's own metrics. */
interface Figures {
  /** The same log, which also counts its lines. */
  counted(log: Log): Log;
  /** Answers a request for the metrics; null for any other. */
  handle: (request: Request) => Promise<Response | null>;
}

/** @param options.token the token that opens the metrics */
export function createFigures(options: { token: string; process: () => ProcessFigures }): Figures {
  const registry = openRegistry(options.process);
  const requests = countRequests(registry, 'service');
  const countedFaults = countFaults(registry, 'service', ['request-failed']);
  const answer = createMetricsHandler({ token: options.token, figures: expositionOf(registry) });
  return {
    counted(log) {
      const faults = countedFaults(log);
      return (level, event, facts = {}) => {
        if (event === 'request') requests(requestOf(facts));
        faults(level, event, facts);
      };
    },
    async handle(request) {
      const isAsked = new URL(request.url).pathname === metricsPath;
      if (!isAsked || !['GET', 'HEAD'].includes(request.method)) return null;
      const answered = await answer(request.headers).catch((error: unknown) => {
        if (error instanceof Problem) return problemAnswer(error, crypto.randomUUID());
        throw error;
      });
      return toResponse(answered);
    },
  };
}
