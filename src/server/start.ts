import { fileURLToPath } from 'node:url';
import { assembleDesk } from './assemble.ts';
import { buildDashboard } from './build/build.ts';
import { createClientAddress } from './http/client-address.ts';
import { publicUrlAt } from './config/config.ts';
import { listen } from './http/listen.ts';
import { clock, random } from './runtime.ts';
import { createRefuse } from './http/refuse.ts';
import { createRequestListener } from './http/request-listener.ts';
import { runCommand } from './run-command.ts';
import { createPages } from './http/static-files.ts';
import { welcome } from './welcome.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `npm start`: the dashboard, the BFF and the service on one port. */
await runCommand(async ({ config, log, say }) => {
  // The port comes first: its number decides the address, and a port in use must stop the start before it makes
  // anything. Requests that come early wait for the rest.
  const ready = Promise.withResolvers<Awaited<ReturnType<typeof assembleDesk>>>();
  const refuse = createRefuse(log, config.publicUrl);
  const listener = createRequestListener({
    fetch: async (request, from) => (await ready.promise).fetch(request, from),
    clientAddress: createClientAddress(config.trustedProxies),
    refuse,
    log,
  });
  const listening = await listen({ ...config, listener, refuse });
  const publicUrl = publicUrlAt(config, listening.port);

  const pages = await createPages(await buildDashboard({ root, mode: 'app', say }));
  const desk = await assembleDesk({
    config,
    publicUrl,
    pages,
    log,
    clock,
    random,
    isLeaving: listening.isLeaving,
  });
  ready.resolve(desk);
  welcome(say, publicUrl, desk.firstAccount);
  return async () => {
    await listening.close();
    await desk.close();
  };
});
