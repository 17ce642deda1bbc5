import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildDashboard } from '../../src/server/build/build.ts';
import { startCollector, type CollectedSpan } from '../support/server/collector.ts';
import { addressOf, newSubscriber, signIn, startServer, writeTo } from '../support/server/server-process.ts';
import { runService, serviceAddress } from '../support/server/service-process.ts';
import { root, startProcess } from '../support/server/start-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

const password = 'chosen by the operator';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

async function open(env: Record<string, string> = {}) {
  const collector = await startCollector();
  const server = startServer(join(temporaryFolder(), 'data'), {
    MANAGER_PASSWORD: password,
    ...collector.env,
    ...env,
  });
  const url = await addressOf(server);
  return { collector, server, url, port: Number(new URL(url).port) };
}

const isChildOf = (one: CollectedSpan) => (other: CollectedSpan) => other.parentSpanId === one.spanId;

test('a request is a span with the calls, hashes and statements that it waits for', async () => {
  const { collector, server, url, port } = await open({ OTEL_SERVICE_NAME: 'desk-of-the-north' });
  const { ask } = await signIn(url, password);
  const answer = await ask('/api/subscribers/7?from=search');
  expect(answer.status).toBe(200);

  const served = await collector.span('GET /api/subscribers/{id}');
  expect(served).toMatchObject({ kind: 'server', status: { code: 0 } });
  expect(served.parentSpanId).toBeUndefined();
  expect(served.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/api/subscribers/{id}',
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'server.address': '127.0.0.1',
    'server.port': port,
    'desk.operation': 'getSubscriber',
    'desk.request_id': answer.headers.get('X-Request-Id'),
  });
  expect(server.output()).toContain(`"traceId":"${served.traceId}"`);

  const called = await collector.span('GET /subscribers/{id}', isChildOf(served));
  expect(called).toMatchObject({ kind: 'client', traceId: served.traceId, status: { code: 0 } });
  expect(called.attributes).toEqual({
    'http.request.method': 'GET',
    'url.template': '/subscribers/{id}',
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'server.address': 'subscriber-service.internal',
    'server.port': 80,
    'desk.operation': 'getSubscriber',
  });
  const times = [
    served.startTimeUnixNano,
    called.startTimeUnixNano,
    called.endTimeUnixNano,
    served.endTimeUnixNano,
  ];
  expect(times).toEqual(times.toSorted((one, other) => one.localeCompare(other)));

  // Of the BFF's own tables, and of those of the service in the same process.
  const session = await collector.span('SELECT sessions', isChildOf(served));
  expect(session).toMatchObject({ kind: 'client', attributes: { 'db.system.name': 'sqlite' } });
  await collector.span('SELECT subscribers', isChildOf(called));

  const signedIn = await collector.span('POST /bff/session');
  const hashed = await collector.span('verify password', isChildOf(signedIn));
  expect(BigInt(hashed.endTimeUnixNano) - BigInt(hashed.startTimeUnixNano)).toBeGreaterThan(5_000_000n);
  expect(collector.programs()[0]).toMatchObject({
    'service.name': 'desk-of-the-north',
    'telemetry.sdk.language': 'nodejs',
  });
});

test('the service elsewhere goes on from the call, in the trace that the caller began', async () => {
  const collector = await startCollector();
  const secret = 's'.repeat(32);
  const service = runService(join(temporaryFolder(), 'data'), {
    ...collector.env,
    SAMPLE_SUBSCRIBERS: '20',
    SERVICE_CLIENTS: `desk:${secret}:subscribers:read subscribers:write`,
  });
  const upstream = await serviceAddress(service);
  const server = startServer(join(temporaryFolder(), 'data'), {
    ...collector.env,
    MANAGER_PASSWORD: password,
    UPSTREAM_URL: upstream,
    UPSTREAM_CLIENT_ID: 'desk',
    UPSTREAM_CLIENT_SECRET: secret,
    UPSTREAM_SCOPE_READ: 'subscribers:read',
    UPSTREAM_SCOPE_WRITE: 'subscribers:write',
  });
  const url = await addressOf(server);
  const { cookie: Cookie } = await signIn(url, password);
  const ask = (path: string, flags: string) =>
    fetch(url + path, {
      headers: { 'X-CSRF': '1', Cookie, traceparent: `00-${traceId}-${parent}-${flags}` },
    });
  // What the caller does not record is not recorded here either.
  expect((await ask('/api/subscriber-statuses', '00')).status).toBe(200);
  expect((await ask('/api/subscribers/99', '01')).status).toBe(404);

  const served = await collector.span('GET /api/subscribers/{id}');
  expect(served).toMatchObject({ traceId, parentSpanId: parent, status: { code: 0 } });
  const called = await collector.span('GET /subscribers/{id}', isChildOf(served));
  expect(called).toMatchObject({
    traceId,
    kind: 'client',
    status: { code: 2 },
    attributes: { 'error.type': '404' },
  });
  const joined = await collector.span('GET /subscribers/{id}', isChildOf(called));
  expect(joined).toMatchObject({ traceId, kind: 'server', status: { code: 0 } });
  expect(joined.attributes).toMatchObject({
    'http.route': '/subscribers/{id}',
    'http.response.status_code': 404,
    'desk.request_id': served.attributes['desk.request_id'],
  });
  await collector.span('SELECT subscribers', isChildOf(joined));
  expect(collector.spans().filter(({ name }) => name.includes('statuses'))).toEqual([]);
  const names = new Set(collector.programs().map((program) => program['service.name']));
  expect(names).toEqual(new Set(['subscriber-desk', 'subscriber-service']));

  service.signal('SIGKILL');
  await service.ended;
  expect((await ask('/api/subscribers/1', '01')).status).toBe(503);
  const failed = await collector.span('GET /api/subscribers/{id}', ({ status }) => status.code === 2);
  expect(failed.attributes).toMatchObject({
    'http.response.status_code': 503,
    'error.type': 'upstream-unreachable',
  });
  const refused = await collector.span('GET /subscribers/{id}', isChildOf(failed));
  expect(refused).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'ECONNREFUSED' } });
});

