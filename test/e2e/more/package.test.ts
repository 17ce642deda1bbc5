import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, onTestFinished, it } from 'vitest';
import { createRestService, restDialect } from '../../support/bff/rest-service.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { startCollector } from '../../support/server/collector.ts';
import { listenOnFreePort } from '../../support/server/free-port.ts';
import { startProcess } from '../../support/server/start-process.ts';
import { signIn } from '../../support/e2e/sign-in.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** The release is made, and its package installed into an empty folder: what somebody has who gets the file. */
describe('the package, in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const cache = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const release = join(project, 'dist/release');
  const installed = join(folder, 'node_modules/subscriber-desk');
  const program = join(installed, 'dist/server/subscriber-desk.js');
  const oldNode = join(cache, 'old-node.cjs');

  beforeAll(async () => {
    // This Node then says that it is an old one; what it starts does not.
    const versions = `{ value: { ...process.versions, node: '22.0.0' } }`;
    writeFileSync(oldNode, `Object.defineProperty(process, 'versions', ${versions});`);
    const made = await run('npm', ['run', '--silent', 'release'], project);
    expect(made.stderr).toBe('');
    const file = readdirSync(release).find((name) => name.endsWith('.tgz')) ?? '';
    const options = ['--cache', cache, '--no-audit', '--no-fund'];
    const done = await run('npm', ['install', ...options, join(release, file)], folder);
    expect(done.code, done.stderr).toBe(0);
  }, 600_000);
  afterAll(() => {
    for (const each of [folder, cache]) rmSync(each, { recursive: true, force: true });
  });

  const env = { MANAGER_PASSWORD: 'chosen by the operator' };
  const oldWords = ['--require', oldNode, program];
  const oldProgram = [process.execPath, ...oldWords] as const;
  /** Starts a command that serves; it stops with the test. */
  async function start(
    [program, ...words]: readonly [string, ...string[]],
    more: Record<string, string> = {},
  ) {
    const variables = { ...process.env, NODE_ENV: '', PORT: '0', SERVICE_PORT: '0', ...env, ...more };
    const { line, output, complaints } = startProcess(words, variables, {
      program,
      cwd: folder,
      isGroup: true,
    });
    const [, url = ''] = await line(/\bat (https?:\S+?)\.?(?:\s|$)/);
    return { url, output: () => output() + complaints(), password: env.MANAGER_PASSWORD };
  }
  const command = (...words: string[]) => run(process.execPath, [...oldWords, ...words], folder);
  const checkUpstream = (variables: Record<string, string>, ...options: string[]) =>
    run(process.execPath, [...oldWords, 'check-upstream', ...options], folder, variables);

  it('is made by the release alone: npm would pack the sources', async () => {
    const { code, stderr } = await run('npm', ['pack', '--dry-run'], project);
    expect(code).not.toBe(0);
    expect(stderr).toContain('Run npm run release instead');
  });

  it('is small, without install scripts, and brings at most a Node', () => {
    const lock: { packages: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(
      readFileSync(join(folder, 'package-lock.json'), 'utf8'),
    );
    const names = Object.keys(lock.packages);
    expect(
      names.filter((name) => !/^$|\/subscriber-desk$|\/node-(bin-)?(linux|darwin|win)-/.test(name)),
    ).toEqual([]);
    expect(Object.values(lock.packages).filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
    expect(megabytesOf(installed)).toBeLessThan(40);
    // Node alone has 150 MB, and its package has 62 MB of C headers.
    expect(megabytesOf(join(folder, 'node_modules'))).toBeLessThan(230);
  });

  it('is made as npm and Node expect of a package: publint finds nothing', async () => {
    const file = readdirSync(release).find((name) => name.endsWith('.tgz')) ?? '';
    const tarball = Uint8Array.from(readFileSync(join(release, file))).buffer;
    expect((await publint({ pack: { tarball } })).messages).toEqual([]);
  });

  it('has the examples of a deployment that its README names', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    const named = [...readme.matchAll(/`(deploy\/[\w.-]*)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(3);
    for (const path of [...named, 'deploy/subscriber-desk.service', 'deploy/nginx.conf'])
      expect(statSync(join(installed, path)).size, path).toBeGreaterThan(0);
    expect(readme).not.toContain('src/server/deploy');
  });

  it('has the licences of what is in it, and checksums beside it', async () => {
    const licences = readFileSync(join(installed, 'THIRD-PARTY-LICENCES.txt'), 'utf8');
    // One of the dashboard, of the demo, of the server, and of the files that are copied.
    for (const name of [
      'react',
      '@sqlite.org/sqlite-wasm',
      'pg-types',
      '@opentelemetry/api',
      'swagger-ui-dist',
    ])
      expect(licences).toMatch(new RegExp(`^${name} \\d\\S* \\(\\S+\\)\\n\\n.*(MIT|Copyright|Apache)`, 'm'));
    expect((await run('sha256sum', ['--check', 'SHA256SUMS'], release)).stdout).toMatch(/^(\S+: OK\n){2}$/);
    const file = readdirSync(release).find((name) => name.endsWith('.cdx.json')) ?? '';
    const { components }: { components: { name: string }[] } = JSON.parse(
      readFileSync(join(release, file), 'utf8'),
    );
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['react', 'pg', 'zod']));
    expect(names).not.toContain('vitest');
  });

  it('starts on an old Node by its own: sign in, find, edit, regenerate a token', async () => {
    const collector = await startCollector();
    const server = await start(oldProgram, collector.env);
    const { page, complaints } = await openPage();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await signIn(page, server);
    await page.getByRole('searchbox', { name: 'Find subscribers' }).fill('hansen');
    await page.waitForURL(/username=hansen/);
    await page
      .getByRole('table', { name: 'Subscribers' })
      .getByRole('link', { name: /hansen/i })
      .first()
      .click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Email', { exact: true }).fill('from.the.package@example.com');
    await button('Save changes').click();
    await page.getByText(/· from\.the\.package@example\.com$/).waitFor();
    await button('Regenerate token…').click();
    const dialog = page.getByRole('dialog', { name: 'Regenerate access token' });
    await dialog.getByRole('button', { name: 'Regenerate token' }).click();
    await dialog.getByText(/^[\w-]{43}$/).waitFor();
    expect(complaints()).toEqual([]);
    await page.context().close();
    // The SDK is a part of the bundle that is loaded when it is needed.
    await collector.span('POST /api/subscribers/{id}/regenerate-token');

    expect(readdirSync(join(folder, 'data'))).toContain('desk.sqlite');
    expect((await command('reset-password', 'manager')).stdout).toMatch(
      /^Sign in as manager with the one-time /,
    );
    expect(await command('backup', 'copy')).toMatchObject({ code: 0, stderr: '' });
    expect((await command('verify-journal')).stdout).toMatch(/^The journal is intact\. Entries: [4-9]\n/);
  });

  it('runs the demo in the tab, by npx', async () => {
    const demo = await start(['npx', 'subscriber-desk', 'demo']);
    const { page, complaints } = await openPage();
    await page.goto(`${demo.url}/subscribers`);
    await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
    expect(complaints()).toEqual([]);
    await page.context().close();
  });

  it('runs the service with its reference, and looks after its clients', async () => {
    const service = await start([...oldProgram, 'service']);
    const { origin } = new URL(service.url);
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'])
      expect((await fetch(`${origin}${path}`)).status).toBe(200);
    expect(service.output()).toContain('Add one: subscriber-desk service add-client ID');
    expect((await command('service', 'add-client', 'billing')).stdout).toMatch(/^Client ID: billing\n/);
  });

  it('checks a service elsewhere, writes the dialect that fits, and tries each change with it', async () => {
    const service = createRestService({ count: 120 });
    Object.assign(service.rows.get(1) ?? {}, { bundles: [3], countries: ['NO'] });
    const listener = createServer(getRequestListener(service.fetch));
    const url = `http://127.0.0.1:${await listenOnFreePort(listener)}`;
    onTestFinished(() => void listener.close());
    const { scopes, audience } = restDialect.token;
    // What the service's answers cannot show.
    writeFileSync(
      join(folder, 'given.json'),
      JSON.stringify({ token: { scopes, audience }, timeZone: restDialect.timeZone }),
    );
    const variables = {
      UPSTREAM_URL: url,
      UPSTREAM_CLIENT_ID: 'desk there',
      UPSTREAM_CLIENT_SECRET: 's:cret',
      UPSTREAM_SCOPE_READ: 'read',
      UPSTREAM_SCOPE_WRITE: 'write',
    };
    const given = { ...variables, UPSTREAM_DIALECT: 'given.json' };
    expect((await checkUpstream(given)).code).toBe(1);
    const written = await checkUpstream(given, '--write-dialect', 'found.json');
    expect([written.code, written.stderr]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8'))).toMatchObject({ maxPageSize: 100 });
    const found = { ...variables, UPSTREAM_DIALECT: 'found.json' };
    const checked = await checkUpstream(found, '--write');
    expect(checked.stdout).toMatch(/^a deletion .* They can delete subscribers\.$/m);
    expect([checked.code, checked.stdout.match(/can't.*/g), service.rows.size]).toEqual([0, null, 120]);
  });

  it('names its commands as a person types them, all of them in its help', async () => {
    const [help, desk, service] = await Promise.all([
      command('help'),
      command('dance'),
      command('service', 'dance'),
    ]);
    expect(desk).toMatchObject({ code: 1, stderr: expect.stringContaining('subscriber-desk COMMAND.') });
    expect(service.stderr).toContain('subscriber-desk service COMMAND.');
    const names = [desk, service].flatMap(
      ({ stderr }) => /commands are: (.*)\.$/m.exec(stderr)?.[1]?.split(', ') ?? [],
    );
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !help.stdout.includes(name))).toEqual([]);
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    expect(readme).not.toMatch(/npm (run|start)|\]\([^#]/);
    expect(readme).toMatch(
      /## Configuration[^]+## Variables of the service[^]+## A dialect[^]+## What is stored/,
    );
  });

  it('uses a Node that is new enough where its own is missing, and says what an old one lacks', async () => {
    const modules = join(folder, 'node_modules');
    for (const name of readdirSync(modules).filter((each) => each.startsWith('node-')))
      rmSync(join(modules, name), { recursive: true });
    const [old, fresh] = await Promise.all([
      command('verify-journal'),
      run(process.execPath, [program, 'verify-journal'], folder),
    ]);
    expect(old).toMatchObject({ code: 1, stdout: '' });
    expect(old.stderr).toMatch(
      /^Subscriber Desk needs Node 26 or newer, and this is Node 22\.0\.0\. Install /,
    );
    expect(fresh.stdout).toMatch(/^The journal is intact\./);
  });
});

function run(program: string, words: readonly string[], cwd: string, more: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(program, words, { cwd, env: { ...process.env, ...more } }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
  });
}

/** Size of the files of a folder, in millions of bytes. */
function megabytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return bytes.reduce((sum, one) => sum + one, 0) / 1e6;
}
