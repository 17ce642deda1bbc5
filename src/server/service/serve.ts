import { readTraceparent } from '../../lib/trace-context.ts';
import { createMonitorCheck } from '../../bff/metrics.ts';
import { createSecurityHeaders } from '../../bff/http/security-headers.ts';
import { withHeaders } from '../../contract/http/answer.ts';
import { hasApiClients, setApiClient } from '../../service/oauth/api-clients.ts';
import { createService } from '../../service/http/service.ts';
import { addressOf, serviceUrlAt, type Config } from '../config/config.ts';
import { addFirstSamples, embeddedClientId } from '../embedded-service.ts';
import { createDocs, docsPolicy } from './docs.ts';
import { listen } from '../http/listen.ts';
import { commandLines } from '../installation.ts';
import { clock, random } from '../runtime.ts';
import type { CommandContext } from '../run-command.ts';
import { openTraces } from '../traces.ts';
import { openServiceStore } from './store.ts';

/** `npm run service`: the service alone, for API clients, on its own port. */
export async function serveService({ config, log, say }: CommandContext) {
  const listening = await listen({
    ...addressOf(config),
    port: config.SERVICE_PORT,
    portVariable: 'SERVICE_PORT',
    publicUrl: config.SERVICE_URL,
    log,
  });
  const issuer = serviceUrlAt(config, listening.port);
  const traces = await openTraces(config, { service: 'subscriber-service', url: issuer, log });
  const store = await openServiceStore({ config, clock, log, traces }, async (alone) => {
    for (const client of config.SERVICE_CLIENTS) await setApiClient(alone, client);
    await addFirstSamples(alone, { samples: config.SAMPLE_SUBSCRIBERS, now: clock() });
  });
  const { db, runSlowRead, canWrite } = store;
  const metrics = await openMetrics(config);
  const service = createService({
    db,
    runSlowRead,
    clock,
    random,
    issuer,
    log: traces.described(metrics?.counted(log) ?? log),
    canWrite,
    isStopping: listening.isStopping,
    isMonitor: createMonitorCheck(config.METRICS_TOKEN),
  });
  const docs = createDocs();
  const securityHeaders = createSecurityHeaders({ publicUrl: issuer, policy: docsPolicy });
  listening.serve(async (request) => {
    const page = await docs(request);
    if (page) return withHeaders(page, { ...securityHeaders.page, 'X-Request-Id': crypto.randomUUID() });
    const response =
      (await metrics?.answer(request)) ??
      (await traces.serve(request, readTraceparent(request.headers), () => service.fetch(request)));
    const requestId = response.headers.get('X-Request-Id') ?? crypto.randomUUID();
    return withHeaders(response, { ...securityHeaders.data, 'X-Request-Id': requestId });
  });
  say(`Subscriber Management Service is running at ${issuer}`);
  if (!(await hasApiClients(db, [embeddedClientId])))
    say(`It has no API clients yet. Add one: ${commandLines.service} add-client ID`);
  return {
    url: issuer,
    stop: async () => {
      await listening.close();
      await store.close();
      await traces.close();
    },
  };
}

/** Loads the library only if metrics are configured. */
async function openMetrics({ METRICS_TOKEN: token }: Config) {
  return token === undefined ? null : (await import('../metrics.ts')).createServiceMetrics(token);
}
