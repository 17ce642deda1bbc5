import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDebianProgram } from './debian-program.ts';
import { readExample } from './deploy-example.ts';
import { selfSigned } from './self-signed.ts';

/** @returns null where there is none */
export const findNginx = () => findDebianProgram('nginx', '/usr/sbin/nginx');

/**
 * Runs nginx with the example of `src/server/deploy`, in which only ports, names and files are others.
 *
 * @returns a function that stops it, and what it has written down
 */
export async function startNginx(
  nginx: string,
  options: { port: number; server: number },
): Promise<{ log: () => string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-nginx-'));
  const inFolder = (name: string) => join(folder, name);
  const [log, errors] = [inFolder('access.log'), inFolder('errors.log')];
  const [certificate, key] = [inFolder('cert.pem'), inFolder('key.pem')];
  const pair = await selfSigned();
  writeFileSync(certificate, pair.cert);
  writeFileSync(key, pair.key);
  const changes: [from: string | RegExp, to: string][] = [
    ['listen 443', `listen 127.0.0.1:${options.port}`],
    ['listen 80;', 'listen unix:plain.sock;'],
    ['server 127.0.0.1:8080', `server 127.0.0.1:${options.server}`],
    [/server_name desk\.example\.com/g, 'server_name localhost'],
    ['/etc/ssl/desk.example.com.pem', certificate],
    ['/etc/ssl/private/desk.example.com.key', key],
    ['/var/log/nginx/subscriber-desk.log', log],
    [/\/var\/log\/nginx\/subscriber-desk-errors\.log/g, errors],
  ];
  const site = readExample('nginx.conf', changes);
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
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text) => {
      said += String(text);
      if (said.includes('start worker process')) resolve();
    });
    void ended.then(() => reject(new Error(`nginx did not start:\n${said}`)));
  });
  return {
    log: () => readFileSync(log, 'utf8') + readFileSync(errors, 'utf8') + said,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
