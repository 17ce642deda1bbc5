import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { wholeSubscriber } from '../bff/canned.ts';
import { listenOnFreePort, unusedPort } from './free-port.ts';

/** Acts on the connection once a request has come. */
export type Fault = (socket: Socket, count: number) => void;

const token = JSON.stringify({ access_token: 'canary-bearer', token_type: 'Bearer', expires_in: 3600 });

/** The BFF's reads around a change. They always work: a service that cannot be read has tests of its own. */
const lookup = JSON.stringify(wholeSubscriber);

/**
 * A service on loopback that issues tokens and answers the readings around a change as it should, and does with every
 * other request what it is told.
 */
export async function startFaultyService(fault: Fault) {
  /** Requests as they came in, one text for each. */
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      const text = part.toString('latin1');
      if (text.startsWith('POST /v1/oauth/token')) return socket.end(answer(token));
      if (text.startsWith('GET /v1/subscribers/7?include=')) return socket.end(answer(lookup));
      // A body may come in a part of its own.
      if (/^[A-Z]+ \//.test(text)) fault(socket, requests.push(text));
    });
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  /** Number of connections that are open now. */
  const open = () => sockets.size;
  return { url: `http://127.0.0.1:${port}/v1`, requests, open };
}

/** An address at which nobody listens. */
export async function deadUrl(): Promise<string> {
  return `http://127.0.0.1:${await unusedPort()}/v1`;
}

/** An answer as bytes on the line; headers that are null are left out. */
export function answer(
  body: string | Buffer,
  options: { status?: string; headers?: Record<string, string | null> } = {},
): Buffer {
  const { status = '200 OK', headers = {} } = options;
  const all = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  const head = [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}
