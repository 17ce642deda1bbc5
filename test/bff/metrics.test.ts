import { beforeEach, describe, expect, it, test } from 'vitest';
import { breakerLimits } from '../../src/bff/upstream/send.ts';
import { createBffMetrics } from '../../src/server/metrics.ts';
import { createTestDesk, type TestDesk } from '../support/desk.ts';
import { onlyPage, subscriber } from '../support/bff/canned.ts';
import { ask, credentialsOf, outcomeOf } from '../support/bff/browser.ts';
import { everyRoute } from '../support/bff/routes.ts';
import { readExposition, type Sample } from '../support/bff/exposition.ts';

const token = 'canary-metrics-token';

let bff: TestDesk;

beforeEach(async () => {
  bff = await createTestDesk({
    service: 'canned',
    metrics: { token, figures: createBffMetrics() },
  });
});

/** As Prometheus asks: without a session and without our header. */
const asMonitor = (Authorization: string | null = `Bearer ${token}`) =>
  ask('GET', '/metrics', { headers: { 'X-CSRF': null, 'Sec-Fetch-Site': null, Authorization } });

const read = async () => readExposition(await (await bff.fetch(asMonitor())).text());

/** The value of the one series with these labels. */
async function valueOf(name: string, labels: Record<string, string> = {}) {
  const fits = (sample: Sample) =>
    sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
  const found = (await read()).filter(fits);
  return found.length === 1 ? found[0]?.value : `${found.length} series`;
}

describe('the page of figures', () => {
  it('is read with the token, in the text format of Prometheus, and kept by no cache', async () => {
    const answer = await bff.fetch(asMonitor());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(readExposition(await answer.text()).length).toBeGreaterThan(0);
  });

  it.each([
    ['none', null, 'Bearer realm="metrics"'],
    ['another', 'Bearer canary-another', 'Bearer realm="metrics", error="invalid_token"'],
    [
      'one that begins alike',
      `Bearer ${token.slice(0, -1)}`,
      'Bearer realm="metrics", error="invalid_token"',
    ],
    ['one that goes on', `Bearer ${token}x`, 'Bearer realm="metrics", error="invalid_token"'],
    ['a password', `Basic ${btoa(`x:${token}`)}`, 'Bearer realm="metrics"'],
  ])('is refused with %s as the token', async (_, authorization, challenge) => {
    const answer = await bff.fetch(asMonitor(authorization));
    expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, challenge]);
    expect(await answer.text()).not.toContain('canary');
  });

  it('does not exist without a configured token', async () => {
    bff = await createTestDesk({ service: 'canned' });
    expect(await outcomeOf(bff.fetch(asMonitor()))).toBe('404 no-such-address');
  });
});

