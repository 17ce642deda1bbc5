import { join } from 'node:path';
import { build } from 'vite';
import { licencesFile } from './licences.ts';

/** The command, which loads the rest as it needs it, and the threads. */
const entries = {
  'subscriber-desk': 'src/server/subscriber-desk.mjs',
  'hashing-thread': 'src/server/hashing-thread.ts',
  'sql/sqlite-reader-thread': 'src/server/sql/sqlite-reader-thread.ts',
};

/**
 * Bundles the command of the package with all that it imports, for Node.
 *
 * @param folder has to be two levels below the package's top folder: see `root` in `src/server/installation.ts`
 */
export async function bundleServer(root: string, folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['pg-native'] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      // The Node that runs it understands what was written, and errors should tell names.
      target: 'esnext',
      minify: false,
      license: { fileName: licencesFile },
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}
