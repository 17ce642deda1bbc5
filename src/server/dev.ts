import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { apiBase, bffBase } from '../contract/bff/paths.ts';
import { assembleServer, sayWelcome } from './assemble.ts';
import { CannotStart } from './cannot-start.ts';
import { createClientAddress, isLoopback } from './http/client-address.ts';
import { publicUrlAt } from './config/config.ts';
import { listen } from './http/listen.ts';
import { clock, random } from './runtime.ts';
import { createRefuse } from './http/refuse.ts';
import { createRequestListener } from './http/request-listener.ts';
import { runCommand } from './run-command.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bffPath = new RegExp(`^(${apiBase}|${bffBase})(/|$)|^/(healthz|readyz|metrics)$`);

/**
 * `npm run dev`: like `npm start`, with the pages from Vite's dev server and hot reload. The pages have no content security
 * policy, because hot reload needs inline scripts.
 */
await runCommand(async ({ config, log, say, sayApart }) => {
  if (!isLoopback(config.host))
    throw new CannotStart(
      'Set HOST to 127.0.0.1, or leave it out: npm run dev serves the source code, which only this machine may read.',
    );
  const ready = Promise.withResolvers<RequestListener>();
  const refuse = createRefuse(log, config.publicUrl);
  const listening = await listen({
    ...config,
    listener: (incoming, outgoing) => void ready.promise.then((listener) => listener(incoming, outgoing)),
    refuse,
    log,
  });
  const publicUrl = publicUrlAt(config, listening.port);
  const vite = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    server: {
      // No page of another origin on this machine reads anything, and nobody reads data or what lies beside the source.
      cors: false,
      fs: {
        allow: ['src', 'public', 'node_modules', 'index.html'].map((name) => join(root, name)),
        deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', `${resolve(config.dataDir)}/**`],
      },
      middlewareMode: { server: listening.server },
      ws: { server: listening.server },
    },
  });
  const server = await assembleServer({ config, publicUrl, pages: noPages, log, clock, random });
  const toBff = createRequestListener({
    fetch: server.fetch,
    clientAddress: createClientAddress(config.trustedProxies),
    refuse,
    log,
  });
  ready.resolve((incoming, outgoing) => {
    // The BFF refuses what is meant for another host, or for none.
    const isOurs = incoming.headers.host === new URL(publicUrl).host;
    if (!isOurs || bffPath.test(incoming.url?.split('?')[0] ?? '')) toBff(incoming, outgoing);
    else vite.middlewares(incoming, outgoing);
  });
  sayWelcome({ say, sayApart }, publicUrl, server);
  return async () => {
    await vite.close();
    await listening.close();
    await server.close();
  };
});

/** Never reached: Vite answers first. */
async function noPages(): Promise<Response> {
  return new Response(null, { status: 404 });
}
