import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readExposition } from '../bff/exposition.ts';
import { faults } from './faults.ts';
import { answer, startFaultyService } from './faulty-service.ts';
import { addressOf, startServer } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const secrets = {
  UPSTREAM_CLIENT_SECRET: 'canary-client-secret',
  MANAGER_PASSWORD: 'canary-manager-password',
  METRICS_TOKEN: 'canary-metrics-token',
};
const subscriberToken = 'canary-subscriber-token';
const good = faults.length + 1;

/** What came of a request: its status and how long it took, in ms. */
interface Outcome {
  status: number;
  took: number;
}

/**
 * A server process with its real limits, in front of a service that has a fault for each id and answers the id after
 * the last correctly. Keeps all that the server prints, to be searched for secrets.
 */
export async function openServerWithFaultyService(env: Record<string, string> = {}) {
  const service = await startFaultyService((socket, count) => {
    const id = Number(/^\w+ \/v1\/subscribers\/(\d+)/.exec(service.requests[count - 1] ?? '')?.[1]);
    const fault = faults[id - 1]?.[1];
    if (fault) fault(socket, count);
    else socket.end(answer(JSON.stringify({ id: good })));
  });
  const server = startServer(join(temporaryFolder(), 'data'), {
    ...secrets,
    UPSTREAM_URL: service.url,
    UPSTREAM_CLIENT_ID: 'desk',
    UPSTREAM_SCOPE_READ: 'read',
    UPSTREAM_SCOPE_WRITE: 'write',
    ...env,
  });
  const url = await addressOf(server);
  const said: string[] = [];
  const headers: Record<string, string> = { 'X-CSRF': '1', Origin: url };

  const ask = async (method: string, path: string, body?: object): Promise<Outcome> => {
    const began = performance.now();
    const type = body && { 'Content-Type': 'application/json' };
    const init = { method, headers: { ...headers, ...type }, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(url + path, init);
    const others = [...response.headers].filter(([name]) => name !== 'set-cookie');
    headers['Cookie'] ??= response.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    said.push(`${JSON.stringify(others)} ${await response.text()}`);
    return { status: response.status, took: performance.now() - began };
  };

  expect(
    await ask('POST', '/bff/session', { name: 'manager', password: 'canary-wrong-password' }),
  ).toMatchObject({
    status: 401,
  });
  delete headers['Cookie'];
  await ask('POST', '/bff/session', { name: 'manager', password: secrets.MANAGER_PASSWORD });
  // Packing the dashboard's files for browsers takes more than serving them: what counts is the time from now on.
  if (existsSync(`/proc/${server.pid}/clear_refs`)) writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
  return {
    ask,
    /** Finding by token, well and in every way that the service may fail. */
    find: () => ask('POST', '/bff/find-by-token', { accessToken: subscriberToken }),
    /** One correct answer; none after failures means that the server is broken. */
    askWell: () => ask('GET', `/api/subscribers/${good}`),
    /** Bytes of memory; where the system says so (Linux), the most that there ever were since it served. */
    async memory() {
      const status = `/proc/${server.pid}/status`;
      const peak = existsSync(status)
        ? /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8'))?.[1]
        : undefined;
      if (peak !== undefined) return Number(peak) * 1024;
      const authorization = { Authorization: `Bearer ${secrets.METRICS_TOKEN}` };
      const samples = readExposition(
        await (await fetch(`${url}/metrics`, { headers: authorization })).text(),
      );
      return samples.find(({ name }) => name === 'process_resident_memory_bytes')?.value ?? Number.NaN;
    },
    /** Everything that was answered, logged or can be seen of the process by others. */
    everything() {
      const line = `/proc/${server.pid}/cmdline`;
      const visible = existsSync(line) ? readFileSync(line, 'utf8') : '';
      return [...said, server.output(), server.complaints(), visible].join('\n');
    },
    sessionId: () => headers['Cookie']?.split('=')[1] ?? '',
  };
}
