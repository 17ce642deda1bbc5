import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildDashboard } from '../../src/server/build/build.ts';
import { startCollector } from '../support/server/collector.ts';
import { root } from '../support/server/start-process.ts';
import { faults } from '../support/server/faults.ts';
import { openServerWithFaultyService } from '../support/server/server-with-faulty-service.ts';

let folder: string;

beforeAll(async () => {
  folder = await buildDashboard({ root, mode: 'app', say: () => {} });
});

/** Those that end at once; the others take their real 10 to 15 seconds, which `npm run test:long` gives them. */
const quick = faults.flatMap(([name, , status], index) =>
  status === 504 || name.includes('a letter at a time') ? [] : [{ id: index + 1, status }],
);

test('no secret is answered, logged, traced or seen of the process, whatever fault the service has', async () => {
  const collector = await startCollector();
  const key = { OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=canary%20key' };
  const server = await openServerWithFaultyService({ ...collector.env, ...key });
  expect(quick.length).toBeGreaterThanOrEqual(25);
  for (const { id, status } of quick) {
    for (const method of ['GET', 'DELETE']) {
      expect([id, (await server.ask(method, `/api/subscribers/${id}`)).status]).toEqual([id, status]);
      // Between them too: both try more than once, and some failures in a row would open the breaker.
      expect((await server.askWell()).status).toBe(200);
    }
  }
  await server.find();
  // A line may come a little after its answer, and this one comes last.
  await expect.poll(() => server.everything()).toContain('"route":"/bff/find-by-token"');
  await collector.span('POST /bff/find-by-token');
  expect(collector.headers[0]).toHaveProperty('x-api-key', 'canary key');
  const everything = [server.everything(), ...collector.bodies].join('\n');
  expect(everything).toContain('"event":"upstream-failed"');
  expect(server.sessionId()).toHaveLength(43);
  expect(everything).not.toContain(server.sessionId());
  expect(everything).not.toMatch(/canary/i);
});

test('the built dashboard holds nothing that only the server may know', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(3);
  const telling = files.filter((entry) => {
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    return /canary|UPSTREAM_|MANAGER_PASSWORD|METRICS_TOKEN|argon2|sourceMappingURL/.test(text);
  });
  expect(telling.map(({ name }) => name)).toEqual([]);
});
