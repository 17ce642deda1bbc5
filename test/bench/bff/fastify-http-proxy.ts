/** The subject to compare with: `@fastify/http-proxy` as its README has it. */
import proxy from '@fastify/http-proxy';
import fastify from 'fastify';
import { serveUsage } from '../subject.ts';

const [upstream = ''] = process.argv.slice(2);
const app = fastify();
await app.register(proxy, { upstream, prefix: '/api', rewritePrefix: '' });
serveUsage(`${await app.listen({ port: 0, host: '127.0.0.1' })}/api`);