test('each row of a job is a trace of its own; no span tells who or what it is about', async () => {
  const { collector, url } = await open();
  const { ask, cookie } = await signIn(url, password);
  const tell = writeTo(url, cookie);
  const personal = { username: 'canary.name', email: 'canary@example.com', note: 'canary note' };
  const made = await tell('POST', '/api/subscribers', { ...newSubscriber('x'), ...personal });
  expect(made.status).toBe(200);
  const { id, accessToken } = JSON.parse(made.text) as { id: number; accessToken: string };
  await ask('/api/subscribers?Username=canary.name&Email=canary%40');
  await tell('POST', '/bff/find-by-token', { accessToken });
  await ask(`/no/such/canary?page=canary`);
  await ask(`/api/subscribers/${id}/canary`);
  await fetch(`${url}/`, { method: 'PROPFIND' });
  for (const probe of ['/healthz', '/readyz']) await fetch(url + probe);

  const change = {
    kind: 'update',
    targets: { ids: [id] },
    change: { appendNote: 'canary' },
    reason: 'canary',
  };
  const job = JSON.parse((await tell('POST', '/bff/jobs', change)).text) as { id: string };
  const prepared = await collector.span('prepare job');
  expect(prepared).toMatchObject({ kind: 'internal', attributes: { 'desk.job': job.id } });
  await expect.poll(async () => (await ask(`/bff/jobs/${job.id}`)).text()).toContain('"ready"');
  await tell('POST', `/bff/jobs/${job.id}/start`, {});
  const changed = await collector.span('change row of job');
  expect(changed.parentSpanId).toBeUndefined();
  await collector.span('PUT /subscribers/{id}', isChildOf(changed));

  await collector.span('HTTP *');
  const spans = collector.spans();
  // Spans are sent in the order in which they end; their times come from clocks that differ by a little.
  const ends = new Map(spans.map(({ spanId }, index) => [spanId, index]));
  // The worker goes on for long after the request that woke it.
  const late = spans.filter(
    ({ parentSpanId = '', attributes }, index) =>
      'db.query.text' in attributes && index > (ends.get(parentSpanId) ?? index),
  );
  expect(late).toEqual([]);
  const everything = collector.bodies.join();
  for (const one of ['canary', accessToken, 'probe', 'healthz', 'readyz', cookie.split('=')[1] ?? '?'])
    expect(everything.toLowerCase()).not.toContain(one.toLowerCase());
  expect(everything).not.toMatch(new RegExp(`subscribers/${id}\\b`));
});

describe('a collector that fails', () => {
  test('neither slows nor fails a request, and has one line in the log until it works again', async () => {
    const { collector, server, url } = await open({ OTEL_EXPORTER_OTLP_TIMEOUT: '5000' });
    collector.answerWith((response) => void response.writeHead(400).end('canary'));
    const { ask } = await signIn(url, password);
    await server.line(/"event":"traces-not-sent","reason":400\}/);
    // Now it takes what is sent, and says nothing.
    collector.answerWith(() => {});
    const sent = collector.bodies.length;
    const began = performance.now();
    for (let count = 0; count < 20; count += 1) expect((await ask('/bff/session')).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(15_000);
    await expect.poll(() => collector.bodies.length).toBeGreaterThan(sent + 1);
    collector.answerWith((response) => void response.writeHead(200).end('{}'));
    await ask('/bff/session');
    await server.line(/"event":"traces-sent-again"/);
    expect(server.output().split('traces-not-sent')).toHaveLength(2);
    expect(server.output() + server.complaints()).not.toContain('canary');
  });

  test('does not hold up the stop', async () => {
    const { collector, server, url } = await open({
      OTEL_BSP_SCHEDULE_DELAY: '60000',
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    });
    collector.answerWith(() => {});
    await signIn(url, password);
    const began = performance.now();
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(15_000);
    await expect.poll(() => collector.bodies).not.toEqual([]);
  });
});

/** Has a process say which files of OpenTelemetry it loads. */
const telling = `import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (url.includes('opentelemetry')) process.stderr.write('loads ' + url + '\\n');
    return next(url, context);
  } });`;

test('nothing of OpenTelemetry is loaded unless there is a collector; the stop sends it what was not sent yet', async () => {
  const start = async (env: Record<string, string>) => {
    const options = [
      '--import',
      `data:text/javascript,${encodeURIComponent(telling)}`,
      'src/server/start.ts',
    ];
    const usual = { PORT: '0', SAMPLE_SUBSCRIBERS: '0', MANAGER_PASSWORD: password };
    const server = startProcess(options, { ...usual, DATA_DIR: join(temporaryFolder(), 'data'), ...env });
    const url = await addressOf(server);
    await signIn(url, password);
    return { server, loaded: server.complaints().match(/^loads .*$/gm) ?? [] };
  };
  expect((await start({})).loaded).toEqual([]);
  const collector = await startCollector();
  const { server, loaded } = await start({ ...collector.env, OTEL_BSP_SCHEDULE_DELAY: '60000' });
  expect(loaded.length).toBeGreaterThan(3);
  expect(collector.bodies).toEqual([]);
  server.signal('SIGTERM');
  expect((await server.ended).code).toBe(0);
  await collector.span('POST /bff/session');
});
