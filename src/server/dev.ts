import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { apiBase, bffBase } from '../contract/bff/paths.ts';
import { assembleDesk } from './assemble.ts';
import { createClientAddress } from './http/client-address.ts';
import { publicUrlAt } from './config/config.ts';
import { listen } from './http/listen.ts';
import { clock, random } from './runtime.ts';
import { createRefuse } from './http/refuse.ts';
import { createRequestListener } from './http/request-listener.ts';
import { runCommand } from './run-command.ts';
import { welcome } from './welcome.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const deskPath = new RegExp(`^(${apiBase}|${bffBase})(/|$)|^/(healthz|readyz|metrics)$`);

/**
 * `npm run dev`: as `npm start`, but the pages come from Vite's dev server with hot reload. They carry no content
 * security policy, because hot reload needs inline scripts.
 */
await runCommand(async ({ config, log, say }) => {
  const ready = Promise.withResolvers<RequestListener>();
  const refuse = createRefuse(log, config.publicUrl);
  const listening = await listen({
    ...config,
    listener: (incoming, outgoing) => void ready.promise.then((listener) => listener(incoming, outgoing)),
    refuse,
  });
  const publicUrl = publicUrlAt(config, listening.port);
  const vite = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    server: { middlewareMode: { server: listening.server }, ws: { server: listening.server } },
  });
  const desk = await assembleDesk({ config, publicUrl, pages: noPages, log, clock, random });
  const toDesk = createRequestListener({
    fetch: desk.fetch,
    clientAddress: createClientAddress(config.trustedProxies),
    refuse,
    log,
  });
  ready.resolve((incoming, outgoing) => {
    if (deskPath.test(incoming.url?.split('?')[0] ?? '')) toDesk(incoming, outgoing);
    else vite.middlewares(incoming, outgoing);
  });
  welcome(say, publicUrl, desk.firstAccount);
  return async () => {
    await vite.close();
    await listening.close();
    await desk.close();
  };
});

/** Never reached: Vite answers first. */
async function noPages(): Promise<Response> {
  return new Response(null, { status: 404 });
}
