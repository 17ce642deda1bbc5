import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './start-process.ts';

/**
 * The nginx of the system, or else Debian's, unpacked and not installed: an installed one would begin to serve.
 *
 * @returns null where there is neither
 */
export function findNginx(): string | null {
  const installed = '/usr/sbin/nginx';
  if (existsSync(installed)) return installed;
  const folder = join(root, '.cache/nginx');
  const unpacked = join(folder, installed);
  if (existsSync(unpacked)) return unpacked;
  try {
    mkdirSync(folder, { recursive: true });
    const options = { cwd: folder, stdio: 'ignore' } as const;
    try {
      execFileSync('apt-get', ['-qq', 'download', 'nginx'], options);
    } catch {
      execFileSync('apt-get', ['-qq', 'update'], options);
      execFileSync('apt-get', ['-qq', 'download', 'nginx'], options);
    }
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
    execFileSync('dpkg', ['-x', file, folder], options);
    return unpacked;
  } catch {
    process.stderr.write(
      'There is no nginx, so what runs behind it is left out. Debian: apt-get install nginx.\n',
    );
    return null;
  }
}

/**
 * Runs nginx with the example of `src/server/deploy`, in which only ports, names and files are others.
 *
 * @returns a function that stops it, and what its log has
 */
export async function startNginx(
  nginx: string,
  options: { port: number; server: number; certificate: string; key: string },
): Promise<{ log: () => string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-nginx-'));
  const log = join(folder, 'access.log');
  const changes: [from: string | RegExp, to: string][] = [
    ['listen 443', `listen 127.0.0.1:${options.port}`],
    ['listen 80;', 'listen unix:plain.sock;'],
    ['server 127.0.0.1:8080', `server 127.0.0.1:${options.server}`],
    [/server_name desk\.example\.com/g, 'server_name localhost'],
    ['/etc/ssl/desk.example.com.pem', options.certificate],
    ['/etc/ssl/private/desk.example.com.key', options.key],
    ['/var/log/nginx/subscriber-desk.log', log],
  ];
  let site = readFileSync(join(root, 'src/server/deploy/nginx.conf'), 'utf8');
  for (const [from, to] of changes) {
    if (site.search(from) === -1) throw new Error(`The example of nginx has no ${String(from)}.`);
    site = site.replace(from, to);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const whole = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr notice;
    events {} http { ${temporary.join(' ')} ${site} }`;
  writeFileSync(join(folder, 'nginx.conf'), whole.replace('unix:plain.sock', `unix:${folder}/plain.sock`));
  const child = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (text) => {
      said += String(text);
      if (said.includes('start worker process')) resolve();
    });
    void ended.then(() => reject(new Error(`nginx did not start:\n${said}`)));
  });
  return {
    log: () => readFileSync(log, 'utf8'),
    async stop() {
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
