import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import { createServer } from 'vite';
import { apiBase, bffBase } from '../contract/bff/paths.ts';
import { assembleServer, sayWelcome } from './start-server.ts';
import { CannotStart } from './cannot-start.ts';
import { isLoopback } from './http/client-address.ts';
import { addressOf, publicUrlAt } from './config/config.ts';
import { listen } from './http/listen.ts';
import { root } from './installation.ts';
import { clock, random } from './runtime.ts';
import { runCommand } from './run-command.ts';

const bffPath = new RegExp(`^(${apiBase}|${bffBase})(/|$)|^/(healthz|readyz|metrics)$`);

/**
 * `npm run dev`: like `npm start`, with the pages from Vite's dev server and hot reload. The pages have no content security
 * policy, because hot reload needs inline scripts.
 */
await runCommand(async ({ config, log, say, sayApart }) => {
  if (!isLoopback(config.HOST))
    throw new CannotStart(
      'Set HOST to 127.0.0.1, or leave it out: npm run dev serves the source code, which only this machine may read.',
    );
  const listening = await listen({ ...addressOf(config), log });
  const publicUrl = publicUrlAt(config, listening.port);
  const vite = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    server: {
      // No page of another origin on this machine reads anything, and nobody reads data or what lies beside the source.
      cors: false,
      fs: {
        allow: ['src', 'public', 'node_modules', 'index.html'].map((name) => join(root, name)),
        deny: [
          '.env',
          '.env.*',
          '*.{crt,pem}',
          '**/.git/**',
          '**/server/deploy/**',
          `${resolve(config.DATA_DIR)}/**`,
        ],
      },
      middlewareMode: { server: listening.server },
      ws: { server: listening.server },
    },
  });
  const server = await assembleServer({ config, publicUrl, pages: noPages, log, clock, random, sayApart });
  const { port } = listening;
  const hosts = [new URL(publicUrl).host, `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`];
  const isOurs = ({ headers }: IncomingMessage) => hosts.includes(headers.host ?? '');
  // Vite takes a connection that changes to a protocol that it does not know, and never ends it.
  listening.server.prependListener('upgrade', (incoming, socket) => {
    const protocol = incoming.headers['sec-websocket-protocol'] ?? '';
    if (!isOurs(incoming) || !/^vite-(hmr|ping)$/.test(protocol)) socket.destroy();
  });
  listening.serve(server.fetch, (incoming, outgoing) => {
    // The BFF refuses what is meant for another host, or for none; and it has no pages for another site's requests.
    const isPage =
      isOurs(incoming) && !isOfOtherSite(incoming) && !bffPath.test(incoming.url?.split('?')[0] ?? '');
    if (isPage) vite.middlewares(incoming, outgoing);
    return isPage;
  });
  sayWelcome(say, publicUrl, server);
  return async () => {
    await vite.close();
    await listening.close();
    await server.close();
  };
});

/** True if a page of another site has a browser ask: it could open files in the editor. Links may stay. */
function isOfOtherSite({ headers, url = '' }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  return headers['sec-fetch-mode'] !== 'navigate' || url.startsWith('/__');
}

/** For requests that Vite must not answer. */
async function noPages(): Promise<Response> {
  return new Response(null, { status: 404 });
}
