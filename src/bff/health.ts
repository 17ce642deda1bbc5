import { Answer } from '../contract/http/answer.ts';
import type { BffEndpoint } from '../contract/bff/permission.ts';
import type { BffDeps } from './deps.ts';
import { createMetricsHandler, createMonitorCheck, metricsPath } from './metrics.ts';
import { implement, type Route } from './http/router.ts';
import type { Caller } from './upstream/call.ts';

/** Requests of load balancers, supervisors and monitoring. They have no session; the metrics have a token. */
export const monitoringApi = {
  getLiveness: {
    method: 'GET',
    path: '/healthz',
    access: 'public',
  },
  getReadiness: {
    method: 'GET',
    path: '/readyz',
    access: 'public',
  },
  getMetrics: {
    method: 'GET',
    path: metricsPath,
    access: 'public',
  },
} as const satisfies Record<string, Omit<BffEndpoint, 'answer'>>;

type Deps = Pick<BffDeps, 'db' | 'canWrite' | 'isClockWrong' | 'isStopping' | 'metrics'> & { caller: Caller };

export function createMonitoringRoutes(deps: Deps): Route[] {
  const { db, canWrite, isClockWrong, isStopping, metrics, caller } = deps;
  const isMonitor = createMonitorCheck(metrics?.token);
  const answerMetrics = createMetricsHandler(metrics);
  return implement(monitoringApi, {
    // Says nothing of others: restarting the BFF repairs no service, but may get it the right time.
    getLiveness: async () =>
      isClockWrong?.()
        ? new Answer({ alive: true, clock: 'wrong' }, { status: 503 })
        : new Answer({ alive: true }),
    async getReadiness(_, { headers, logFields }) {
      const [reads, writes, upstream] = await Promise.all([
        succeeds(db.selectFrom('staff').select('id').limit(1).execute()),
        canWrite?.() ?? true,
        succeeds(caller.checkToken()),
      ]);
      const database = reads && writes;
      const leaving = isStopping?.() ?? false;
      const ready = database && upstream && !leaving;
      if (!ready)
        logFields.missing =
          Object.entries({ database, upstream })
            .flatMap(([name, works]) => (works ? [] : [name]))
            .join(' ') || 'stopping';
      // What does not work helps an attacker as well.
      const reasons = (await isMonitor(headers)) && { database, upstream, ...(leaving && { leaving }) };
      return new Answer({ ready, ...reasons }, { status: ready ? 200 : 503 });
    },
    getMetrics: (_, { headers }) => answerMetrics(headers),
  });
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );
