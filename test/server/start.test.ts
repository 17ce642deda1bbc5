import { readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { readExposition } from '../support/bff/exposition.ts';
import { listenOnFreePort, unusedPort } from '../support/server/free-port.ts';
import { openServer } from '../support/server/in-process.ts';
import { openSocket, readAll, sendRaw } from '../support/server/raw-http.ts';
import { addressOf, bearer, signIn, startServer, totalCount } from '../support/server/server-process.ts';
import { root, startProcess } from '../support/server/start-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

const password = 'chosen by the operator';

describe('the first start', () => {
  it('prints a one-time password once, apart from the log, which the manager replaces at the first sign-in', async () => {
    const { url, output, complaints } = await openServer({ SAMPLE_SUBSCRIBERS: '30' });
    const [, oneTime = ''] =
      /^Sign in as manager with the one-time password ([a-z2-9-]{23})$/m.exec(complaints()) ?? [];
    const manager = await signIn(url, oneTime);
    expect([manager.status, (await manager.ask('GET', '/api/subscribers')).status]).toEqual([200, 403]);
    expect((await signIn(url, oneTime)).status).toBe(401);
    const newPassword = 'nine tired otters sing';
    expect((await manager.ask('PUT', '/bff/password', { newPassword })).status).toBe(200);
    const { ask } = await signIn(url, newPassword);
    expect(await totalCount(await ask('GET', '/api/subscribers'))).toBe(30);
    expect([output().includes(oneTime), complaints().split(oneTime).length]).toEqual([false, 2]);
  });
});

test('a first start that fails later prints the password, too: the next one finds the account and prints none', async () => {
  const SERVICE_DATABASE_URL = `postgres://desk@127.0.0.1:${await unusedPort()}/desk`;
  const DATA_DIR = join(temporaryFolder(), 'data');
  const failed = await startProcess(['src/server/main.ts', 'start'], {
    PORT: '0',
    DATA_DIR,
    SERVICE_DATABASE_URL,
  }).ended;
  expect(failed.stderr).toContain('The database server in SERVICE_DATABASE_URL does not answer');
  const [, oneTime = ''] =
    /^Sign in as manager with the one-time password (\S{23})$/m.exec(failed.stderr) ?? [];
  const next = await openServer({ DATA_DIR });
  expect(next.complaints()).toBe('');
  expect((await signIn(next.url, oneTime)).status).toBe(200);
});

describe('a server', () => {
  const token = 'canary-metrics-token';
  const opened = openServer({
    MANAGER_PASSWORD: password,
    METRICS_TOKEN: token,
    STATUS_HELP: 'Ask the finance team.',
    TRIAL_DAYS: '14',
    PLAYLIST_URL_TEMPLATE: 'https://tv.example/{token}',
  });

  it('takes the password of MANAGER_PASSWORD, and prints it nowhere', async () => {
    const { url, output, complaints } = await opened;
    expect(output()).toMatch(/^Sign in as manager with the password from MANAGER_PASSWORD\.$/m);
    expect((await signIn(url, `${password}!`)).status).toBe(401);
    const { ask } = await signIn(url, password);
    expect((await ask('GET', '/api/subscribers')).status).toBe(200);
    expect(output() + complaints()).not.toContain(password);
  });

  it('serves the dashboard, and is alive and ready', async () => {
    const { url } = await opened;
    const page = await fetch(`${url}/subscribers`);
    expect(await page.text()).toContain('<div id="root">');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('says what its process has used to who has METRICS_TOKEN, which is printed nowhere', async () => {
    const { url, output } = await opened;
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const answer = await fetch(`${url}/metrics`, { headers: bearer(token) });
    const samples = readExposition(await answer.text());
    const valueOf = (requested: string) => samples.find(({ name }) => name === requested)?.value ?? 0;
    expect(valueOf('process_resident_memory_bytes')).toBeGreaterThan(20 * 1024 ** 2);
    expect(valueOf('process_cpu_seconds_total')).toBeGreaterThan(0);
    const startedAt = Date.now() / 1000 - process.uptime();
    expect(Math.abs(startedAt - valueOf('process_start_time_seconds'))).toBeLessThan(60);
    expect(output()).not.toContain(token);
  });

  it('tells staff the words of STATUS_HELP, the days of TRIAL_DAYS and the template PLAYLIST_URL_TEMPLATE', async () => {
    const { url } = await opened;
    const { ask } = await signIn(url, password);
    expect(await (await ask('GET', '/bff/session')).json()).toMatchObject({
      statusHelp: 'Ask the finance team.',
      trialDays: 14,
      playlistUrlTemplate: 'https://tv.example/{token}',
    });
  });

  it('keeps all files for this user alone, while it runs', async () => {
    const { folder } = await opened;
    const names = readdirSync(folder);
    expect(names.length).toBeGreaterThan(3);
    const isOpen = (name: string) => (statSync(join(folder, name)).mode & 0o777) !== 0o600;
    expect(names.filter(isOpen)).toEqual([]);
  });

  it('logs lines of JSON, those of the service with its part', async () => {
    const { url, output } = await opened;
    await fetch(`${url}/healthz`);
    await fetch(`${url}/readyz`);
    const lines = output().trim().split('\n').slice(2);
    const parsed = lines.map((line) => JSON.parse(line));
    expect(parsed).toContainEqual(
      expect.objectContaining({ level: 'info', event: 'request', route: '/healthz', status: 200 }),
    );
    const parts = parsed.map(({ part, route }) => [part, route]);
    expect(parts).toContainEqual(['service', '/oauth/token']);
    expect(parts).toContainEqual([undefined, '/readyz']);
  });
});

test('a second start keeps everything and prints no password', async () => {
  const first = await openServer({ SAMPLE_SUBSCRIBERS: '3', MANAGER_PASSWORD: password });
  const before = await signIn(first.url, password);
  expect((await before.ask('DELETE', '/api/subscribers/1')).status).toBe(200);
  await first.stop();
  const second = await openServer({ DATA_DIR: first.folder, SAMPLE_SUBSCRIBERS: '3' });
  const { status, ask } = await signIn(second.url, password);
  expect(status).toBe(200);
  expect(await totalCount(await ask('GET', '/api/subscribers'))).toBe(2);
  expect(second.output() + second.complaints()).not.toContain('password');
});

test('a start brings back no made-up subscribers after somebody has deleted them all', async () => {
  const first = await openServer({ SAMPLE_SUBSCRIBERS: '2', MANAGER_PASSWORD: password });
  const { ask } = await signIn(first.url, password);
  for (const id of [1, 2]) expect((await ask('DELETE', `/api/subscribers/${id}`)).status).toBe(200);
  await first.stop();
  const second = await openServer({ DATA_DIR: first.folder, SAMPLE_SUBSCRIBERS: '2' });
  const again = await signIn(second.url, password);
  expect(await totalCount(await again.ask('GET', '/api/subscribers'))).toBe(0);
});

test('bundles get made-up names with made-up subscribers alone, and not where accounts alone are new', async () => {
  const first = await openServer({ SAMPLE_SUBSCRIBERS: '2', MANAGER_PASSWORD: password });
  const bundlesAt = async (url: string) =>
    (await (await (await signIn(url, password)).ask('GET', '/bff/bundles')).json()) as { bundles: unknown[] };
  expect((await bundlesAt(first.url)).bundles.length).toBeGreaterThan(0);
  await first.stop();
  rmSync(join(first.folder, 'desk.sqlite'));
  const env = { DATA_DIR: first.folder, SAMPLE_SUBSCRIBERS: '2', MANAGER_PASSWORD: password };
  expect((await bundlesAt((await openServer(env)).url)).bundles).toEqual([]);
});

describe('a start that cannot be done', () => {
  it('makes nothing where the port is in use', async () => {
    const other = createServer();
    onTestFinished(() => void other.close());
    const port = await listenOnFreePort(other);
    const parent = temporaryFolder();
    await expect(openServer({ DATA_DIR: join(parent, 'data'), PORT: String(port) })).rejects.toThrow(
      `Port ${port} is in use. Stop the other program or set PORT to another number.`,
    );
    expect(readdirSync(parent)).toEqual([]);
  });

  it('ends its process with 1 and a sentence for each fault, without a stack', async () => {
    const { code, stdout, stderr } = await startServer('', { LOG_LEVEL: 'loud' }).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toEqual([
      'Set DATA_DIR to a folder, such as ./data.',
      'Set LOG_LEVEL to one of: info, warn, error.',
    ]);
  });
});

describe('the development server', () => {
  const start = (env: Record<string, string>) =>
    startProcess(['src/server/dev.ts'], { PORT: '0', SAMPLE_SUBSCRIBERS: '0', ...env });

  it('serves pages with hot reload, and the BFF beside them, to this machine alone', async () => {
    const folder = join(temporaryFolder(), 'data');
    const dev = start({ DATA_DIR: folder });
    const url = await addressOf(dev);
    const statusOf = async (address: string, headers: Record<string, string> = {}) =>
      (await fetch(address, { headers })).status;
    const page = await fetch(`${url}/subscribers`, { headers: { Accept: 'text/html' } });
    expect(await page.text()).toContain('/@vite/client');
    expect(await statusOf(`${url}/bff/session`, { 'X-CSRF': '1' })).toBe(401);
    for (const path of ['/src/app/main.tsx', '/@vite/client', '/favicon.svg'])
      expect(await statusOf(url + path), path).toBe(200);
    const data = join(folder, 'desk.sqlite');
    // Beside the examples of a deployment are its passwords.
    const deployment = '/src/server/deploy/compose.yaml';
    const hidden = [`/@fs${data}`, `/@fs${data}-wal`, deployment, '/package.json', '/package-lock.json'];
    for (const path of [...hidden, `/@fs${root}README.md`])
      expect([403, 404], path).toContain(await statusOf(url + path, { Accept: '*/*' }));
    const html = { Accept: 'text/html' };
    expect(await statusOf(`${url.replace('127.0.0.1', 'localhost')}/subscribers`, html)).toBe(200);
    const inEditor = `${url}/__open-in-editor?file=package.json`;
    expect(await statusOf(inEditor, { ...html, 'Sec-Fetch-Site': 'cross-site' })).toBe(404);

    const { host, port } = new URL(url);
    const upgrading = await openSocket(Number(port));
    const upgraded = readAll(upgrading);
    upgrading.write(`GET /x HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n`);
    expect(await upgraded).toBe('');
    const other = await fetch(`${url}/src/app/main.tsx`, { headers: { Origin: 'http://localhost:1' } });
    expect(other.headers.get('Access-Control-Allow-Origin')).toBe(null);
    const ofAnotherHost = (line: string) =>
      sendRaw(Number(port), `GET /src/app/main.tsx HTTP/1.1\r\n${line}Connection: close\r\n\r\n`);
    expect(await ofAnotherHost('Host: evil.test\r\n')).toMatch(/^HTTP\/1\.1 421 /);
    expect(await ofAnotherHost('')).toMatch(/^HTTP\/1\.1 400 /);
    dev.signal('SIGTERM');
    expect((await dev.ended).code).toBe(0);
  });

  it('does not start for other machines', async () => {
    const env = { HOST: '0.0.0.0', PUBLIC_URL: 'https://desk.example.com' };
    const { code, stderr } = await start({ ...env, DATA_DIR: join(temporaryFolder(), 'data') }).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Set HOST to 127\.0\.0\.1, or leave it out: /),
    ]);
  });
});
