/**
 * Our own subject: the server as `npm start` runs it, without the dashboard's files. With a folder as argument it also
 * trusts `X-Forwarded-For`, as behind a proxy.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembleServer } from '../../../src/server/assemble.ts';
import { batchLines } from '../../../src/server/log.ts';
import { createClientAddress } from '../../../src/server/http/client-address.ts';
import { publicUrlAt, readConfig } from '../../../src/server/config/config.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createLog } from '../../../src/server/log.ts';
import { clock, random } from '../../../src/server/runtime.ts';
import { createRefuse } from '../../../src/server/http/refuse.ts';
import { createRequestListener, type Fetch } from '../../../src/server/http/request-listener.ts';
import { serveUsage } from '../subject.ts';

const [upstream = '', password = '', folder] = process.argv.slice(2);
const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));

const config = readConfig(
  {
    PORT: '0',
    READS_PER_SECOND: '0',
    DATA_DIR: dataDir,
    MANAGER_PASSWORD: password,
    METRICS_TOKEN: 'so-that-figures-are-kept',
    ...(folder !== undefined && { TRUSTED_PROXIES: '127.0.0.1' }),
    UPSTREAM_URL: upstream,
    UPSTREAM_CLIENT_ID: 'bench',
    UPSTREAM_CLIENT_SECRET: 'bench-secret',
    UPSTREAM_SCOPE_READ: 'read',
    UPSTREAM_SCOPE_WRITE: 'write',
  },
  () => '',
);
const log = createLog({
  write: batchLines((text) => void process.stdout.write(text)),
  terminal: false,
  level: config.logLevel,
  clock,
});
const ready = Promise.withResolvers<Fetch>();
const refuse = createRefuse(log, config.publicUrl);
const listener = createRequestListener({
  fetch: async (request, from) => (await ready.promise)(request, from),
  clientAddress: createClientAddress(config.trustedProxies),
  refuse,
  log,
});
const { port } = await listen({ ...config, listener, refuse, log });
const publicUrl = publicUrlAt(config, port);
const pages = async () => new Response(null, { status: 404 });
ready.resolve((await assembleServer({ config, publicUrl, pages, log, clock, random })).fetch);
serveUsage(`${publicUrl}/api`);
