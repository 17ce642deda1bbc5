/** Run as `node proxies.ts NAME UPSTREAM`: one of the proxies that the BFF is compared with, at `/api`. */
import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import proxy from '@fastify/http-proxy';
import fastify from 'fastify';
import { Pool } from 'undici';
import { masked } from '../../../src/contract/bff/access-token.ts';
import type { SubscriberPage } from '../../../src/contract/service/list-query.ts';
import { say } from '../report.ts';
import { exchange } from './exchange.ts';

const [name = '', upstream = ''] = process.argv.slice(2);
const start = { passing: startPassing, fastify: startFastify }[name];
if (!start) throw new Error(`There is no proxy ${name}.`);
say(`It is running at ${await start()}`);

/** `@fastify/http-proxy`, which looks at nothing, behind a check of the session. */
async function startPassing(): Promise<string> {
  const app = fastify();
  const isAllowed = createCheck();
  app.addHook('onRequest', async (request, reply) => {
    if (!isAllowed(request.headers)) await reply.code(401).send();
  });
  await app.register(proxy, { upstream, prefix: '/api', rewritePrefix: '' });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** Fastify with its log, as a server needs one. */
async function startFastify(): Promise<string> {
  const app = fastify({ logger: true });
  const isAllowed = createCheck();
  const list = createList();
  app.get('/api/subscribers', async (request, reply) => {
    if (!isAllowed(request.headers)) return reply.code(401).send();
    return reply.header('Cache-Control', 'no-store').send(await list(request.url));
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** Checks that a request comes from our own page, with a session that lives: one query, as the BFF makes it. */
function createCheck() {
  const db = new DatabaseSync(':memory:');
  db.exec('create table sessions (key text primary key, seen_at integer)');
  const find = db.prepare('select * from sessions where key = ? or seen_at = ?');
  db.exec('insert into sessions values (0, 0)');
  return (headers: Readonly<Record<string, unknown>>) =>
    headers['x-csrf'] === '1' &&
    find.get(hash('sha256', String(headers['cookie']), 'base64url'), 0) !== undefined;
}

/** Reads a page of the service, by undici's cheapest way, parses it and masks its tokens. */
function createList() {
  const pool = new Pool(upstream, { connections: 64 });
  return async (address: string) => {
    const headers = { 'accept-encoding': 'identity' };
    const path = address.replace(/^\/api/, '');
    const { body } = await exchange(pool, { method: 'GET', path, headers });
    const page = JSON.parse(body.toString()) as SubscriberPage;
    return { ...page, items: page.items.map(masked) };
  };
}
