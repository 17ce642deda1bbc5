import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { Agent } from 'undici';
import { addressOf, startServer } from '../support/server/server-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

/** A server as a process, and somebody at another address of this machine (on Linux) who asks it. */
async function open() {
  const server = startServer(`${temporaryFolder()}/data`, { SAMPLE_SUBSCRIBERS: '0' });
  const { hostname, port, host, origin } = new URL(await addressOf(server));
  const bystander = new Agent({ localAddress: '127.0.0.2' });
  onTestFinished(() => bystander.destroy());
  return {
    line: server.line,
    host,
    /** Opens connections from 127.0.0.1, each of which sends a text and reads no answer. */
    attack: (count: number, text: string): Socket[] =>
      Array.from({ length: count }, () => {
        const socket = connect(Number(port), hostname).pause();
        socket.on('error', () => {}).on('connect', () => socket.write(text));
        onTestFinished(() => void socket.destroy());
        return socket;
      }),
    status: async (): Promise<number> => {
      const { statusCode, body } = await bystander.request({ origin, path: '/healthz', method: 'GET' });
      await body.dump();
      return statusCode;
    },
    /** The most memory that it ever had, in MB. */
    peak: (): number => {
      const [, kilobytes] =
        /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) / 1000;
    },
  };
}

test('1,000 connections that send 900 requests each and read no answer take at most 300 MB, and others are answered', async () => {
  const { attack, line, host, status, peak } = await open();
  const connections = attack(1000, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(900));
  await line(/"event":"connections-limited".*"pipelined":/);
  for (let count = 0; count < 500; count += 1) expect(await status()).toBe(200);
  // Those that were taken are ended, however long they would stay.
  for (const socket of connections) socket.resume();
  await Promise.all(connections.map(async (socket) => socket.destroyed || once(socket, 'close')));
  expect(peak()).toBeLessThan(300);
});

test('200 bodies of which only half is sent are given up in time, and others are answered', async () => {
  const { attack, host, status } = await open();
  const head = ['POST /bff/session HTTP/1.1', `Host: ${host}`, `Origin: http://${host}`, 'X-CSRF: 1'];
  const body = ['Content-Type: application/json', 'Content-Length: 60000', '', '{"name":"'];
  const uploads = attack(200, [...head, ...body].join('\r\n') + 'x'.repeat(30_000));
  const over = Promise.all(uploads.map((socket) => once(socket.resume(), 'close'))).then(() => true);
  let answered = 0;
  const asking = async () => expect([await status(), (answered += 1)]).toEqual([200, answered]);
  while (!(await Promise.race([over, asking().then(() => false)])));
  expect(answered).toBeGreaterThan(100);
});