describe('the counters of the page of figures', () => {
  test('requests are counted by route, method and class of status, with how long they took', async () => {
    const headers = { Cookie: (await bff.signIn('viewer')).cookie() };
    bff.upstream.operation = () => {
      bff.time.now += 70;
      return Response.json(subscriber);
    };
    for (let reads = 0; reads < 2; reads += 1) await bff.fetch(ask('GET', '/api/subscribers/7', { headers }));
    await bff.fetch(ask('GET', '/api/subscribers/seven', { headers }));
    const labels = { route: '/api/subscribers/{id}', method: 'GET' };
    expect(await valueOf('desk_requests_total', { ...labels, status: '2xx' })).toBe(2);
    expect(await valueOf('desk_requests_total', { ...labels, status: '4xx' })).toBe(1);
    expect(await valueOf('desk_request_seconds_bucket', { ...labels, le: '0.05' })).toBe(1);
    expect(await valueOf('desk_request_seconds_bucket', { ...labels, le: '0.1' })).toBe(3);
    expect(await valueOf('desk_request_seconds_count', labels)).toBe(3);
    expect(await valueOf('desk_request_seconds_sum', labels)).toBeCloseTo(0.14);
  });

  test('every request upstream is counted by operation and outcome, tokens and retries too', async () => {
    const headers = { Cookie: (await bff.signIn('viewer')).cookie() };
    bff.upstream.operation = () => Promise.reject(new TypeError('connect ECONNREFUSED'));
    await bff.fetch(ask('GET', '/api/subscribers', { headers }));
    const calls = 'desk_upstream_calls_total';
    expect(await valueOf(calls, { operation: 'issueToken', outcome: '2xx' })).toBe(1);
    expect(await valueOf(calls, { operation: 'listSubscribers', outcome: 'upstream-unreachable' })).toBe(3);
    expect(await valueOf('desk_upstream_call_seconds_count', { operation: 'listSubscribers' })).toBe(3);
  });

  test('no failure is counted, nor logged as a warning, where the client does not wait for the answer', async () => {
    const headers = { Cookie: (await bff.signIn('viewer')).cookie() };
    const client = new AbortController();
    bff.upstream.operation = () => {
      client.abort();
      return Promise.reject(new TypeError('aborted'));
    };
    await bff.fetch(new Request(ask('GET', '/api/subscribers/7', { headers }), { signal: client.signal }));
    const calls = (await read()).filter(({ labels }) => labels['operation'] === 'getSubscriber');
    expect(new Set(calls.flatMap(({ labels }) => labels['outcome'] ?? []))).toEqual(new Set(['given-up']));
    expect(await valueOf('desk_requests_total', { route: '/api/subscribers/{id}' })).toBe(1);
    expect(await valueOf('desk_requests_total', { route: '/api/subscribers/{id}', status: 'none' })).toBe(1);
    expect(bff.logs.filter(({ level }) => level !== 'info')).toEqual([]);
    expect(bff.logs).toContainEqual(expect.objectContaining({ event: 'request', clientGone: true }));
  });

  test('sign-ins are counted by their outcome', async () => {
    const tryWith = (password: string) =>
      bff.fetch(ask('POST', '/bff/session', { body: { ...credentialsOf('viewer'), password } }));
    await bff.signIn('viewer');
    for (let count = 0; count < 12; count += 1) await tryWith('wrong');
    expect(await valueOf('desk_sign_ins_total', { outcome: 'done' })).toBe(1);
    expect(await valueOf('desk_sign_ins_total', { outcome: 'refused' })).toBe(10);
    expect(await valueOf('desk_sign_ins_total', { outcome: 'limited' })).toBe(2);
  });
});

test('the figures say whether the breaker is open', async () => {
  const headers = { Cookie: (await bff.signIn('viewer')).cookie() };
  const list = () => bff.fetch(ask('GET', '/api/subscribers', { headers }));
  expect(await valueOf('desk_upstream_breaker_open')).toBe(0);
  bff.upstream.operation = () => new Response(null, { status: 503 });
  for (let count = 0; count < breakerLimits.failures; count += 1) await list();
  expect(await valueOf('desk_upstream_breaker_open')).toBe(1);
  bff.upstream.operation = () => Response.json(onlyPage);
  bff.time.now += breakerLimits.pause;
  await list();
  expect(await valueOf('desk_upstream_breaker_open')).toBe(0);
});

test('the figures contain only patterns and names of the tables, even for odd requests', async () => {
  const headers = { Cookie: (await bff.signIn('manager')).cookie() };
  for (const { method, path, body } of everyRoute)
    await bff.fetch(ask(method, `${path}?x=canary`, { body, headers }));
  for (const path of ['/canary', '/api/canary', '/api/subscribers/canary', '/bff/staff/canary'])
    for (const method of ['GET', 'PUT', 'CANARY']) await bff.fetch(ask(method, path, { headers }));
  const routes = new Set([
    ...everyRoute.map(({ line }) => line.split(' ')[1] ?? ''),
    '*',
    'none',
    '/metrics',
  ]);
  const labels = (await read()).map((sample) => sample.labels);
  expect(labels.filter(({ route }) => route !== undefined && !routes.has(route))).toEqual([]);
  expect(JSON.stringify(labels)).not.toMatch(/canary/i);
});
