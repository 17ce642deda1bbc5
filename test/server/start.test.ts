import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildDashboard } from '../../src/server/build/build.ts';
import { openSocket, readAll, sendRaw } from '../support/server/raw-http.ts';
import { readExposition } from '../support/bff/exposition.ts';
import { root, startProcess } from '../support/server/start-process.ts';
import { addressOf, signIn, startServer, totalCount, writeTo } from '../support/server/server-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

// One build before the tests, rather than within the time of the first.
beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

const firstPassword = /^Sign in as manager with the one-time password ([a-z2-9-]{23})$/;

describe('the first start', () => {
  test('prints a one-time password once, apart from the log, which the manager replaces at the first sign-in', async () => {
    const server = startServer(join(temporaryFolder(), 'data'), { SAMPLE_SUBSCRIBERS: '30' });
    const url = await addressOf(server);
    const [, oneTime = ''] = await server.errorLine(firstPassword);
    const manager = await signIn(url, oneTime);
    expect([manager.status, (await manager.ask('/api/subscribers')).status]).toEqual([200, 403]);
    expect((await signIn(url, oneTime)).status).toBe(401);
    const chosen = 'nine tired otters sing';
    const change = await writeTo(url, manager.cookie)('PUT', '/bff/password', { newPassword: chosen });
    expect(change.status).toBe(200);
    const { ask } = await signIn(url, chosen);
    expect(await totalCount(await ask('/api/subscribers'))).toBe(30);
    server.signal('SIGTERM');
    const { stdout, stderr } = await server.ended;
    expect([stdout.includes(oneTime), stderr.split(oneTime).length]).toEqual([false, 2]);
  });

  test('takes the password of MANAGER_PASSWORD and does not print it', async () => {
    const password = 'chosen by the operator';
    const server = startServer(join(temporaryFolder(), 'data'), {
      SAMPLE_SUBSCRIBERS: '0',
      MANAGER_PASSWORD: password,
    });
    const url = await addressOf(server);
    await server.line(/^Sign in as manager with the password from MANAGER_PASSWORD\.$/);
    expect((await signIn(url, password)).status).toBe(200);
    expect((await signIn(url, `${password}!`)).status).toBe(401);
    expect((await (await signIn(url, password)).ask('/api/subscribers')).status).toBe(200);
    expect(server.output() + server.complaints()).not.toContain(password);
  });

  test('serves the dashboard, and is alive and ready', async () => {
    const server = startServer(join(temporaryFolder(), 'data'), { SAMPLE_SUBSCRIBERS: '0' });
    const url = await addressOf(server);
    const page = await fetch(`${url}/subscribers`);
    expect(await page.text()).toContain('<div id="root">');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

test('what the process has used is read with METRICS_TOKEN, which is printed nowhere', async () => {
  const token = 'canary-metrics-token';
  const server = startServer(join(temporaryFolder(), 'data'), {
    SAMPLE_SUBSCRIBERS: '0',
    METRICS_TOKEN: token,
  });
  const url = await addressOf(server);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  const answer = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
  const samples = readExposition(await answer.text());
  const valueOf = (wanted: string) => samples.find(({ name }) => name === wanted)?.value ?? 0;
  expect(valueOf('process_resident_memory_bytes')).toBeGreaterThan(20 * 1024 ** 2);
  expect(valueOf('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(Math.abs(Date.now() / 1000 - valueOf('process_start_time_seconds'))).toBeLessThan(60);
  expect(server.output()).not.toContain(token);
});

test('staff learn the words of STATUS_HELP, the days of TRIAL_DAYS and the template PLAYLIST_URL_TEMPLATE', async () => {
  const password = 'chosen by the operator';
  const server = startServer(join(temporaryFolder(), 'data'), {
    SAMPLE_SUBSCRIBERS: '0',
    MANAGER_PASSWORD: password,
    STATUS_HELP: 'Ask the finance team.',
    TRIAL_DAYS: '14',
    PLAYLIST_URL_TEMPLATE: 'https://tv.example/{token}',
  });
  const { ask } = await signIn(await addressOf(server), password);
  expect(await (await ask('/bff/session')).json()).toMatchObject({
    statusHelp: 'Ask the finance team.',
    trialDays: 14,
    playlistUrlTemplate: 'https://tv.example/{token}',
  });
});

test('a second start keeps everything and prints no password', async () => {
  const folder = join(temporaryFolder(), 'data');
  const password = 'chosen by the operator';
  const first = startServer(folder, { SAMPLE_SUBSCRIBERS: '3', MANAGER_PASSWORD: password });
  const before = await signIn(await addressOf(first), password);
  expect((await before.ask('/api/subscribers/1', 'DELETE')).status).toBe(200);
  first.signal('SIGTERM');
  expect((await first.ended).code).toBe(0);

  const second = startServer(folder, { SAMPLE_SUBSCRIBERS: '3' });
  const { status, ask } = await signIn(await addressOf(second), password);
  expect(status).toBe(200);
  expect(await totalCount(await ask('/api/subscribers'))).toBe(2);
  expect(second.output() + second.complaints()).not.toContain('password');
});

test('all that it keeps is for this user alone, while it runs', async () => {
  const folder = join(temporaryFolder(), 'data');
  await addressOf(startServer(folder, { SAMPLE_SUBSCRIBERS: '3' }));
  const modes = readdirSync(folder).map((name) => [
    name,
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  ]);
  expect(modes.length).toBeGreaterThan(3);
  for (const [name, mode] of modes) expect(mode, name).toBe('600');
});

test.each([2, 4])('%i servers that start at the same moment on one empty folder all work', async (count) => {
  const folder = join(temporaryFolder(), 'data');
  const env = { SAMPLE_SUBSCRIBERS: '3', MANAGER_PASSWORD: 'chosen by the operator' };
  const servers = Array.from({ length: count }, () => startServer(folder, env));
  for (const url of await Promise.all(servers.map(addressOf))) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const { ask } = await signIn(url, env.MANAGER_PASSWORD);
    expect(await totalCount(await ask('/api/subscribers'))).toBe(3);
  }
});

describe('told to stop', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s it ends well', async (signal) => {
    const env = { SAMPLE_SUBSCRIBERS: '0', MANAGER_PASSWORD: 'chosen by the operator' };
    const server = startServer(join(temporaryFolder(), 'data'), env);
    const url = await addressOf(server);
    await fetch(`${url}/healthz`);
    server.signal(signal);
    const { code, stderr } = await server.ended;
    expect([code, stderr]).toEqual([0, '']);
  });
});

test('on a pipe every other line is JSON', async () => {
  const server = startServer(join(temporaryFolder(), 'data'), { SAMPLE_SUBSCRIBERS: '0' });
  const url = await addressOf(server);
  await fetch(`${url}/healthz`);
  await fetch(`${url}/readyz`);
  server.signal('SIGTERM');
  const { stdout } = await server.ended;
  const lines = stdout
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('Subscriber Desk'));
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 'info', event: 'request', route: '/healthz', status: 200 }),
  );
  const parts = lines.map((line) => JSON.parse(line)).map(({ part, route }) => [part, route]);
  expect(parts).toContainEqual(['service', '/oauth/token']);
  expect(parts).toContainEqual([undefined, '/readyz']);
});

