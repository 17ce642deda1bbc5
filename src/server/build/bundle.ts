/** Run by `build.ts` as `node bundle.ts ROOT MODE FOLDER`: errors go to stderr without a stack trace. */
import { join } from 'node:path';
import { build } from 'vite';
import { licencesFile } from './licences.ts';
import { packFiles } from './pack-files.ts';

const [root = '.', mode = 'app', folder = 'dist/app'] = process.argv.slice(2);

try {
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode: mode === 'demo' ? 'demo' : 'production',
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, license: { fileName: licencesFile } },
  });
  // The demo's hosts pack by themselves.
  if (mode === 'app') await packFiles(folder);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
