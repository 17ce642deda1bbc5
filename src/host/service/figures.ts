import type { Log, ProcessFigures } from '../../bff/bff.ts';
import { addProcess, countRequests } from '../../bff/metrics/families.ts';
import { createMetricsDoor, metricsPath } from '../../bff/metrics/metrics-door.ts';
import { createRegistry } from '../../bff/metrics/registry.ts';
import { problemAnswer } from '../../contract/problem-answer.ts';
import { Refusal } from '../../contract/refusal.ts';

/** What the service by itself tells whoever watches it, and where. */
export interface Figures {
  /** The same log, counting what goes through it. */
  counted(log: Log): Log;
  /** Answers who asks for the figures; null where something else is asked for, or nobody may ask. */
  door: (request: Request) => Promise<Response | null>;
}

/** @param options.token null where nobody is to read them; then the address is one like any other */
export function createFigures(options: { token: string | null; process: () => ProcessFigures }): Figures {
  const registry = createRegistry();
  const requests = countRequests(registry, 'service');
  const faults = registry.counter('service_faults_total', 'What the log warns of, by its event.');
  addProcess(registry, options.process);
  const door = createMetricsDoor(registry, options.token);
  return {
    counted:
      (log) =>
      (level, event, facts = {}) => {
        if (event === 'request') requests(facts);
        if (level !== 'info') faults.add({ event });
        log(level, event, facts);
      },
    async door(request) {
      const isAsked = options.token !== null && new URL(request.url).pathname === metricsPath;
      if (!isAsked || !['GET', 'HEAD'].includes(request.method)) return null;
      return door(request).catch((error: unknown) => {
        if (error instanceof Refusal) return problemAnswer(error, crypto.randomUUID());
        throw error;
      });
    },
  };
}
