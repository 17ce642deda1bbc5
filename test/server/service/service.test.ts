import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  askToken,
  bearer,
  runService,
  serviceAddress,
  doCommand,
  secretIn,
  type ServiceCommand,
} from '../../support/server/service-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const secret = 'a-secret-of-more-than-32-characters';
const anywhere = () => join(temporaryFolder(), 'data');

/** Runs a command to its end. */
async function run(folder: string, ...command: string[]) {
  const { code, stdout, stderr } = await runService(folder, {}, ...command).ended;
  return { code, stdout, stderr, secret: secretIn(stdout) };
}

describe('the service by itself', () => {
  test('serves the clients of SERVICE_CLIENTS, each with its own scopes', async () => {
    const clients = `crm:${secret}:subscribers:read, shop:${secret}:subscribers:read subscribers:write`;
    const service = runService(anywhere(), { SERVICE_CLIENTS: clients, SAMPLE_SUBSCRIBERS: '7' });
    const url = await serviceAddress(service);
    const { token } = await askToken(url, 'crm', secret);
    const answer = await fetch(`${url}/subscribers`, { headers: bearer(token) });
    expect(await answer.json()).toMatchObject({ totalCount: 7 });
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect((await askToken(url, 'crm', secret, 'subscribers:write')).status).toBe(400);
    expect((await askToken(url, 'shop', secret, 'subscribers:write')).status).toBe(200);
    expect(service.output()).not.toContain('Nobody');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  test('says how to make a client where there is none', async () => {
    const folder = anywhere();
    const empty = runService(folder);
    await empty.line(/^It has no API clients yet\. Add one: npm run service -- add-client ID$/);
    await command(folder, 'add-client', 'crm');
    const known = runService(folder);
    await serviceAddress(known);
    known.signal('SIGTERM');
    expect((await known.ended).stdout).not.toContain('Nobody');
  });

  test('is alive and ready, and ends well when it is told to', async () => {
    const METRICS_TOKEN = 'token-of-the-monitoring';
    const service = runService(anywhere(), { METRICS_TOKEN });
    const url = await serviceAddress(service);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const figures = await fetch(`${url}/metrics`, { headers: bearer(METRICS_TOKEN) });
    expect(await figures.text()).toContain(
      'service_requests_total{route="/healthz",method="GET",status="2xx"} 1',
    );
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const readiness = async (headers = {}) => (await fetch(`${url}/readyz`, { headers })).json();
    expect(await readiness()).toEqual({ ready: true });
    expect(await readiness({ Authorization: `Bearer ${METRICS_TOKEN}` })).toEqual({
      ready: true,
      database: true,
    });
    service.signal('SIGTERM');
    const { code, stdout, stderr } = await service.ended;
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ event: 'request', route: '/readyz', status: 200 }),
    );
  });

  test('keeps no secret that anybody could read', async () => {
    const folder = anywhere();
    const { secret: made, code } = await run(folder, 'add-client', 'crm');
    expect([code, made.length]).toEqual([0, 43]);
    const env = { SERVICE_CLIENTS: `shop:${secret}:subscribers:read` };
    const service = runService(folder, env);
    await serviceAddress(service);
    service.signal('SIGTERM');
    const { stdout, stderr } = await service.ended;
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    for (const text of [...files, stdout, stderr])
      for (const known of [made, secret]) expect(text.includes(known)).toBe(false);
  });

  test('does not start on a port in use, and names its own variable', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const { code, stderr } = await runService(anywhere(), { SERVICE_PORT: String(port) }).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} is in use. Stop the other program or set SERVICE_PORT to another number.\n`,
    );
  });
});

/** Does a command in this process, on the tables of a folder. */
const command = (folder: string, name: ServiceCommand, ...options: string[]) =>
  doCommand({ DATA_DIR: folder }, name, ...options);

test('a secret is replaced without a pause, and the client is locked out, while the service runs', async () => {
  const folder = anywhere();
  const url = await serviceAddress(runService(folder));
  const statuses = async (...secrets: string[]) =>
    Promise.all(secrets.map(async (each) => (await askToken(url, 'crm', each)).status));
  const first = await command(folder, 'add-client', 'crm', 'subscribers:read');
  const second = await command(folder, 'add-secret', 'crm');
  expect(await statuses(first.secret, second.secret)).toEqual([200, 200]);
  expect(await command(folder, 'add-secret', 'crm')).toMatchObject({
    refusal: expect.stringContaining('already has two secrets'),
    secret: '',
  });
  expect((await command(folder, 'remove-secret', 'crm')).refusal).toBe('');
  expect(await statuses(first.secret, second.secret)).toEqual([401, 200]);
  expect((await command(folder, 'remove-secret', 'crm')).refusal).toMatch(/has only one secret/);
  expect(await statuses(second.secret)).toEqual([200]);
  expect((await command(folder, 'remove-client', 'crm')).refusal).toBe('');
  expect(await statuses(second.secret)).toEqual([401]);
});

test('after rotate-keys the old token and a new one are good', async () => {
  const folder = anywhere();
  const url = await serviceAddress(runService(folder));
  const { secret: its } = await command(folder, 'add-client', 'crm');
  const { token: old } = await askToken(url, 'crm', its);
  expect((await command(folder, 'rotate-keys')).refusal).toBe('');
  const { token: next } = await askToken(url, 'crm', its);
  for (const token of [old, next])
    expect((await fetch(`${url}/subscribers`, { headers: bearer(token) })).status).toBe(200);
});

describe('a command that cannot be done', () => {
  test.each([
    [['dance'], /^Give a command: npm run service -- COMMAND\. The commands are: add-client, /],
    [['add-client'], /^Give the new client an ID/],
  ])('is a sentence and exit code 1: %j', async (options, sentence) => {
    const { code, stdout, stderr } = await run(anywhere(), ...options);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
  });

  test.each([
    ['add-client', ['a:b'], /^This is not a client ID\. Use 1 to 64 /],
    [
      'add-client',
      ['crm', 'everything'],
      /^There is no such scope\. Choose from: subscribers:read, subscribers:write\./,
    ],
    ['add-secret', ['nobody'], /^There is no client nobody\./],
    ['remove-secret', ['nobody'], /^There is no client nobody\./],
    ['remove-client', ['nobody'], /^There is no client nobody\./],
    ['remove-client', [], /^Give the ID of one client: npm run service -- remove-client ID\./],
    ['rotate-keys', ['now'], /^Give rotate-keys no options\./],
  ] as const)('says why: %s %j', async (name, options, sentence) => {
    expect((await command(anywhere(), name, ...options)).refusal).toMatch(sentence);
  });

  test('says that there is a client of the same id', async () => {
    const folder = anywhere();
    await command(folder, 'add-client', 'crm');
    expect((await command(folder, 'add-client', 'crm')).refusal).toMatch(/^The client crm already exists\./);
  });
});
