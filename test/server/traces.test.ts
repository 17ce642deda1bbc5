import { describe, expect, it, test } from 'vitest';
import { openServer, openService } from '../support/server/in-process.ts';
import { startCollector, type CollectedSpan } from '../support/server/collector.ts';
import { signIn } from '../support/server/server-process.ts';
import { startProcess } from '../support/server/start-process.ts';
import { person } from '../support/people.ts';

const password = 'chosen by the operator';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

async function open(env: Record<string, string> = {}) {
  const collector = await startCollector();
  const server = await openServer({
    MANAGER_PASSWORD: password,
    SAMPLE_SUBSCRIBERS: '20',
    ...collector.env,
    ...env,
  });
  return { collector, ...server };
}

/** One for what needs none of its own. */
const shared = await open({ OTEL_SERVICE_NAME: 'desk-of-the-north' });

const isChildOf = (one: CollectedSpan) => (other: CollectedSpan) => other.parentSpanId === one.spanId;

test('a request is a span with the calls, hashes and statements that it waits for', async () => {
  const { collector, output, url } = shared;
  const { ask } = await signIn(url, password);
  const answer = await ask('GET', '/api/subscribers/7?from=search');
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
    'server.port': Number(new URL(url).port),
    'desk.operation': 'getSubscriber',
    'desk.request_id': answer.headers.get('X-Request-Id'),
  });
  expect(output()).toContain(`"traceId":"${served.traceId}"`);

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
  const msOf = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1_000_000n);
  expect(msOf(called.startTimeUnixNano)).toBeGreaterThanOrEqual(msOf(served.startTimeUnixNano));
  // A span begins at a whole millisecond, so of two the ends are up to one apart.
  expect(msOf(called.endTimeUnixNano)).toBeLessThanOrEqual(msOf(served.endTimeUnixNano) + 1);

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
  const service = await openService({
    ...collector.env,
    SAMPLE_SUBSCRIBERS: '20',
    SERVICE_CLIENTS: `desk:${secret}:subscribers:read subscribers:write`,
  });
  const { url } = await openServer({
    ...collector.env,
    MANAGER_PASSWORD: password,
    TRUSTED_PROXIES: '127.0.0.1',
    UPSTREAM_URL: service.url,
    UPSTREAM_CLIENT_ID: 'desk',
    UPSTREAM_CLIENT_SECRET: secret,
    UPSTREAM_SCOPE_READ: 'subscribers:read',
    UPSTREAM_SCOPE_WRITE: 'subscribers:write',
  });
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

  await service.stop();
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
  const { collector, url } = shared;
  const { ask, api, cookie } = await signIn(url, password);
  const personal = { username: 'canary.name', email: 'canary@example.com', note: 'canary note' };
  const { data } = await api.createSubscriber({ body: { ...person('x'), ...personal } });
  const { id } = data;
  const { accessToken } = await (await ask('POST', `/bff/subscribers/${id}/reveal-token`)).json();
  await ask('GET', '/api/subscribers?Username=canary.name&Email=canary%40');
  await ask('POST', '/bff/find-by-token', { accessToken });
  await ask('GET', '/no/such/canary?page=canary');
  await ask('GET', `/api/subscribers/${id}/canary`);
  await fetch(`${url}/`, { method: 'PROPFIND' });
  for (const probe of ['/healthz', '/readyz']) await fetch(url + probe);

  const change = {
    kind: 'update',
    targets: { ids: [id] },
    change: { appendNote: 'canary' },
    reason: 'canary',
  };
  const job: { id: string } = await (await ask('POST', '/bff/jobs', change)).json();
  const prepared = await collector.span('prepare job');
  expect(prepared).toMatchObject({ kind: 'internal', attributes: { 'desk.job': job.id } });
  await expect.poll(async () => (await ask('GET', `/bff/jobs/${job.id}`)).text()).toContain('"ready"');
  await ask('POST', `/bff/jobs/${job.id}/start`, {});
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
  it('slows and fails no request, and has one line in the log until it works again', async () => {
    const { collector, url, output, complaints } = await open({ OTEL_EXPORTER_OTLP_TIMEOUT: '2000' });
    collector.answerWith(() => new Response('canary', { status: 400 }));
    const { ask } = await signIn(url, password);
    await expect.poll(output).toMatch(/"event":"traces-not-sent","reason":400\}/);
    // Now it takes what is sent, and says nothing.
    collector.answerWith(() => new Promise(() => {}));
    const sent = collector.bodies.length;
    const began = performance.now();
    for (let count = 0; count < 20; count += 1) expect((await ask('GET', '/bff/session')).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(15_000);
    await expect.poll(() => collector.bodies.length).toBeGreaterThan(sent + 1);
    collector.answerWith(() => Response.json({}));
    await ask('GET', '/bff/session');
    await expect.poll(output).toContain('"event":"traces-sent-again"');
    expect(output().split('traces-not-sent')).toHaveLength(2);
    expect(output() + complaints()).not.toContain('canary');
  });

  it('does not hold up the stop, which sends what was not sent yet', async () => {
    const late = { OTEL_BSP_SCHEDULE_DELAY: '60000', OTEL_EXPORTER_OTLP_TIMEOUT: '60000' };
    const { collector, url, stop } = await open(late);
    collector.answerWith(() => new Promise(() => {}));
    await signIn(url, password);
    expect(collector.bodies).toEqual([]);
    const began = performance.now();
    await stop();
    expect(performance.now() - began).toBeLessThan(15_000);
    await collector.span('POST /bff/session');
  });
});

test('nothing of OpenTelemetry is loaded without a collector', async () => {
  const script = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      if (url.includes('opentelemetry')) console.log('loads ' + url);
      return next(url, context);
    } });
    await import('./src/server/start-server.ts');
    const { openTraces } = await import('./src/server/traces.ts');
    await openTraces({}, {});
    console.log('opened');
    await openTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, { service: 'subscriber-desk', url: 'http://localhost' });
    process.exit(0);`;
  const { code, stdout } = await startProcess(['--input-type=module', '-e', script]).ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^opened\nloads [^]*\nloads /)]);
});
