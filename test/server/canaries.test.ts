import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildDashboard } from '../../src/server/build/build.ts';
import { startCollector } from '../support/server/collector.ts';
import { faults } from '../support/server/faults.ts';
import { openServer } from '../support/server/in-process.ts';
import { idOfFault, openServerWithFaultyService } from '../support/server/server-with-faulty-service.ts';
import { root } from '../support/server/start-process.ts';

/** Those that end at once; the others take their real 10 to 15 seconds, which `npm run test:long` gives them. */
const quick = faults.flatMap(([name, , status], index) =>
  status === 504 || name.includes('a letter at a time') ? [] : [{ id: idOfFault(index), status }],
);

test('no secret is answered, logged or traced, whatever fault the service has', async () => {
  const collector = await startCollector();
  const key = { OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=canary%20key' };
  const desk = await openServerWithFaultyService((env) => openServer({ ...env, ...collector.env, ...key }));
  expect(quick.length).toBeGreaterThanOrEqual(25);
  for (const { id, status } of quick)
    for (const method of ['GET', 'DELETE']) {
      expect([id, (await desk.ask(method, `/api/subscribers/${id}`)).status]).toEqual([id, status]);
      // Between them too: both try more than once, and some failures in a row would open the breaker.
      expect((await desk.askWell()).status).toBe(200);
    }
  await desk.ask('POST', '/bff/find-by-token', { accessToken: 'canary-subscriber-token' });
  // A line may come a little after its answer, and this one comes last.
  await expect.poll(desk.everything).toContain('"route":"/bff/find-by-token"');
  await collector.span('POST /bff/find-by-token');
  expect(collector.headers[0]).toHaveProperty('x-api-key', 'canary key');
  const everything = [desk.everything(), ...collector.bodies].join('\n');
  expect(everything).toContain('"event":"upstream-failed"');
  expect(desk.sessionId()).toHaveLength(43);
  expect(everything).not.toContain(desk.sessionId());
  expect(everything).not.toMatch(/canary/i);
});

test('the built dashboard holds nothing that only the server may know', async () => {
  const folder = await buildDashboard({ root, mode: 'app', say: () => {} });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const secret = /canary|UPSTREAM_|MANAGER_PASSWORD|METRICS_TOKEN|argon2|sourceMappingURL/;
  const texts = files.flatMap((entry) =>
    entry.isFile() ? [[entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')] as const] : [],
  );
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.filter(([, text]) => secret.test(text)).map(([name]) => name)).toEqual([]);
});
