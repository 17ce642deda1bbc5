/** Run by `build.ts` as `node bundle.ts ROOT MODE FOLDER`: what is wrong goes to stderr, without our own stack. */
import { join } from 'node:path';
import { build } from 'vite';

const [root = '.', mode = 'app', folder = 'dist/app'] = process.argv.slice(2);

try {
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode: mode === 'demo' ? 'demo' : 'production',
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
