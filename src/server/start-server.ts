import { assembleServer, sayWelcome } from './assemble.ts';
import { buildDashboard } from './build/build.ts';
import { createClientAddress } from './http/client-address.ts';
import { publicUrlAt } from './config/config.ts';
import { listen } from './http/listen.ts';
import { root } from './installation.ts';
import { clock, random } from './runtime.ts';
import { createRefuse } from './http/refuse.ts';
import { createRequestListener } from './http/request-listener.ts';
import type { CommandContext } from './run-command.ts';
import { createPages } from './http/static-files.ts';

/**
 * Starts the dashboard, the BFF and the service on one port.
 *
 * @throws {CannotStart} if the port, the build or a database cannot be used
 */
export async function startServer({ config, log, say, sayApart }: CommandContext) {
  // The port comes first: the public address depends on it, and a port in use must stop the start before it creates
  // anything. Requests that arrive before the rest is ready wait.
  const ready = Promise.withResolvers<Awaited<ReturnType<typeof assembleServer>>>();
  const refuse = createRefuse(log, config.publicUrl);
  const listener = createRequestListener({
    fetch: async (request, from) => (await ready.promise).fetch(request, from),
    clientAddress: createClientAddress(config.trustedProxies),
    refuse,
    log,
  });
  const listening = await listen({ ...config, listener, refuse, log });
  const publicUrl = publicUrlAt(config, listening.port);

  const pages = await createPages(await buildDashboard({ root, mode: 'app', say }));
  const server = await assembleServer({
    config,
    publicUrl,
    pages,
    log,
    clock,
    random,
    isStopping: listening.isStopping,
  });
  ready.resolve(server);
  sayWelcome({ say, sayApart }, publicUrl, server);
  return {
    url: publicUrl,
    stop: async () => {
      await listening.close();
      await server.close();
    },
  };
}
