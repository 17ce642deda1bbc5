import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isExample } from '../../src/server/build/package.ts';
import { variableNames } from '../../src/server/config/variables.ts';
import { unusedPort } from '../support/server/free-port.ts';
import { openServer } from '../support/server/in-process.ts';
import { root, startProcess } from '../support/server/start-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

const read = (name: string) => readFileSync(join(root, 'src/server/deploy', name), 'utf8');
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

describe('the unit of systemd', () => {
  beforeEach(({ skip }) => skip(!has('systemd-analyze'), 'There is no systemd here.'));

  /** With a program that is there, because the package is not installed here. */
  function analyze(unit: string, ...options: string[]) {
    const file = join(temporaryFolder(), 'subscriber-desk.service');
    writeFileSync(file, unit.replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath}`));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...options, file], { encoding: 'utf8' });
    return { status, said: stdout + stderr };
  }

  it('says nothing that systemd does not understand', () => {
    expect(analyze(read('subscriber-desk.service'), 'verify')).toEqual({ status: 0, said: '' });
    expect(analyze(`${read('subscriber-desk.service')}\n[Service]\nNoSuch=yes\n`, 'verify').said).toContain(
      'NoSuch',
    );
  });

  it('leaves an exposure of at most 1.5 of 10', () => {
    const options = ['security', '--offline=true', '--threshold=15'];
    expect(analyze(read('subscriber-desk.service'), ...options)).toMatchObject({ status: 0 });
    const open = read('subscriber-desk.service').replace(/^(Protect|Restrict|Capability).*$/gm, '');
    expect(analyze(open, ...options)).toMatchObject({ status: 1 });
  });

  it('lets Node compile JavaScript, and keeps the data in the one folder that it may write to', () => {
    const unit = read('subscriber-desk.service');
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
    expect(unit).toMatch(/^StateDirectory=subscriber-desk$/m);
    expect(unit).toMatch(/^Environment=DATA_DIR=%S\/subscriber-desk\//m);
  });

  it('lets the thread that hashes passwords lower its priority', () => {
    const inSet = (name: string): string[] =>
      spawnSync('systemd-analyze', ['syscall-filter', name], { encoding: 'utf8' })
        .stdout.split('\n')
        .flatMap((line) => /^ {4}([@\w]+)$/.exec(line)?.[1] ?? [])
        .flatMap(callsOf);
    const callsOf = (name: string) => (name.startsWith('@') ? inSet(name) : [name]);
    let allowed = new Set<string>();
    for (const [, not, names = ''] of read('subscriber-desk.service').matchAll(
      /^SystemCallFilter=(~?)(.*)$/gm,
    )) {
      const calls = new Set(names.split(' ').flatMap(callsOf));
      allowed = not ? allowed.difference(calls) : allowed.union(calls);
    }
    expect(allowed).toContain('setpriority');
    expect(allowed).not.toContain('setrlimit');
  });
});

describe('the deployment', () => {
  it.each(['Dockerfile', 'compose.yaml', 'nginx.conf', 'subscriber-desk.service'])(
    'sets only variables that there are: %s',
    (name) => {
      const named = read(name).matchAll(
        /\b(PUBLIC_URL|TRUSTED_PROXIES|[A-Z]+(?:_[A-Z]+)*_(?:FILE|DIR)|MANAGER_PASSWORD|HOST|PORT)\b(?=[=:])/g,
      );
      const names = [...new Set(Array.from(named, ([variable]) => variable.replace(/_FILE$/, '')))];
      expect(names.length).toBeGreaterThan(0);
      expect(
        names.filter((variable) => !variableNames.includes(variable) && !/^(POSTGRES|DESK)_/.test(variable)),
      ).toEqual([]);
    },
  );

  it('runs the container as another user, which writes to its volume alone and is asked without a shell', () => {
    const [, last = ''] = read('Dockerfile').split(/^FROM .*$(?![^]*^FROM)/m);
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^VOLUME \/data$/m);
    expect(last).toMatch(/^HEALTHCHECK .*CMD \["node", /m);
    expect(last).toMatch(/DATA_DIR=\/data\/\w+/);
    expect(read('compose.yaml')).toMatch(/^ {4}read_only: true$/m);
  });

  it.each([
    ['nginx.conf', 'proxy_set_header traceparent "";'],
    ['Caddyfile', 'header_up -traceparent'],
    ['haproxy.cfg', 'http-request del-header traceparent'],
  ])('lets no browser begin a trace: %s', (name, line) => {
    expect(read(name)).toContain(line);
  });

  it.each([
    ['nginx.conf', 'proxy_read_timeout 10m;'],
    ['haproxy.cfg', 'http-request set-timeout server 10m if { path_end /export }'],
  ])('waits for the next row of an export, which others may be read for: %s', (name, line) => {
    expect(read(name)).toContain(line);
  });

  it.each([
    ['nginx.conf', ['limit_conn desk_connections 200;', 'limit_req zone=desk_requests burst=300 nodelay;']],
    [
      'haproxy.cfg',
      [
        'tcp-request connection reject if { sc_conn_cur(0) gt 200 }',
        'http-request deny deny_status 429 if { sc_http_req_rate(0) gt 300 }',
      ],
    ],
  ])('lets no address take all connections, or keep the server busy alone: %s', (name, lines) => {
    for (const line of lines) expect(read(name)).toContain(`    ${line}\n`);
  });

  it.each([
    ['nginx.conf', ['limit_conn_zone $desk_client zone', 'limit_req_zone $desk_client zone']],
    ['haproxy.cfg', ['tcp-request connection track-sc0 src,ipmask(32,48)\n']],
    ['Caddyfile', ['the key {http.request.remote.host/32,48},']],
  ])('counts 48 bits of an IPv6 address as one client, as the server does: %s', (name, lines) => {
    for (const line of lines) expect(read(name)).toContain(line);
  });

  it('counts each IPv4 address as one client at nginx, also where one socket takes both kinds', () => {
    const [, pattern = ''] = /"~(\S+)" \$1;/.exec(read('nginx.conf')) ?? [];
    const networkOf = (address: string) => new RegExp(pattern).exec(address)?.[1];
    expect(networkOf('2001:db8:1:2::3')).toBe('2001:db8:1');
    expect([networkOf('::ffff:192.0.2.7'), networkOf('192.0.2.7')]).toEqual([undefined, undefined]);
  });

  it('takes over IPv4 alone what Docker would pass on from one address for all: compose.yaml', () => {
    const [, ports = ''] = /^ {4}ports: \[(.*)\]$/m.exec(read('compose.yaml')) ?? [];
    expect(ports.split(', ')).toHaveLength(3);
    for (const port of ports.split(', ')) expect(port).toMatch(/^'0\.0\.0\.0:\d+:/);
  });

  it('keeps each browser at one server, because a page has only the files of its version: haproxy.cfg', () => {
    const [, servers = ''] = /^backend desk-servers\n([^]+?)\n\n/m.exec(read('haproxy.cfg')) ?? [];
    expect(servers).toMatch(/^ {4}cookie \S+ insert indirect nocache httponly secure /m);
    const values = [...servers.matchAll(/^ {4}server \S+ \S+ check(?: cookie (\S+))?$/gm)];
    expect(values.map(([, value]) => value)).toEqual(['1', '2', '3']);
  });

  it('builds the image of nothing that git ignores, such as data and secrets', () => {
    const linesOf = (name: string) =>
      readFileSync(join(root, name), 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [line.replace(/\/$/, '')]));
    expect(linesOf('.dockerignore')).toEqual(expect.arrayContaining(['.git', ...linesOf('.gitignore')]));
  });

  it('keeps the passwords that compose.yaml reads out of commits, images and the package', () => {
    const files = [...read('compose.yaml').matchAll(/\{ file: \.\/(\S+) \}/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(2);
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
    for (const folder of files.map(dirname)) {
      expect(ignored).toContain(`src/server/deploy/${folder}/`);
      expect(isExample(join(root, 'src/server/deploy', folder))).toBe(false);
    }
    expect(isExample(join(root, 'src/server/deploy/compose.yaml'))).toBe(true);
  });

  it('takes each image by its digest and each action by its hash, which nobody can exchange', () => {
    const linesOf = (text: string, begin: RegExp) => text.split('\n').filter((line) => begin.test(line));
    const images = [...linesOf(read('Dockerfile'), /^FROM /), ...linesOf(read('compose.yaml'), /^ *image: /)];
    const actions = linesOf(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8'), /\buses: /);
    expect([images.length, actions.length]).toEqual([4, 7]);
    expect(images.filter((line) => !/@sha256:[0-9a-f]{64}( AS \w+)?$/.test(line))).toEqual([]);
    expect(actions.filter((line) => !/@[0-9a-f]{40} # v[\d.]+$/.test(line))).toEqual([]);
  });

  it('asks a server that answers for the host of PUBLIC_URL alone whether it is healthy', async () => {
    const PORT = String(await unusedPort());
    const PUBLIC_URL = 'https://desk.example.com';
    await openServer({ PORT, PUBLIC_URL });
    const [, command = ''] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
    const [program, ...words]: string[] = JSON.parse(command);
    expect(program).toBe('node');
    expect((await startProcess(words, { PORT, PUBLIC_URL }).ended).code).toBe(0);
    expect((await startProcess(words, { PORT, PUBLIC_URL: 'https://another.example' }).ended).code).toBe(1);
  });
});
