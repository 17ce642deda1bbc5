import { expect, test } from 'vitest';
import { createServiceMetrics } from '../../../src/server/metrics.ts';
import { readExposition } from '../../support/bff/exposition.ts';
import { startService } from '../../support/service/harness.ts';
import { problemOf } from '../../support/service/problem-of.ts';

const token = 'canary-metrics-token';
const ask = (path = '/metrics', Authorization = `Bearer ${token}`, method = 'GET') =>
  new Request(`https://service.example${path}`, { method, headers: { Authorization } });

/** The figures of a service whose log goes through them. */
async function arrange() {
  const figures = createServiceMetrics(token);
  const service = await startService();
  const tell = figures.counted(() => {});
  const read = async () => {
    for (const { level, event, details } of service.log.splice(0))
      tell(level === 'info' ? 'info' : 'error', event, details);
    const samples = readExposition((await (await figures.answer(ask()))?.text()) ?? '');
    return Object.fromEntries(
      samples.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
    );
  };
  return { ...service, read };
}

test('the figures of the service count requests by route, method and class of status', async () => {
  const { send, read } = await arrange();
  for (const id of ['7', '8', 'canary']) await send('GET', `/subscribers/${id}`);
  await send('GET', '/subscribers?Username=canary');
  await send('PUT', '/canary');
  const found = await read();
  expect(found).toMatchObject({
    'service_requests_total /subscribers/{id} GET 4xx': 3,
    'service_requests_total /subscribers GET 2xx': 1,
    'service_requests_total none PUT 4xx': 1,
    'service_request_seconds_count /subscribers/{id} GET': 3,
    process_resident_memory_bytes: expect.any(Number),
  });
  expect(JSON.stringify(found)).not.toContain('canary');
});

test('the figures of the service count what the log warns of', async () => {
  const { db, send, read } = await arrange();
  await db.schema.alterTable('subscribers').renameTo('gone').execute();
  await send('GET', '/subscribers/7');
  expect(await read()).toMatchObject({
    'service_faults_total request-failed': 1,
    'service_requests_total /subscribers/{id} GET 5xx': 1,
  });
});

test('the metrics need the token, and exist at no other address', async () => {
  const { answer } = createServiceMetrics(token);
  for (const authorization of ['', 'Bearer canary', `Basic ${btoa(`x:${token}`)}`]) {
    const refused = await answer(ask('/metrics', authorization));
    expect(refused?.headers.get('WWW-Authenticate')).toMatch(/^Bearer realm="metrics"/);
    expect(refused && (await problemOf(refused)).problem).toBe('401 invalid-token');
  }
  expect((await answer(ask()))?.headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer(ask('/metrics/'))).toBe(null);
  expect(await answer(ask('/metrics', undefined, 'POST'))).toBe(null);
});
