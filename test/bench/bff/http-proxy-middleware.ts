/** Another subject: `http-proxy-middleware` on Node's own server, with connections that are kept. */
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { serveUsage } from '../subject.ts';

const [target = ''] = process.argv.slice(2);
const proxy = createProxyMiddleware({
  target,
  changeOrigin: true,
  pathRewrite: { '^/api': '' },
  agent: new Agent({ keepAlive: true }),
});
const server = createServer((request, response) => void proxy(request, response));
server.listen(0, '127.0.0.1', () => {
  // Listening on a port, it has an address with one.
  const { port } = server.address() as AddressInfo;
  serveUsage(`http://127.0.0.1:${port}/api`);
});
