import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { msw } from 'msw/vite';
import { defineConfig, type Plugin } from 'vite';
import { compileHint } from './src/server/build/compile-hint.ts';

export default defineConfig(({ mode }) => ({
  // The demo can be in any folder of any host.
  ...(mode === 'demo' && { base: './' }),
  plugins: [
    react(),
    compileHint(),
    // The demo's BFF exists only once its code has run: there is nothing to preload from.
    mode === 'demo' ? [msw({ mode: 'worker-only' }), demoFiles()] : asyncEntry('src/app/preload.ts'),
  ],
  // React has this hook built in; the shim would be bundled all the same.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  // The demo's worker loads SQLite when it needs it.
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // The content security policy allows no `data:` address.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The preload script is loaded before all others anyway.
      resolveDependencies: (_file, needed) => needed.filter((file) => !file.includes('/preload-')),
    },
    rolldownOptions: {
      preserveEntrySignatures: false,
      output: {
        // The first view names all files, and their hashes can't be compressed.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          groups: [
            { name: 'preload', test: /src\/app\/preload\.ts$/, priority: 1 },
            // One file for the first view: its shared pieces are not worth a request each.
            { name: 'first-view', tags: ['$initial'] },
            // The first view names each file that a screen needs, so the form's own packages are no file of their own.
            {
              name: 'form-pages',
              test: /src\/app\/(form\/|subscriber\/list-chips)|node_modules\/(@base-ui|@floating-ui|reselect|use-sync-external-store)\//,
              includeDependenciesRecursively: false,
            },
            // Both are needed with the first letter: the rows are drawn once only if what marks them is there.
            {
              name: 'find',
              test: /src\/app\/list\/(find-text|highlights)\.tsx?$/,
              includeDependenciesRecursively: false,
            },
            {
              name: 'client',
              test: /src\/app\/api\/(client|actions|use-action)\.ts$/,
            },
            // What several screens need comes in few files, each with its styles.
            {
              name: 'contract',
              test: /src\/contract\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'files',
              test: /src\/app\/api\/files\.tsx$/,
              includeDependenciesRecursively: false,
            },
            {
              name: 'jobs',
              test: /src\/app\/bulk\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            { name: 'components', test: /src\/app\/components\//, minShareCount: 2 },
            {
              name: 'subscriber',
              test: /src\/app\/subscriber\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
}));

/** Adds a script that runs as soon as it is loaded; an imported module would wait for all the others. */
function asyncEntry(entry: string): Plugin {
  return {
    name: 'async-entry',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: fileURLToPath(new URL(entry, import.meta.url)) });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.values(bundle).find(
          (output) => output.type === 'chunk' && output.moduleIds.some((id) => id.endsWith(entry)),
        );
        if (!file) throw new Error(`${entry} is not in the bundle.`);
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${file.fileName}` };
        return [{ tag: 'script', attrs, injectTo: 'head' }];
      },
    },
  };
}

/**
 * Adds to the demo its service worker, the page that static hosts show for addresses that only the dashboard's router
 * knows, and the place of its bar, with a word that is there before any script.
 */
function demoFiles(): Plugin {
  return {
    name: 'demo-files',
    transformIndexHtml: () => [
      {
        tag: 'div',
        attrs: { id: 'demo' },
        children: [{ tag: 'p', children: 'Preparing the demo…' }],
        injectTo: 'body-prepend',
      },
    ],
    generateBundle() {
      for (const fileName of ['404.html', 'worker.js']) {
        const source = readFileSync(new URL(`src/demo/${fileName}`, import.meta.url), 'utf8');
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}
