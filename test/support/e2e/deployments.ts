import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createOtherService, otherUpstream } from '../bff/other-service.ts';
import { listenOnFreePort, unusedPort } from '../server/free-port.ts';
import { findNginx, startNginx } from '../server/nginx.ts';
import { startProduct, type Product } from './product.ts';
import { openEntry, signInEntry } from './entry.ts';
import { ownService, type Deployment } from './working-day.ts';

const nginx = findNginx();

/** Where there is no nginx, its own test is skipped and says so. */
export const deployments: readonly Deployment[] = [
  ...(nginx === null ? [] : [{ ...ownService, name: 'behind nginx', open: () => openBehindNginx(nginx) }]),
  { name: 'with another service', active: 10, open: openBeforeOther, entry: signInEntry },
  { name: 'in the tab of the demo', active: 1, open: () => startProduct('demo'), entry: openEntry },
];

/** Before a service elsewhere, over HTTP, as its upstream says: credentials, path and dialect. */
async function openBeforeOther(): Promise<Product> {
  const { fetch } = createOtherService({ count: 2000, now: Date.now });
  const { clientId, clientSecret, scopes, baseUrl, dialect } = otherUpstream(fetch);
  const upstream = createServer(getRequestListener(fetch));
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const file = join(folder, 'dialect.json');
  writeFileSync(file, JSON.stringify(dialect));
  const server = await startProduct('start', {
    UPSTREAM_URL: `http://127.0.0.1:${await listenOnFreePort(upstream)}${new URL(baseUrl).pathname}`,
    UPSTREAM_CLIENT_ID: clientId,
    UPSTREAM_CLIENT_SECRET: clientSecret,
    UPSTREAM_SCOPE_READ: scopes.read,
    UPSTREAM_SCOPE_WRITE: scopes.write,
    UPSTREAM_DIALECT: file,
  });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      upstream.closeAllConnections();
      upstream.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** With TLS and HTTP/2, as the example of `src/server/deploy` has it; `log` is what nginx wrote down. */
export async function openBehindNginx(program: string): Promise<Product & { log: () => string }> {
  const [port, behind] = [await unusedPort(), await unusedPort()];
  const url = `https://127.0.0.1:${port}`;
  const variables = { PUBLIC_URL: url, PORT: String(behind), TRUSTED_PROXIES: '127.0.0.1' };
  const server = await startProduct('start', variables);
  const proxy = await startNginx(program, { port, server: behind });
  return {
    ...server,
    url,
    log: proxy.log,
    stop: async () => {
      await proxy.stop();
      await server.stop();
    },
  };
}
