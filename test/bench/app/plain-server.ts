/** Run as `node plain-server.ts FOLDER`: as `npm start`, with the built pages of a folder instead of the dashboard. */
import { assembleServer } from '../../../src/server/assemble.ts';
import { publicUrlAt } from '../../../src/server/config/config.ts';
import { createClientAddress } from '../../../src/server/http/client-address.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createRefuse } from '../../../src/server/http/refuse.ts';
import { createRequestListener } from '../../../src/server/http/request-listener.ts';
import { createPages } from '../../../src/server/http/static-files.ts';
import { runCommand } from '../../../src/server/run-command.ts';
import { clock, random } from '../../../src/server/runtime.ts';

await runCommand(async ({ config, log, say }) => {
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
  const pages = await createPages(process.argv[2] ?? '');
  const server = await assembleServer({ config, publicUrl, pages, log, clock, random });
  ready.resolve(server);
  say(`The plain page is running at ${publicUrl}`);
  return async () => {
    await listening.close();
    await server.close();
  };
});
