import react from '@vitejs/plugin-react';
import { msw } from 'msw/vite';
import { defineConfig } from 'vite';
import { compileHint } from './src/server/build/compile-hint.ts';
import { notFoundPage } from './src/demo/not-found-page.ts';
import { earlyEntry } from './src/server/build/early-entry.ts';

export default defineConfig(({ mode }) => ({
  // The demo may lie in any folder of any host, and brings what else it needs there.
  ...(mode === 'demo' && { base: './' }),
  plugins: [
    react(),
    compileHint(),
    // The demo's desk stands only when its code has run: before that there is nobody to ask.
    mode === 'demo' ? [msw({ mode: 'worker-only' }), notFoundPage()] : earlyEntry('src/app/preload.ts'),
  ],
  // React has had it built in for long; the stand-in would come along all the same.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  build: {
    target: 'es2023',
    // The content security policy allows no `data:` address.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Which is there before all others.
      resolveDependencies: (_file, needed) => needed.filter((file) => !file.includes('/early-')),
    },
    // All styles are smaller than the requests that parts of them would take.
    cssCodeSplit: false,
    rolldownOptions: {
      preserveEntrySignatures: false,
      output: {
        // The first view knows the names of all parts, and words in them weigh on it; the demo, of which that is not
        // asked, has too many parts for hashes this short.
        ...(mode !== 'demo' && {
          entryFileNames: 'assets/[name]-[hash:6].js',
          chunkFileNames: ({ name }) =>
            name === 'early' ? 'assets/early-[hash:6].js' : 'assets/[hash:6].js',
        }),
        codeSplitting: {
          groups: [
            { name: 'early', test: /src\/app\/preload\.ts$/, priority: 1 },
            // One file for all that the first screen needs: shared pieces of it are not worth a request each.
            { name: 'first-view', tags: ['$initial'] },
          ],
        },
      },
    },
  },
}));
