/** Run as `node plain-page.ts`: builds the plain page as the dashboard is built, and serves it as `npm start` does. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { assembleServer } from '../../../src/server/assemble.ts';
import { packFiles } from '../../../src/server/build/pack-files.ts';
import { publicUrlAt } from '../../../src/server/config/config.ts';
import { createClientAddress } from '../../../src/server/http/client-address.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createRefuse } from '../../../src/server/http/refuse.ts';
import { createRequestListener } from '../../../src/server/http/request-listener.ts';
import { createPages } from '../../../src/server/http/static-files.ts';
import { runCommand } from '../../../src/server/run-command.ts';
import { clock, random } from '../../../src/server/runtime.ts';

await runCommand(async ({ config, log, say }) => {
  const pages = await createPages(await buildPlainPage(join(config.dataDir, 'plain')));
  const ready = Promise.withResolvers<Awaited<ReturnType<typeof assembleServer>>>();
  const refuse = createRefuse(log, config.publicUrl);
  const listener = createRequestListener({
    fetch: async (request, from) => (await ready.promise).fetch(request, from),
    clientAddress: createClientAddress(config.trustedProxies),
    refuse,
    log,
  });
  const publicUrl = publicUrlAt(config, (await listen({ ...config, listener, refuse, log })).port);
  ready.resolve(await assembleServer({ config, publicUrl, pages, log, clock, random }));
  say(`The plain page is running at ${publicUrl}`);
  // It is killed when the bench is over.
  return async () => {};
});

async function buildPlainPage(outDir: string): Promise<string> {
  await build({
    root: fileURLToPath(new URL('plain', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
  });
  await packFiles(outDir);
  return outDir;
}