describe('what stops a start is a sentence and exit code 1, without a stack', () => {
  test('a port in use, before anything is made', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const parent = temporaryFolder();
    const { code, stdout, stderr } = await startServer(join(parent, 'data'), { PORT: String(port) }).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`Port ${port} is in use. Stop the other program or set PORT to another number.\n`);
    expect(readdirSync(parent)).toEqual([]);
  });

  test('bad variables, all of them', async () => {
    const { code, stderr } = await startServer('', { LOG_LEVEL: 'loud' }).ended;
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      'Set DATA_DIR to a folder, such as ./data.',
      'Set LOG_LEVEL to one of: info, warn, error.',
    ]);
  });

  test('a folder that cannot be made', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, stderr } = await startServer(join(file, 'data')).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Cannot use the folder ${join(file, 'data')} (ENOTDIR). Set DATA_DIR to a folder that this program can write to.\n`,
    );
  });

  test('a file that is no database', async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'desk.sqlite'),
      'this is no database, and long enough to be seen as none. '.repeat(20),
    );
    const { code, stderr } = await startServer(folder, { SAMPLE_SUBSCRIBERS: '0' }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot open .*desk\.sqlite \(file is not a database\)\. Restore .*\n$/);
  });
});

test('the development server serves pages with hot reload, and the BFF beside them', async () => {
  const folder = temporaryFolder();
  const dev = startProcess(['src/server/dev.ts'], {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    SAMPLE_SUBSCRIBERS: '0',
  });
  const url = await addressOf(dev);
  expect(await (await fetch(`${url}/subscribers`, { headers: { Accept: 'text/html' } })).text()).toContain(
    '/@vite/client',
  );
  expect((await fetch(`${url}/bff/session`, { headers: { 'X-CSRF': '1' } })).status).toBe(401);
  const statuses = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await fetch(url + path)).status));
  expect(await statuses('/src/app/main.tsx', '/@vite/client', '/favicon.svg')).toEqual([200, 200, 200]);
  const data = join(folder, 'data/desk.sqlite');
  for (const path of [
    `/@fs${data}`,
    `/@fs${data}-wal`,
    '/package.json',
    '/package-lock.json',
    `/@fs${root}README.md`,
  ]) {
    const answer = await fetch(url + path, { headers: { Accept: '*/*' } });
    expect([403, 404], path).toContain(answer.status);
  }
  const asks = async (address: string, headers: Record<string, string>) =>
    (await fetch(address, { headers: { Accept: 'text/html', ...headers } })).status;
  expect(await asks(`${url.replace('127.0.0.1', 'localhost')}/subscribers`, {})).toBe(200);
  expect(await asks(`${url}/__open-in-editor?file=package.json`, { 'Sec-Fetch-Site': 'cross-site' })).toBe(
    404,
  );
  const upgrading = await openSocket(Number(new URL(url).port));
  const upgraded = readAll(upgrading);
  upgrading.write(
    `GET /x HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n`,
  );
  expect(await upgraded).toBe('');
  const other = await fetch(`${url}/src/app/main.tsx`, { headers: { Origin: 'http://localhost:1' } });
  expect(other.headers.get('Access-Control-Allow-Origin')).toBe(null);
  const port = Number(new URL(url).port);
  expect(
    await sendRaw(port, 'GET /src/app/main.tsx HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n'),
  ).toMatch(/^HTTP\/1\.1 421 /);
  expect(await sendRaw(port, 'GET /src/app/main.tsx HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 /,
  );
  dev.signal('SIGTERM');
  expect((await dev.ended).code).toBe(0);
});

test('the development server does not start for other machines', async () => {
  const env = {
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://desk.example.com',
    DATA_DIR: join(temporaryFolder(), 'data'),
  };
  const { code, stderr } = await startProcess(['src/server/dev.ts'], env).ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Set HOST to 127\.0\.0\.1, or leave it out: /)]);
});
