import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readTraceparent } from '../../lib/trace-context.ts';
import { createMonitorCheck } from '../../bff/metrics.ts';
import { createSecurityHeaders, pagePolicy } from '../../bff/http/security-headers.ts';
import { withHeaders } from '../../contract/http/answer.ts';
import { hasApiClients, setApiClient } from '../../service/oauth/api-clients.ts';
import { createService } from '../../service/http/service.ts';
import { addressOf, serviceUrlAt, type Config } from '../config/config.ts';
import { addFirstSamples, embeddedClientId } from '../embedded-service.ts';
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

/**
 * The policy of the reference page. Swagger UI has its icons in `data:` addresses and writes HTML, which it cleans,
 * in ways that trusted types would stop.
 */
const { 'require-trusted-types-for': _, 'trusted-types': __, ...withoutTrustedTypes } = pagePolicy;
const docsPolicy = { ...withoutTrustedTypes, 'img-src': `'self' data:` };

/**
 * Answers `/docs`, the reference for people, and the files that it loads; null for any other path. All files are local.
 * The page cannot send requests, so nobody has a reason to type a secret into it.
 */
function createDocs(): (request: Request) => Promise<Response | null> {
  const cached = new Map<string, Promise<string>>();
  return async (request) => {
    const { pathname } = new URL(request.url);
    const file = files.get(pathname);
    if (!file || !['GET', 'HEAD'].includes(request.method)) return null;
    const text = cached.get(pathname) ?? file.read();
    cached.set(pathname, text);
    return new Response(await text, {
      headers: { 'Content-Type': `${file.type}; charset=utf-8`, 'Cache-Control': 'public, max-age=3600' },
    });
  };
}

/** Addresses are relative: behind a proxy the service may hang off a path. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Subscriber Management Service</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    <main id="reference"></main>
  </body>
</html>
`;
const start = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  supportedSubmitMethods: [],
  deepLinking: true,
});
`;

// `imports` in package.json says where they are: the package brings these few files, not all of Swagger UI.
const installed = (name: string) => () =>
  readFile(fileURLToPath(import.meta.resolve(`#swagger-ui/${name}`)), 'utf8');

const files = new Map([
  ['/docs', { type: 'text/html', read: async () => page }],
  ['/docs/start.js', { type: 'text/javascript', read: async () => start }],
  ['/docs/swagger-ui-bundle.js', { type: 'text/javascript', read: installed('swagger-ui-bundle.js') }],
  ['/docs/swagger-ui.css', { type: 'text/css', read: installed('swagger-ui.css') }],
]);
