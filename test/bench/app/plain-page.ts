/** Run as `node plain-page.ts`: builds the plain page as the dashboard is built, and serves it as `npm start` does. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { assembleServer } from '../../../src/server/start-server.ts';
import { packFiles } from '../../../src/server/build/pack-files.ts';
import { addressOf, publicUrlAt } from '../../../src/server/config/config.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createPages } from '../../../src/server/http/static-files.ts';
import { runCommand } from '../../../src/server/run-command.ts';
import { clock, random } from '../../../src/server/runtime.ts';

await runCommand(async ({ config, log, say }) => {
  const pages = await createPages(await buildPlainPage(join(config.DATA_DIR, 'plain')));
  const listening = await listen({ ...addressOf(config), log });
  const publicUrl = publicUrlAt(config, listening.port);
  listening.serve((await assembleServer({ config, publicUrl, pages, log, clock, random })).fetch);
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
