import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { packFiles } from '../../../src/server/build/pack-files.ts';
import { runProgram, type RunningScript } from '../../support/e2e/run-script.ts';

/**
 * Builds the plain page as the dashboard is built, and serves it with the data of a running server: who is signed in
 * there is signed in on the plain page too.
 */
export async function runPlainPage(dataDir: string): Promise<RunningScript> {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-plain-'));
  // React's build for development is several times as slow.
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  await build({
    root: fileURLToPath(new URL('plain', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: folder, target: 'es2023', modulePreload: { polyfill: false } },
  });
  if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = NODE_ENV;
  await packFiles(folder);
  const server = fileURLToPath(new URL('plain-server.ts', import.meta.url));
  const running = await runProgram(process.execPath, [server, folder], {
    DATA_DIR: dataDir,
    READS_PER_SECOND: '0',
  });
  return {
    ...running,
    stop: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
