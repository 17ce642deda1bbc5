/**
 * Another subject: the least that a read can take when it is checked as the BFF checks it. Node's own server, undici's
 * cheapest way, one query for the session and one parse of the answer; no rights, no guards, no figures, no log.
 */
import { hash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { Pool, type Dispatcher } from 'undici';
import { serveUsage } from '../subject.ts';

const [upstream = ''] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: 64 });
const db = new DatabaseSync(':memory:');
db.exec('create table sessions (key text primary key, seen_at integer)');
const findSession = db.prepare('select * from sessions where key = ? and seen_at > ?');

const server = createServer((request, response) => {
  findSession.all(hash('sha256', request.headers.cookie ?? '', 'base64url'), 0);
  const path = (request.url ?? '').replace(/^\/api/, '');
  pool.dispatch({ method: 'GET', path, headers: { 'accept-encoding': 'identity' } }, collect(response));
});
server.listen(0, '127.0.0.1', () => {
  // Listening on a port, it has an address with one.
  const { port } = server.address() as AddressInfo;
  serveUsage(`http://127.0.0.1:${port}/api`);
});

function collect(response: ServerResponse): Dispatcher.DispatchHandler {
  const parts: Uint8Array[] = [];
  return {
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: (_, part) => void parts.push(part),
    onResponseEnd() {
      const body = Buffer.concat(parts);
      response.writeHead(isJson(body) ? 200 : 502, {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      });
      response.end(body);
    },
    onResponseError: () => void response.destroy(),
  };
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}
