/** Run as `node proxies.ts NAME UPSTREAM`: one of the proxies that the BFF is compared with, at `/api`. */
import { hash } from 'node:crypto';
import { Agent, createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import proxy from '@fastify/http-proxy';
import fastify from 'fastify';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { Pool } from 'undici';
import { listenOnFreePort } from '../../support/server/free-port.ts';
import { say } from '../report.ts';
import { exchange } from './exchange.ts';

const [name = '', upstream = ''] = process.argv.slice(2);
const start = { fastify: startFastify, middleware: startMiddleware, least: startLeast }[name];
if (!start) throw new Error(`There is no proxy ${name}.`);
say(`It is running at ${await start()}`);

/** `@fastify/http-proxy` as its README has it. */
async function startFastify(): Promise<string> {
  const app = fastify();
  await app.register(proxy, { upstream, prefix: '/api', rewritePrefix: '' });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** `http-proxy-middleware` on Node's own server, with connections that are kept. */
async function startMiddleware(): Promise<string> {
  const handle = createProxyMiddleware({
    target: upstream,
    changeOrigin: true,
    pathRewrite: { '^/api': '' },
    agent: new Agent({ keepAlive: true }),
  });
  const server = createServer((request, response) => void handle(request, response));
  return `http://127.0.0.1:${await listenOnFreePort(server)}`;
}

/**
 * The least that a read can take when it is checked as the BFF checks it. Node's own server, undici's cheapest way, one
 * query for the session and one parse of the answer; no rights, no guards, no figures, no log.
 */
async function startLeast(): Promise<string> {
  const pool = new Pool(upstream, { connections: 64 });
  const db = new DatabaseSync(':memory:');
  db.exec('create table sessions (key text primary key, seen_at integer)');
  const findSession = db.prepare('select * from sessions where key = ? and seen_at > ?');
  const server = createServer(async (request, response) => {
    findSession.all(hash('sha256', request.headers.cookie ?? '', 'base64url'), 0);
    const path = (request.url ?? '').replace(/^\/api/, '');
    const headers = { 'accept-encoding': 'identity' };
    const { body } = await exchange(pool, { method: 'GET', path, headers });
    JSON.parse(body.toString());
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
  return `http://127.0.0.1:${await listenOnFreePort(server)}`;
}
