import { assembleServer, sayWelcome } from './assemble.ts';
import { buildDashboard } from './build/build.ts';
import { addressOf, publicUrlAt } from './config/config.ts';
import { listen } from './http/listen.ts';
import { root } from './installation.ts';
import { clock, random } from './runtime.ts';
import type { CommandContext } from './run-command.ts';
import { createPages } from './http/static-files.ts';

/**
 * Starts the dashboard, the BFF and the service on one port.
 *
 * @throws {CannotStart} if the port, the build or a database cannot be used
 */
export async function startServer({ config, log, say, sayApart }: CommandContext) {
  const listening = await listen({ ...addressOf(config), log });
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
  listening.serve(server.fetch);
  sayWelcome({ say, sayApart }, publicUrl, server);
  return {
    url: publicUrl,
    stop: async () => {
      await listening.close();
      await server.close();
    },
  };
}
